package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/gobdk/bdk/internal/plainfile"
)

const manifestFile = "package.json"

// packageName is the name in package.json; empty where there is none.
func packageName(r *report, dir string) string {
	const file = manifestFile
	text, err := plainfile.Read(filepath.Join(dir, file))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err != nil {
		r.add(ruleUnreadable, top(file), "the file cannot be read: "+cause(err), "check that it is a file that you may read")
		return ""
	}
	var manifest struct {
		Name string `json:"name"`
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // as npm reads it
	if err := json.Unmarshal(text, &manifest); err != nil {
		at, message := jsonFault(text, err)
		at.File = file
		r.add(rulePackageJSON, at, message, "make it a JSON object whose \"name\" is a string")
	}
	return manifest.Name
}

// jsonFault says where and how a JSON text is not what was wanted.
func jsonFault(text []byte, err error) (place, string) {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	offset, message := 0, err.Error()
	switch {
	case errors.As(err, &syntax):
		offset = int(syntax.Offset) - 1
	case errors.As(err, &kind):
		offset = int(kind.Offset) - 1
		message = kind.Field + " is of type " + kind.Value
		if kind.Field == "" {
			message = "the whole is of type " + kind.Value
		}
	}
	line, column := position(text, offset)
	return place{Line: line, Column: column}, message
}

// cause is the reason of a file error without its path, which the diagnostic has.
func cause(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err.Error() == "path escapes from parent" { // os.Root has no name for it
		return "it leads out of the folder"
	}
	return err.Error()
}

// position gives line and column, both from 1, of a byte offset; the column
// counts characters.
func position(text []byte, offset int) (line, column int) {
	offset = max(0, min(offset, len(text)))
	line, column = 1, 1
	for _, c := range string(text[:offset]) {
		if c == '\n' {
			line, column = line+1, 1
			continue
		}
		column++
	}
	return line, column
}
