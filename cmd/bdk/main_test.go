package main

import (
	"go/parser"
	"go/token"
	"testing"
)

// A project's TypeScript has every time zone, also where the system has no zone
// files: the program carries them.
func TestMain_CarriesTheTimeZones(t *testing.T) {
	t.Parallel()
	f, err := parser.ParseFile(token.NewFileSet(), "main.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Imports {
		if i.Path.Value == `"time/tzdata"` {
			return
		}
	}
	t.Error("main.go does not import time/tzdata")
}
