package project

import (
	"errors"
	"path/filepath"

	"github.com/gobdk/bdk/actors/model/scripted"
)

// checkScripted reports the faults of the scripted model's file.
func (l *loader) checkScripted() {
	file := l.layout.scripted
	if file == "" {
		return
	}
	_, err := scripted.Load(filepath.Join(l.place.Dir, filepath.FromSlash(file)))
	for _, err := range joined(err) {
		at, message := place{File: file}, err.Error()
		var fault *scripted.Fault
		if errors.As(err, &fault) {
			at.Line, at.Column, message = fault.Line, fault.Column, fault.Message
		}
		l.report.add(ruleScripted, at, message, "mend the file, or remove it: the scripted model then repeats what it hears")
	}
}

// joined takes apart what errors.Join put together.
func joined(err error) []error {
	if err == nil {
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()
	}
	return []error{err}
}
