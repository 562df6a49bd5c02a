package transport

import (
	"context"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// sessionMeta is where a progress notification names the session.
const sessionMeta = "sessionId"

// progress tells a caller who asked for it what a turn does, read from the
// session's log. Its zero value tells nothing.
type progress struct {
	q     *mcpRequest
	r     *mcp.CallToolRequest
	token any
	// turn is the one that is told of; empty: any.
	session, turn string
	next          uint64
	sent          float64
	end           context.CancelFunc
	ended         sync.WaitGroup
}

// newProgress is for a caller who can hear it.
func (q *mcpRequest) newProgress(r *mcp.CallToolRequest) *progress {
	p := &progress{q: q, r: r}
	if q.streams {
		p.token = r.Params.GetProgressToken()
	}
	return p
}

// start follows the log from an index on until drain or stop.
func (p *progress) start(ctx context.Context, session, turn string, from uint64) {
	if p.token == nil {
		return
	}
	p.session, p.turn, p.next = session, turn, from
	p.notify(ctx, "the session is "+session) // first, so that who gives up can go on with it
	ctx, p.end = context.WithCancel(ctx)
	p.ended.Go(func() {
		for ctx.Err() == nil && p.follow(ctx) {
		}
	})
}

// follow tells what comes; where that is nothing for a while, that the turn goes
// on. False: the log cannot be followed.
func (p *progress) follow(ctx context.Context) bool {
	quiet, cancel := context.WithTimeout(ctx, p.q.h.heartbeat)
	defer cancel()
	before := p.next
	for lines, err := range p.q.h.journal.Follow(quiet, p.session, p.next) {
		if err != nil {
			return false
		}
		p.tell(ctx, lines)
	}
	if p.next == before && ctx.Err() == nil {
		p.notify(ctx, "still running")
	}
	return true
}

// stop ends it.
func (p *progress) stop() {
	if p.end != nil {
		p.end()
		p.ended.Wait()
	}
}

// drain ends it and tells what is left in the log, so that nothing follows the answer.
func (p *progress) drain(ctx context.Context) {
	if p.end == nil {
		return
	}
	p.stop()
	for ctx.Err() == nil {
		lines, err := p.q.h.journal.ReadSome(p.session, p.next, math.MaxUint64)
		if err != nil || len(lines) == 0 {
			return
		}
		p.tell(ctx, lines)
	}
}

func (p *progress) tell(ctx context.Context, lines []journal.Line) {
	for i := range lines {
		if text := p.describe(lines[i].Data); text != "" {
			p.notify(ctx, text)
		}
	}
	p.next += uint64(len(lines))
}

func (p *progress) notify(ctx context.Context, text string) {
	p.sent++
	_ = p.r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{Meta: mcp.Meta{sessionMeta: p.session}, ProgressToken: p.token, Progress: p.sent, Message: text})
}

// describe says in a few words what an event means to the one who waits; nothing
// for most.
func (p *progress) describe(line []byte) string {
	switch events.TypeOf(line) {
	case "turn.started", "step.started", "actions.requested", "action.result", "input.requested", "authorization.requested", "subagent.called":
	default:
		return ""
	}
	e, err := events.Decode(line)
	if err != nil || e.TurnID == "" || p.turn != "" && e.TurnID != p.turn {
		return ""
	}
	switch d := e.Data.(type) {
	case *events.TurnStarted:
		return "the turn has started"
	case *events.StepStarted:
		if d.ParentCallID == "" {
			return "step " + strconv.Itoa(d.Step)
		}
	case *events.ActionsRequested:
		names := make([]string, len(d.Calls))
		for i := range d.Calls {
			names[i] = d.Calls[i].ToolName
		}
		return "calls " + strings.Join(names, ", ")
	case *events.ActionResult:
		if d.IsError {
			return d.ToolName + " failed"
		}
		return d.ToolName + " has answered"
	case *events.InputRequested:
		return d.ToolName + " waits for a person's decision"
	case *events.AuthorizationRequested:
		return "the connection " + d.Connection + " waits until a person has authorized it"
	case *events.SubagentCalled:
		return "the subagent " + d.Name + " works"
	}
	return ""
}
