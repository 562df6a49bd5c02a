package project

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// A connectionFault is what no client could be opened with. It holds no values, which
// may be secrets.
type connectionFault struct{ field, message, fix string }

// headerName is a token of HTTP.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// connectionFaults looks at what is written of a connection's server.
func connectionFaults(c *agent.Connection) (found []connectionFault) {
	if u, err := url.Parse(c.URL); err == nil && u.User != nil {
		found = append(found, connectionFault{"url", "the url has a user name in it, and it is shown where the connection is", "send what proves who calls with headers, such as {Authorization: \"Bearer ${TOKEN}\"}"})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		switch value := c.Headers[name]; {
		case !headerName.MatchString(name):
			found = append(found, connectionFault{"headers", quote(name) + " is no name of a header", "write letters, digits and - alone"})
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			found = append(found, connectionFault{"headers", "the value of the header " + name + " has a line break or another control character in it", "take it out, as with .trim()"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(c.Env[name], "\x00") {
			found = append(found, connectionFault{"env", quote(name) + " cannot be a variable of a process", "write a name without = and a value without NUL"})
		}
	}
	return found
}

// unfilled names what is written like a variable where nothing is filled: the field,
// then the variable.
func unfilled(c *agent.Connection) (found [][2]string) {
	for _, f := range []struct {
		field string
		texts []string
	}{{"url", []string{c.URL}}, {"command", []string{c.Command}}, {"args", c.Args}, {"cwd", []string{c.Cwd}}} {
		for _, text := range f.texts {
			for _, m := range agent.Variable.FindAllStringSubmatch(text, -1) {
				if at := [2]string{f.field, m[1]}; !slices.Contains(found, at) {
					found = append(found, at)
				}
			}
		}
	}
	return found
}

func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}
