package project

import (
	"fmt"
	"regexp"
	"strings"
)

// A variable is one assignment of an environment file.
type variable struct{ name, value string }

// An envFault is a line that is no assignment.
type envFault struct {
	line    int
	message string
}

var envName = regexp.MustCompile(`^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*`)

// parseEnv reads an environment file: NAME=value lines with "#" comments, values
// bare or in quotes. In double quotes \n, \r, \t, \" and \\ are escapes; a quoted
// value may span lines. Nothing is expanded. What is no assignment is left out
// and reported.
func parseEnv(text string) ([]variable, []envFault) {
	var vars []variable
	var faults []envFault
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	for line := 1; text != ""; {
		taken, v, err := parseAssignment(text)
		switch {
		case err != nil:
			faults = append(faults, envFault{line, err.Error()})
		case v != nil:
			vars = append(vars, *v)
		}
		line += strings.Count(text[:taken], "\n")
		text = text[taken:]
	}
	return vars, faults
}

// parseAssignment reads the first line of text, or as many as a quoted value
// takes, and says how much that was. A blank line and a comment give nothing.
func parseAssignment(text string) (taken int, v *variable, err error) {
	line, _, _ := strings.Cut(text, "\n")
	whole := min(len(line)+1, len(text))
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	body := line[indent:]
	if body == "" || body[0] == '#' {
		return whole, nil, nil
	}
	m := envName.FindStringSubmatch(body)
	if m == nil {
		return whole, nil, fmt.Errorf("this is no assignment like NAME=value")
	}
	start := indent + len(m[0])
	if start == len(line) || !strings.ContainsRune("\"'`", rune(line[start])) {
		return whole, &variable{m[1], bareValue(line[start:])}, nil
	}
	value, n, ok := quotedValue(text[start:])
	if !ok {
		return whole, nil, fmt.Errorf("the quote of %s is not closed", m[1])
	}
	rest, _, _ := strings.Cut(text[start+n:], "\n")
	whole = min(start+n+len(rest)+1, len(text))
	if rest = strings.TrimSpace(rest); rest != "" && rest[0] != '#' {
		return whole, nil, fmt.Errorf("there is text behind the quoted value of %s", m[1])
	}
	return whole, &variable{m[1], value}, nil
}

// bareValue ends at a "#" that follows white space.
func bareValue(s string) string {
	for i := range s {
		if s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t') {
			s = s[:i]
			break
		}
	}
	return strings.TrimSpace(s)
}

var envEscapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\'}

// quotedValue reads a quoted value and says how long it is with its quotes.
func quotedValue(s string) (value string, n int, ok bool) {
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		c := s[i]
		if c == quote {
			return b.String(), i + 1, true
		}
		if c == '\\' && quote == '"' && i+1 < len(s) {
			if e, known := envEscapes[s[i+1]]; known {
				b.WriteByte(e)
				i++
				continue
			}
		}
		b.WriteByte(c)
	}
	return "", 0, false
}
