package actors

import (
	"errors"
	"slices"
	"sync"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
)

const (
	// maxFindings are kept of one agent: the newest.
	maxFindings = 50
	// maxFinding is how long the message of one is.
	maxFinding = 1000
)

// findings are what went wrong while agents ran, for info. It is safe for concurrent use.
type findings struct {
	mu      sync.Mutex
	byAgent map[string][]agent.Diagnostic
}

// Findings lists what went wrong in the channels of an agent since it was loaded,
// the newest last, each once, at most 50 warnings, and what is wrong with its
// connections. Details are in the log.
func (h *Host) Findings(slug string) []agent.Diagnostic {
	h.findings.mu.Lock()
	found := slices.Clone(h.findings.byAgent[slug])
	h.findings.mu.Unlock()
	return append(found, h.connectionFindings(slug)...)
}

// found takes a finding of an agent for info.
func (h *Host) found(slug string, d agent.Diagnostic) {
	d.Message = h.redact(d.Message)
	h.findings.add(slug, d)
}

// redact takes secrets out of what code of an author's failed with, where that is kept
// elsewhere than in the host's own log.
func (h *Host) redact(text string) string {
	if h.o.Redact == nil {
		return text
	}
	return h.o.Redact(text)
}

// add takes a finding of an agent: its rule, its message and its fix.
func (f *findings) add(slug string, d agent.Diagnostic) {
	d.Severity, d.Message = agent.SeverityWarning, cutEnd(d.Message, maxFinding)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byAgent == nil {
		f.byAgent = map[string][]agent.Diagnostic{}
	}
	all := slices.DeleteFunc(f.byAgent[slug], func(x agent.Diagnostic) bool { return x == d })
	f.byAgent[slug] = append(all[max(0, len(all)+1-maxFindings):], d)
}

// forget drops those of an agent that was replaced.
func (f *findings) forget(slug string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byAgent, slug)
}

// logPanic adds an error, and the stack of a panic, to a line of the log.
func logPanic(line *zerolog.Event, err error) *zerolog.Event {
	var p *PanicError
	if errors.As(err, &p) {
		line = line.Bytes("stack", p.Stack)
	}
	return line.Err(err)
}
