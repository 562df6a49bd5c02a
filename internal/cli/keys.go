package cli

import (
	"slices"
	"strings"
)

// lookup finds a variable of the process, else one of a project's own files. A
// key of the process is never sent to an address that a project's file names:
// where the address comes from the file, the key must too.
func lookup(environ, own []string) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		if address := addressOf(name); address != "" {
			_, inFile := lookupIn(own, address)
			if _, inProcess := lookupIn(environ, address); inFile && !inProcess {
				return lookupIn(own, name)
			}
		}
		if value, ok := lookupIn(environ, name); ok {
			return value, true
		}
		return lookupIn(own, name)
	}
}

// addressOf is the variable with the address that a key is sent to; empty for
// what is no key.
func addressOf(name string) string {
	if rest, ok := strings.CutSuffix(name, "_API_KEY"); ok {
		return rest + "_BASE_URL"
	}
	if rest, ok := strings.CutSuffix(name, "_KEY"); ok {
		return rest + "_URL"
	}
	return ""
}

// lookupIn finds the last value of a name that is not empty.
func lookupIn(pairs []string, name string) (string, bool) {
	for _, pair := range slices.Backward(pairs) {
		if key, value, ok := strings.Cut(pair, "="); ok && key == name && value != "" {
			return value, true
		}
	}
	return "", false
}
