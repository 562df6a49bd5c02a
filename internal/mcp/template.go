package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// fill puts the values of variables into texts; what is not defined is an error that
// names it. The values are kept out of the log from now on.
func (p *Pool) fill(c *agent.Connection, what string, texts map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(texts))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		missing := ""
		out[name] = agent.Variable.ReplaceAllStringFunc(texts[name], func(place string) string {
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
