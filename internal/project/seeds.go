package project

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/plainfile"
	"github.com/gobdk/bdk/internal/workspace"
)

// skillsInWorkspace is where the skills lie in a workspace.
const skillsInWorkspace = ".cursor/skills/"

// seeds reads sandbox/workspace/**. Whatever lies there is a seed, files with a dot
// first and tests as well, but what npm installed and what the Finder leaves behind.
func (l *loader) seeds() []agent.SeedFile {
	rel := l.layout.seeds
	if rel == "" {
		return nil
	}
	files := l.tree(rel, func(d *discovery, rel string) []entry {
		return slices.DeleteFunc(d.allEntries(rel), func(e entry) bool { return e.name == ".DS_Store" })
	})
	at := func(name string) place { return place{File: path.Join(rel, name)} }
	return l.placeable(slices.DeleteFunc(files, func(f agent.SeedFile) bool { return l.inSkill(f.Path, at(f.Path)) }), "", at)
}

// inSkill refuses a seed that lies in the folder of a skill.
func (l *loader) inSkill(name string, at place) bool {
	rest, ok := strings.CutPrefix(name, skillsInWorkspace)
	folder, _, _ := strings.Cut(rest, "/")
	if !ok || !slices.ContainsFunc(l.agent.Skills, func(k *agent.Skill) bool { return strings.EqualFold(k.Name, folder) }) {
		return false
	}
	fix := "move it to " + l.place.Root + "/" + skillsFolder + "/" + folder + "/, beside its " + skillFile
	if strings.Contains(folder, "__") {
		fix = "rename it, or mount the extension that brings the skill under another namespace"
	}
	l.report.add(ruleSeedPath, at, "the file lies where the skill "+quote(folder)+" goes", fix)
	return true
}

// tree reads all files below a folder, as far as list gives them. What is too much
// for a workspace is reported, and nothing of it is read.
func (l *loader) tree(rel string, list func(d *discovery, rel string) []entry) []agent.SeedFile {
	d := &discovery{dir: l.place.Dir, root: l.place.Root, report: l.report}
	var names []string
	var size int64
	var walk func(rel string)
	walk = func(rel string) {
		for _, e := range list(d, rel) {
			file := path.Join(rel, e.name)
			switch {
			case e.dir:
				walk(file)
			case !e.plain:
				l.report.add(ruleUnreadable, place{File: file}, "it is no plain file", "remove it")
			default:
				names, size = append(names, file), size+e.size
			}
		}
	}
	walk(rel)
	if len(names) > workspace.MaxFiles || size > workspace.MaxBytes {
		l.report.add(ruleSeedSize, place{File: rel}, fmt.Sprintf("%d files of %d bytes together are too much for each workspace", len(names), size),
			fmt.Sprintf("keep at most %d files of %d bytes together, and let a tool fetch the rest", workspace.MaxFiles, workspace.MaxBytes))
		return nil
	}
	return l.readAll(rel, names)
}

func (l *loader) readAll(rel string, names []string) []agent.SeedFile {
	var files []agent.SeedFile
	for _, name := range names {
		content, err := plainfile.Read(l.absolute(name))
		if err != nil {
			l.report.add(ruleUnreadable, place{File: name}, "the file cannot be read: "+cause(err), "check its permissions")
			continue
		}
		files = append(files, agent.SeedFile{Path: strings.TrimPrefix(name, rel+"/"), Content: content})
	}
	return files
}

// placeable gives the files that may lie in a workspace below the prefix, and
// reports the others, each at its place.
func (l *loader) placeable(files []agent.SeedFile, prefix string, at func(name string) place) []agent.SeedFile {
	for {
		list := make([]workspace.NewFile, len(files))
		for i, f := range files {
			list[i] = workspace.NewFile{Path: prefix + f.Path, Content: f.Content}
		}
		var bad *workspace.PathError
		if !errors.As(workspace.CheckFiles(list), &bad) {
			return files
		}
		name := strings.TrimPrefix(bad.Path, prefix)
		l.report.add(ruleSeedPath, at(name), bad.Error(), "rename the file, or take it out")
		files = withoutLast(files, name)
	}
}

// withoutLast drops the last file of a name, the one that comes too late.
func withoutLast(files []agent.SeedFile, name string) []agent.SeedFile {
	for i := len(files) - 1; i >= 0; i-- {
		if files[i].Path == name {
			return slices.Delete(files, i, i+1)
		}
	}
	return nil
}
