package providers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
)

const scriptedName = "scripted"

// A parsed script is as good as its file is unchanged.
type parsed struct {
	modified time.Time
	size     int64
	model    *scripted.Model
	err      error
}

// scripted gives the model of "scripted" or "scripted:<file>".
func (r *Resolver) scripted(id, dir string) (model.Resolved, error) {
	resolved := model.Resolved{Name: scriptedName, Request: scriptedName, Window: scripted.DefaultWindow}
	file, info, err := scriptFile(strings.TrimPrefix(strings.TrimPrefix(id, scriptedName), ":"), dir)
	if err != nil {
		return model.Resolved{}, failed(err)
	}
	if info == nil {
		resolved.Model = scripted.New(nil)
		return resolved, nil
	}
	p := r.script(file, info)
	if p.err != nil {
		return model.Resolved{}, &model.Error{Message: sentence(p.err), Code: events.FailModel, Err: p.err}
	}
	resolved.Model = p.model
	return resolved, nil
}

// scriptFile finds the file: one that is named is looked for in the project first;
// without a name bot/script.yaml (agent/ in older projects), or none: info is nil.
func scriptFile(name, dir string) (string, fs.FileInfo, error) {
	var places []string
	switch {
	case name != "":
		places = placesOf(name, dir)
	case dir != "":
		places = []string{filepath.Join(dir, "bot", "script.yaml"), filepath.Join(dir, "agent", "script.yaml")}
	}
	file, info, err := firstFile(places)
	if info == nil && err == nil && name != "" {
		err = fmt.Errorf("the script %s of model scripted:%s does not exist", places[0], name)
	}
	return file, info, err
}

// placesOf is where a file that is named may be: in the project, or as it is written.
func placesOf(name, dir string) []string {
	if dir == "" || filepath.IsAbs(name) {
		return []string{name}
	}
	return []string{filepath.Join(dir, name), name}
}

// firstFile gives the first of the places that is there; info is nil where none is.
func firstFile(places []string) (string, fs.FileInfo, error) {
	for _, file := range places {
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is no file", file)
		}
		return file, info, err
	}
	return "", nil, nil
}

func (r *Resolver) script(file string, info fs.FileInfo) parsed {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.scripts[file]
	if ok && p.modified.Equal(info.ModTime()) && p.size == info.Size() {
		return p
	}
	s, err := scripted.Load(file)
	p = parsed{modified: info.ModTime(), size: info.Size(), model: scripted.New(s), err: err}
	r.scripts[file] = p
	return p
}

// sentence says the first of several faults, and how many more there are.
func sentence(err error) string {
	lines := strings.Split(err.Error(), "\n")
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%s (and %d more)", lines[0], len(lines)-1)
}
