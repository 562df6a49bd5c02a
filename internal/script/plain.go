package script

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/gobdk/bdk/internal/plainfile"
)

// bundlerFiles are what the bundler reads in the folders around a module by itself.
var bundlerFiles = []string{"package.json", "tsconfig.json", "jsconfig.json"}

// roadblock is the error of a pipe or a device where the bundler would read a file,
// which could hold it for ever; nil: there is none around the modules.
func roadblock(o *Options, modules []Module) *api.Message {
	seen := map[string]bool{}
	for _, m := range modules {
		for dir := filepath.Dir(m.File); !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			for _, name := range bundlerFiles {
				file := filepath.Join(dir, name)
				if err := checkPlain(file); errors.Is(err, plainfile.ErrNotPlain) {
					return &api.Message{PluginName: projectPluginName, Text: o.unreadable(err).Error(), Location: &api.Location{File: file}}
				}
			}
		}
	}
	return nil
}

// checkPlain refuses what is neither a file nor a folder.
func checkPlain(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "read", Path: path, Err: plainfile.ErrNotPlain}
	}
	return err
}

// unreadable tells of a file as the project sees it.
func (o *Options) unreadable(err error) error {
	var e *fs.PathError
	if !errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("%s cannot be read: %w", (&sourceMap{dir: o.Dir}).relative(e.Path), e.Err)
}

// loadPlain refuses what is no plain file; all else is the bundler's to load.
func (o *Options) loadPlain(a api.OnLoadArgs) (api.OnLoadResult, error) {
	if err := checkPlain(a.Path); errors.Is(err, plainfile.ErrNotPlain) {
		return api.OnLoadResult{}, o.unreadable(err)
	}
	return api.OnLoadResult{}, nil
}
