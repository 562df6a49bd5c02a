package script

import "strings"

// packages are what the errors of the host's packages begin with: marks for Go, which
// say nothing to people.
var packages = []string{"actors: ", "session: ", "journal: ", "agent: ", "transport: ", "store: ", "content: "}

// said gives an error's text without the marks of the packages that it is from.
func said(err error) string {
	text := err.Error()
	each(err, func(e error) {
		whole := e.Error()
		for _, mark := range packages {
			if rest, ok := strings.CutPrefix(whole, mark); ok {
				text = strings.Replace(text, whole, rest, 1)
			}
		}
	})
	return text
}

// each visits an error and what it wraps.
func each(err error, f func(error)) {
	f(err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			each(inner, f)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			each(inner, f)
		}
	}
}
