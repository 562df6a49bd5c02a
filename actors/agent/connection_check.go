package agent

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
)

// Check says everything that is wrong with a connection, nil when it can be opened
// as far as that is known without opening it.
func (c *Connection) Check() error {
	if c == nil {
		return errors.New("a connection is nil")
	}
	faults := []error{formed("a connection's name", c.Name, idForm), c.checkWay()}
	if c.URL != "" {
		if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			faults = append(faults, errors.New("its URL is no address that begins with https:// or http://"))
		}
	}
	if c.Agent != "" && !idForm.MatchString(c.Agent) {
		faults = append(faults, fmt.Errorf("the agent %q is no slug", c.Agent))
	}
	for _, tool := range slices.Sorted(maps.Keys(c.Effect)) {
		if e := c.Effect[tool]; e != EffectRead && e != EffectWrite {
			faults = append(faults, fmt.Errorf("the effect of %q is %q; it can be %s or %s", tool, e, EffectRead, EffectWrite))
		}
	}
	return under(fmt.Sprintf("connection %q", c.Name), errors.Join(faults...))
}

// checkWay holds that there is one way to the server, and nothing of another.
func (c *Connection) checkWay() error {
	var faults []error
	ways := 0
	for _, way := range []string{c.URL, c.Command, c.Agent} {
		if way != "" {
			ways++
		}
	}
	if ways != 1 {
		return fmt.Errorf("it has %d of URL, Command and Agent, and a connection has one of them", ways)
	}
	for _, f := range []struct {
		name, way string
		given     bool
	}{
		{"Headers", "URL", len(c.Headers) > 0 && c.URL == ""}, {"OAuth", "URL", c.OAuth != nil && c.URL == ""},
		{"Args", "Command", len(c.Args) > 0 && c.Command == ""}, {"Env", "Command", len(c.Env) > 0 && c.Command == ""},
		{"Cwd", "Command", c.Cwd != "" && c.Command == ""},
	} {
		if f.given {
			faults = append(faults, fmt.Errorf("%s belongs to a connection with %s, and this one has none: leave it out", f.name, f.way))
		}
	}
	return errors.Join(faults...)
}
