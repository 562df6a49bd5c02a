package record

import (
	"bytes"
	"slices"

	"github.com/gobdk/bdk/events"
)

// taskTool is the tool that gives work to subagents: the host answers it.
const taskTool = "task"

// inside are tools that change nothing but the session itself and its workspace, which
// an eval has of its own. They always run.
var inside = []string{taskTool, "tag_artifact", "write", "edit"}

// A stub is what a tool gave in the recording, call after call.
type stub struct {
	tool  string
	calls []*call // that ran, in the order in which they were asked for
	// beside says that some of them ran side by side.
	beside bool
}

// stub decides which tools are stubbed.
func (s *session) stub(which string) {
	for _, u := range s.turns {
		for _, c := range u.calls {
			if which == StubNone || slices.Contains(inside, c.ToolName) || s.stubOf(c.ToolName) != nil {
				continue
			}
			if which == StubAll || s.writes(c.ToolName) {
				s.stubs = append(s.stubs, s.newStub(c.ToolName))
			}
		}
	}
}

// writes says whether any call of a tool had an effect outside.
func (s *session) writes(tool string) bool {
	return slices.ContainsFunc(s.turns, func(u *turn) bool {
		return slices.ContainsFunc(u.calls, func(c *call) bool { return c.ToolName == tool && c.Effect == events.EffectWrite })
	})
}

func (s *session) newStub(tool string) *stub {
	b := &stub{tool: tool}
	for _, u := range s.turns {
		lines := map[string]bool{}
		for _, c := range u.calls {
			if c.ToolName != tool || !c.ran() {
				continue
			}
			if n := len(b.calls); n > 0 && b.calls[n-1].turn == u && b.calls[n-1].step == c.step {
				b.beside = true
			}
			lines[c.ParentCallID] = true
			b.calls = append(b.calls, c)
		}
		b.beside = b.beside || len(lines) > 1
	}
	return b
}

// stubOf gives the stub of a tool; nil where it runs.
func (s *session) stubOf(tool string) *stub {
	for _, b := range s.stubs {
		if b.tool == tool {
			return b
		}
	}
	return nil
}

// same says whether all calls came out alike.
func (b *stub) same() bool {
	for _, c := range b.calls {
		if c.result.IsError != b.calls[0].result.IsError || !bytes.Equal(c.output(), b.calls[0].output()) {
			return false
		}
	}
	return true
}

// mixed says whether nobody can tell which of the calls fails: some do, and they ran
// side by side.
func (b *stub) mixed() bool {
	return b.beside && slices.ContainsFunc(b.calls, func(c *call) bool { return c.result.IsError != b.calls[0].result.IsError })
}

// stubbed says whether something came of a call that a stub answers: then it does not
// come again.
func (s *session) stubbed(m *made) bool {
	return slices.ContainsFunc(m.by, func(c *call) bool { return s.stubOf(c.ToolName) != nil })
}
