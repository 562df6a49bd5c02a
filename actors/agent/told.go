package agent

import (
	"context"
	"slices"
	"strings"
)

// told are instructions of several authors: the agent's own, then those of what is
// mounted, in the order of the namespaces.
type told struct {
	own   part
	parts []part
}

// A part is a text, or a function that gives one for a session.
type part struct {
	ns   string
	text string
	make instructionsFunc
}

// tell appends the instructions of a mount to those of the agent.
func (a *Agent) tell(ns, text string, f instructionsFunc) {
	if a.told == nil {
		a.told = &told{own: part{text: a.Instructions, make: a.InstructionsFor}}
	}
	t := a.told
	t.parts = append(t.parts, part{ns, text, f})
	slices.SortFunc(t.parts, func(x, y part) int { return strings.Compare(x.ns, y.ns) })
	all := append([]part{t.own}, t.parts...)
	if slices.ContainsFunc(all, func(p part) bool { return p.make != nil }) {
		a.Instructions, a.InstructionsFor = "", func(ctx context.Context, c *Call) (string, error) { return joinParts(ctx, c, all) }
		return
	}
	a.Instructions, _ = joinParts(context.Background(), nil, all) // no part has a function that could fail
}

// joinParts gives the texts, an empty line between them.
func joinParts(ctx context.Context, c *Call, parts []part) (string, error) {
	var texts []string
	for _, p := range parts {
		text := p.text
		if p.make != nil {
			made, err := p.make(ctx, c)
			if err != nil {
				return "", err
			}
			text = made
		}
		if text = strings.TrimSpace(text); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n"), nil
}
