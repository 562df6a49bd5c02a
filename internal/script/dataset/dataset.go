// Package dataset reads committed JSON, JSON Lines and YAML as JSON for JavaScript. It
// takes nothing that it would have to change: what cannot be carried is a fault with
// its place in the file.
package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/gobdk/bdk/internal/plainfile"
)

// A Set is the content of one file.
type Set struct {
	// JSON is one value that JSON.parse takes as it is.
	JSON []byte
	// NaN is a text that stands in JSON for the number NaN, and nowhere for itself;
	// empty: there is none.
	NaN string
	// Warnings are sentences about what may not be meant as it reads, with its place.
	Warnings []string
}

// A Fault is why a file is not read, with its place.
type Fault struct {
	// File is as it was asked for. Line and Column count from 1, in characters; 0: the
	// whole file.
	File         string
	Line, Column int
	Message      string
}

// Error is file:line:column, as far as they are known, and the message.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// A Format turns the text of a file into a Set. name is for faults.
type Format func(name string, text string) (*Set, error)

// Load reads a file by its path below the root. A path that is absolute, or that leaves
// the root, is refused; links are followed.
func Load(root, name string, as Format) (*Set, error) {
	if err := below(name); err != nil {
		return nil, err
	}
	content, err := plainfile.Read(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, unread(name, err)
	}
	text, err := decode(name, content)
	if err != nil {
		return nil, err
	}
	return as(name, text)
}

func below(name string) error {
	switch {
	case name == "":
		return errors.New(`the path is empty: write one relative to the project's folder, such as "evals/data/cases.yaml"`)
	case strings.HasPrefix(name, "/") || filepath.IsAbs(name):
		return &Fault{File: name, Message: `the path is absolute: write one relative to the project's folder, such as "evals/data/cases.yaml"`}
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return &Fault{File: name, Message: "the path leads out of the project's folder: put the file into the project, or read it with node:fs"}
	}
	return nil
}

func unread(name string, err error) error {
	f := &Fault{File: name, Message: err.Error()}
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Message = "there is no such file; paths begin at the project's folder"
	case errors.As(err, &at):
		f.Message = at.Err.Error()
	}
	return f
}
