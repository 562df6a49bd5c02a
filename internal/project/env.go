package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobdk/bdk/internal/plainfile"
)

// defaultEnvFiles are read where they are there; the later one wins.
var defaultEnvFiles = []string{".env", ".env.local"}

// environment is what process.env of a project will be: its environment files,
// and over them the environment that the options give.
func environment(r *report, dir string, o *Options) map[string]string {
	env := map[string]string{}
	files, optional := o.EnvFiles, false
	if files == nil {
		optional = true
		for _, name := range defaultEnvFiles {
			files = append(files, filepath.Join(dir, name))
		}
	}
	for _, file := range files {
		for _, v := range readEnv(r, dir, file, optional) {
			env[v.name] = v.value
		}
	}
	for _, pair := range o.Env {
		if name, value, ok := strings.Cut(pair, "="); ok && name != "" {
			env[name] = value
		}
	}
	return env
}

// ReadEnv gives the assignments of an environment file as "NAME=value", read as
// Load reads them. The error names the file and each line that is no assignment.
func ReadEnv(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the environment: %w", err)
	}
	vars, faults := parseEnv(string(text))
	pairs := make([]string, len(vars))
	for i, v := range vars {
		pairs[i] = v.name + "=" + v.value
	}
	var errs []error
	for _, f := range faults {
		errs = append(errs, fmt.Errorf("%s:%d: %s", file, f.line, f.message))
	}
	return pairs, errors.Join(errs...)
}

func readEnv(r *report, dir, file string, optional bool) []variable {
	shown, read := relative(dir, file), os.ReadFile
	if optional { // nobody named it, so a pipe is no wish
		read = plainfile.Read
	}
	text, err := read(file)
	if optional && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		r.add(ruleEnvMissing, top(shown), "the environment file cannot be read: "+cause(err), "check its name and that you may read it")
		return nil
	}
	vars, faults := parseEnv(string(text))
	for _, f := range faults {
		r.add(ruleEnvSyntax, place{File: shown, Line: f.line}, f.message, "write NAME=value, the value in quotes where it has spaces or \"#\"")
	}
	return vars
}

// relative is the file as seen from dir, with slashes; unchanged where it lies outside.
func relative(dir, file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}
