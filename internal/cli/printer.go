package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/internal/logs"
)

// maxShown is how much of a tool's arguments or output one line shows.
const maxShown = 400

// A printer writes a turn for people, as it goes.
type printer struct {
	out io.Writer
	// terminal makes text harmless and colour possible.
	terminal bool
	color    bool
	// streamed says that deltas of the running step were written.
	streamed bool
	// inLine says that the last line has no end yet.
	inLine bool
	// subagents are the names of those at work, by the call that each answers.
	subagents map[string]string
	err       error
}

func (a *app) newPrinter() *printer {
	return &printer{out: a.Stdout, terminal: a.terminal(a.Stdout), color: a.color(a.Stdout)}
}

// see writes what an event has for people. Writing errors are kept in err.
func (p *printer) see(e client.Event) {
	mark, silent := p.subagent(e)
	if silent {
		return
	}
	switch d := e.Data.(type) {
	case *events.StepStarted:
		p.endLine()
		if d.Attempt > 1 {
			p.note("the answer broke off; starting again")
		}
		p.streamed = false
	case *events.MessageAppended:
		p.text(d.Text)
		p.streamed = true
	case *events.MessageCompleted:
		if !p.streamed {
			p.text(d.Text)
		}
		p.streamed = false
		p.endLine()
	case *events.ActionsRequested:
		for _, c := range d.Calls {
			p.note(mark + "→ " + c.ToolName + " " + shorten(c.Args))
		}
	case *events.ActionResult:
		p.result(mark, d)
	case *events.InputResolved:
		p.resolved(mark, d)
	case *events.AuthorizationCompleted:
		p.note(mark + "connection " + d.Connection + ": " + d.Outcome)
	}
}

func (p *printer) result(mark string, d *events.ActionResult) {
	arrow := "← "
	if d.IsError {
		arrow = "✗ "
	}
	stubbed := ""
	if d.Stubbed {
		stubbed = " (dry run)"
	}
	p.note(mark + arrow + d.ToolName + stubbed + " " + shorten(d.Output))
}

func (p *printer) resolved(mark string, d *events.InputResolved) {
	if d.Decision == events.DecisionApprove {
		return
	}
	why := ""
	if d.Reason != "" {
		why = ": " + d.Reason
	}
	p.note(mark + "approval: " + d.Decision + why)
}

// text writes a piece of the reply.
func (p *printer) text(s string) {
	if s == "" {
		return
	}
	if p.terminal {
		s = logs.Visible(s, "\n\t")
	}
	p.write(s)
	p.inLine = !strings.HasSuffix(s, "\n")
}

// note writes a line that is not the reply.
func (p *printer) note(s string) {
	p.endLine()
	s = logs.Visible(s, "\t")
	if p.color {
		s = "\x1b[90m" + s + "\x1b[0m"
	}
	p.write(s + "\n")
}

func (p *printer) endLine() {
	if p.inLine {
		p.write("\n")
	}
	p.inLine = false
}

func (p *printer) write(s string) {
	if _, err := io.WriteString(p.out, s); err != nil && p.err == nil {
		p.err = fmt.Errorf("writing the result: %w", err)
	}
}

// shorten gives JSON on one line, cut where it is long.
func shorten(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	s := []rune(b.String())
	if len(s) > maxShown {
		return string(s[:maxShown]) + "…"
	}
	return string(s)
}
