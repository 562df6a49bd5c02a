package cli

import (
	"fmt"
	"os"
	"strings"
)

// readEnvFile gives the assignments of an environment file as "NAME=value".
func readEnvFile(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	var pairs []string
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("line %d is no assignment like NAME=value", i+1)
		}
		pairs = append(pairs, strings.TrimSpace(name)+"="+unquote(strings.TrimSpace(value)))
	}
	return pairs, nil
}

// unquote takes the quotes from a value, or the comment from a bare one.
func unquote(value string) string {
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	if i := strings.Index(value, " #"); i >= 0 {
		value = strings.TrimSpace(value[:i])
	}
	return value
}
