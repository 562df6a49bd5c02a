package mcp

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// variable is a place that is filled from the agent's environment.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Variables lists the names that the headers and env of a connection are filled with, sorted.
func Variables(c *agent.Connection) []string {
	found := map[string]bool{}
	for _, texts := range []map[string]string{c.Headers, c.Env} {
		for _, text := range texts {
			for _, m := range variable.FindAllStringSubmatch(text, -1) {
				found[m[1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// fill puts the values of variables into texts; what is not defined is an error that
// names it. The values are kept out of the log from now on.
func (p *Pool) fill(c *agent.Connection, what string, texts map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(texts))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		missing := ""
		out[name] = variable.ReplaceAllStringFunc(texts[name], func(place string) string {
			wanted := place[2 : len(place)-1]
			value, ok := "", false
			if c.Lookup != nil {
				value, ok = c.Lookup(wanted)
			}
			if !ok {
				missing = wanted
				return ""
			}
			p.secrets.Add(value)
			return value
		})
		if missing != "" {
			return nil, fmt.Errorf("%s of its %s needs %s, which is not defined: set it in .env or in the environment", name, what, missing)
		}
		if strings.ContainsAny(out[name], "\r\n\x00") && what == "headers" {
			return nil, fmt.Errorf("%s of its headers has a line break in it", name)
		}
	}
	return out, nil
}
