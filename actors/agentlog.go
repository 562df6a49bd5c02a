package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// An agentLog records what belongs to no session of an agent: direct calls that
// are bound to none, what they tag, and requests that channels acknowledged. Its open
// mark lists the calls that have no result yet, and the requests that were not handled.
type agentLog struct {
	h      *Host
	stream string

	mu    sync.Mutex
	next  uint64
	open  []openCall
	cut   []openFiring // those that a restart cut off, until they are taken up
	inbox *inbox
}

// An openCall is a call without a result, a firing that has not ended, or a request
// that was not handled.
type openCall struct {
	CallID   string       `json:"callId,omitempty"`
	ToolName string       `json:"toolName,omitempty"`
	Firing   *openFiring  `json:"firing,omitempty"`
	Receipt  *openReceipt `json:"receipt,omitempty"`
}

func openAgentLog(h *Host, r *agentRuntime) (*agentLog, error) {
	l := &agentLog{h: h, stream: events.AgentLog(r.Slug)}
	l.inbox = &inbox{h: h, slug: r.Slug, log: l}
	var err error
	if l.next, err = h.journal.Head(l.stream); err != nil {
		return nil, err
	}
	return l, l.inbox.dropLeftovers()
}

// agentOf gives the slug of an agent's log.
func agentOf(stream string) (string, bool) { return strings.CutPrefix(stream, events.AgentLogPrefix) }

// recover closes the calls that a restart cut off: they are never run again. Firings
// are kept for recoverFirings, requests are left to the inbox.
func (l *agentLog) recover(ctx context.Context, mark []byte) error {
	var open []openCall
	if err := json.Unmarshal(mark, &open); err != nil {
		return fmt.Errorf("actors: reading the open mark of %s: %w", l.stream, err)
	}
	l.mu.Lock()
	l.open = append(open[:len(open):len(open)], l.open...)
	l.mu.Unlock()
	for _, c := range open {
		switch {
		case c.Receipt != nil:
			l.inbox.left(*c.Receipt)
			continue
		case c.Firing != nil:
			l.cut = append(l.cut, *c.Firing)
			continue
		}
		out := jsonString("the host stopped while this ran: its outcome is unknown")
		if _, err := l.end(ctx, &events.ToolResult{CallID: c.CallID, ToolName: c.ToolName, Output: out, IsError: true, Code: events.CodeOutcomeUnknown}); err != nil {
			return err
		}
	}
	return nil
}

// begin records a call, before it runs.
func (l *agentLog) begin(ctx context.Context, d *events.ToolCalled) (appended, error) {
	return l.append(ctx, d, d.Idempotency, func(open []openCall) ([]openCall, error) {
		return append(open[:len(open):len(open)], openCall{CallID: d.CallID, ToolName: d.ToolName}), nil
	})
}

// end records its result.
func (l *agentLog) end(ctx context.Context, d *events.ToolResult) (appended, error) {
	return l.append(ctx, d, nil, func(open []openCall) ([]openCall, error) {
		var rest []openCall
		for _, c := range open {
			if c.CallID != d.CallID || c.Receipt != nil {
				rest = append(rest, c)
			}
		}
		return rest, nil
	})
}

// tag records an artifact, of a call while that is open; an empty callID is of none.
func (l *agentLog) tag(ctx context.Context, callID string, d *events.ArtifactTagged) (appended, error) {
	return l.append(ctx, d, nil, func(open []openCall) ([]openCall, error) {
		if callID != "" && !slices.ContainsFunc(open, func(c openCall) bool { return c.CallID == callID }) {
			return nil, ErrCallEnded
		}
		return open, nil
	})
}

type appended struct {
	at   journal.Appended
	when time.Time // as the log keeps it
	err  error
}

// append records one event and the keys that go with it; nil changes the open mark alone.
func (l *agentLog) append(ctx context.Context, d events.Payload, i *events.Idempotency, change func([]openCall) ([]openCall, error)) (appended, error) {
	var ds []events.Payload
	if d != nil {
		ds = []events.Payload{d}
	}
	return l.record(ctx, ds, change, func(ap *journal.Append) {
		ap.Claims = appendIdempotency(ap.Claims, i, l.stream, ap.Expect, ap.Now)
		switch d := d.(type) {
		case *events.ArtifactTagged:
			d.Artifact.Touch(ap.Now)
			ap.Claims, ap.Frees = append(ap.Claims, artifactClaim(l.stream, ap.Expect, d)), artifactKeys(ap.Events)
		case *events.DeliveryReceived:
			ap.Claims = l.inbox.claims(d, ap.Expect, ap.Now)
		}
	})
}

// record enqueues under the lock and waits outside of it, so that calls share syncs.
// keys adds the unique keys; it is called under the lock.
func (l *agentLog) record(ctx context.Context, ds []events.Payload, change func([]openCall) ([]openCall, error), keys func(*journal.Append)) (appended, error) {
	done := make(chan appended, 1)
	l.mu.Lock()
	now := l.h.now()
	open, err := change(l.open)
	if err != nil {
		l.mu.Unlock()
		return appended{}, err
	}
	ap := journal.Append{Stream: l.stream, Expect: l.next, Mark: openCallsMark(open), Now: now}
	for _, d := range ds {
		ap.Events = append(ap.Events, events.New("", now, d))
	}
	keys(&ap)
	l.h.journal.AppendAsync(ap, func(at journal.Appended, err error) { done <- appended{at, logTime(now), err} })
	refused := false
	select {
	case x := <-done: // answered at once: nothing was enqueued, or it is on disk already
		refused = x.err != nil
		done <- x
	default:
	}
	if !refused {
		l.next, l.open = l.next+uint64(len(ds)), open
	}
	l.mu.Unlock()
	select {
	case x := <-done:
		return x, x.err
	case <-ctx.Done():
		return appended{}, ctx.Err()
	}
}

func openCallsMark(open []openCall) journal.MarkOp {
	if len(open) == 0 {
		return journal.MarkOp{Clear: true}
	}
	b, err := json.Marshal(open)
	if err != nil {
		panic(err) // strings always encode
	}
	return journal.MarkOp{Set: true, Value: b}
}
