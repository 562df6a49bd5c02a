package session

import (
	"unicode/utf8"

	"github.com/gobdk/bdk/events"
)

// A Context says how much the next model step is told, by estimate: to decide when
// it has grown too long, not to count what is paid.
type Context struct {
	// From is the index at which a fold of the log into the context may begin: what
	// lies before it was summed up.
	From uint64 `json:"from,omitempty"`
	// Tokens is the size of the messages, a token for four bytes.
	Tokens int64 `json:"tokens,omitempty"`
	// Used is what the provider counted in the newest step, and what came since;
	// 0: it did not say.
	Used int64 `json:"used,omitempty"`
	// After is what the newest compaction left.
	After int64 `json:"after,omitempty"`
}

// messageTokens is what a message has besides its text.
const messageTokens = 4

func (c *Context) add(bytes int) {
	n := int64(bytes+3)/4 + messageTokens
	c.Tokens += n
	if c.Used > 0 {
		c.Used += n
	}
}

// told is the expected size of the next step's request.
func (s *Session) told() int64 { return max(s.Context.Tokens+s.base, s.Context.Used) }

// measure folds the size of what an event adds to the context. Deltas add nothing.
func (s *Session) measure(e *events.Event) {
	if e.TurnID == "" {
		return
	}
	c := &s.Context
	switch d := e.Data.(type) {
	case *events.MessageReceived:
		c.add(textBytes(d.Text))
	case *events.StepStarted:
		if d.Repair != "" && d.ParentCallID == "" {
			c.add(textBytes(d.Repair))
		}
	case *events.MessageCompleted:
		if d.ParentCallID == "" {
			c.add(textBytes(d.Text))
		}
	case *events.StepCompleted:
		if d.Usage != nil && d.ParentCallID == "" {
			c.Used = d.Usage.Total()
		}
	case *events.ActionsRequested:
		for i := range d.Calls {
			if d.ParentCallID == "" {
				c.Tokens += int64(len(d.Calls[i].Args)+textBytes(d.Calls[i].ToolName)+3) / 4
			}
		}
	case *events.ActionResult:
		if d.ParentCallID == "" {
			c.add(len(d.Output))
		}
	case *events.TurnFailed:
		if d.Status == events.StatusCancelled {
			c.add(4 * messageTokens)
		}
	}
}

// textBytes is how long a text is in the log, where what is not UTF-8 is replaced:
// a fold must find the size that lived.
func textBytes(s string) int {
	n := 0
	for _, r := range s {
		n += utf8.RuneLen(r) // of the replacement, where there was no character
	}
	return n
}
