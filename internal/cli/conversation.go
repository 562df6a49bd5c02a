package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/internal/logs"
)

// How often, and how far apart, a stream that broke is asked for again.
const (
	reconnects     = 20
	reconnectPause = 500 * time.Millisecond
)

// errParked says that a turn waits for a person and there is nobody to ask.
var errParked = errors.New("parked")

// errStopped says that the person ended the turn instead of deciding.
var errStopped = errors.New("stopped")

// An asker decides about a call that waits; ok is false when nobody can be asked.
type asker func(ctx context.Context, r *events.InputRequested) (decision string, ok bool, err error)

// A conversation drives one session turn by turn.
type conversation struct {
	a    *app
	seat *seat
	// see gets every event, in order.
	see func(client.Event)
	ask asker

	// linked is the newest link that was shown.
	linked string

	id   atomic.Pointer[string]
	next uint64 // the first index that was not seen
}

// newConversation drives a session; an empty id is one that is not open yet.
func newConversation(a *app, s *seat, id string, see func(client.Event), ask asker) *conversation {
	v := &conversation{a: a, seat: s, see: see, ask: ask}
	if id != "" {
		v.id.Store(&id)
	}
	return v
}

// session is the session's id, empty before it is open. It may be asked for from any goroutine.
func (v *conversation) session() string {
	if id := v.id.Load(); id != nil {
		return *id
	}
	return ""
}

// An opening is the first message of a session with what else it may carry.
type opening struct {
	message string
	dryRun  bool
	asOf    *time.Time
	files   []actors.File
}

// open starts the session and follows its first turn.
func (v *conversation) open(ctx context.Context, o opening) (*turn, error) {
	if v.seat.own == nil {
		started, stream, err := v.seat.StartStream(ctx, o.remote())
		if err != nil {
			return nil, err
		}
		v.id.Store(&started.SessionID)
		return v.follow(ctx, stream, &turn{})
	}
	accepted, err := v.seat.own.host.StartSession(ctx, o.local(v.seat.agent.Slug))
	if err != nil {
		return nil, err
	}
	v.id.Store(&accepted.SessionID)
	v.next = accepted.Index
	return v.follow(ctx, v.stream(ctx), &turn{})
}

// send continues the session; a running or parked turn is interrupted.
func (v *conversation) send(ctx context.Context, message string) (*turn, error) {
	_, token, err := v.seat.Session(ctx, v.session())
	if err != nil {
		return nil, err
	}
	if token == "" {
		return nil, fmt.Errorf("session %s is a task: it takes no messages", v.session())
	}
	_, stream, err := v.seat.SendStream(ctx, v.session(), token, message)
	if err != nil {
		return nil, err
	}
	return v.follow(ctx, stream, &turn{})
}

// resume follows a turn that is open already.
func (v *conversation) resume(ctx context.Context, t *turn) (*turn, error) {
	for _, l := range t.links {
		v.link(l)
	}
	if err := v.decide(ctx, t); err != nil {
		return t, err
	}
	return v.follow(ctx, v.stream(ctx), t)
}

func (v *conversation) stream(ctx context.Context) iter.Seq2[client.Event, error] {
	return v.seat.Stream(ctx, v.session(), client.StreamQuery{From: v.next, UntilIdle: true})
}

// follow reads a turn to its end, asks where it waits, and takes the stream up
// again where it breaks.
func (v *conversation) follow(ctx context.Context, stream iter.Seq2[client.Event, error], t *turn) (*turn, error) {
	tries := 0
	for {
		before := v.next
		err := v.read(stream, t)
		switch {
		case t.ended:
			return t, nil
		case ctx.Err() != nil:
			return t, context.Cause(ctx)
		case err == nil && len(t.waiting()) > 0:
			if err := v.decide(ctx, t); err != nil {
				return t, err
			}
			tries = 0
		case err == nil && len(t.links) > 0: // the stream goes on when somebody has been at the link
			tries = 0
		case err == nil && len(t.pending) > 0 && v.next > before:
			// It ended where the log has the turn parked on a call that was
			// decided here since: what became of that is further on.
			tries = 0
		default:
			if v.next > before {
				tries = 0
			}
			if tries++; tries > reconnects {
				return t, errors.Join(fmt.Errorf("the stream of session %s broke before the turn ended", v.session()), err)
			}
			if err := pause(ctx, err); err != nil {
				return t, err
			}
		}
		stream = v.stream(ctx)
	}
}

// pause waits before a stream is asked for again; an answer of the host that
// will not change with time is given back.
func pause(ctx context.Context, err error) error {
	var answer *client.Error
	if errors.As(err, &answer) && answer.Status/100 == 4 {
		return err
	}
	timer := time.NewTimer(reconnectPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// read takes events until the stream ends or what follows is not of this turn.
func (v *conversation) read(stream iter.Seq2[client.Event, error], t *turn) error {
	for e, err := range stream {
		if err != nil {
			return err
		}
		if t.over(e) {
			return nil
		}
		v.next = e.Index + 1
		t.see(e)
		if l, ok := e.Data.(*events.AuthorizationRequested); ok {
			v.link(l)
		}
		v.see(e)
	}
	return nil
}

// link shows where a person authorizes a connection, once for all calls that wait for it.
func (v *conversation) link(l *events.AuthorizationRequested) {
	if l.URL == "" || l.URL == v.linked {
		return
	}
	v.linked = l.URL
	v.a.status.end()
	by := ""
	if l.ExpiresAt != nil {
		by = " by " + l.ExpiresAt.Local().Format("15:04")
	}
	v.a.say("%s is not connected: open this link in a browser%s, and the turn goes on\n%s", l.Connection, by, logs.Visible(l.URL, ""))
}

// decide asks once about each call that waits and passes the answers on.
func (v *conversation) decide(ctx context.Context, t *turn) error {
	for _, r := range t.waiting() {
		decision, ok, err := v.ask(ctx, r)
		if errors.Is(err, errStopped) {
			t.answer(t.waiting()...)
			return nil // the stream tells how the turn ends
		}
		if err != nil {
			return err
		}
		if !ok {
			return errParked
		}
		if err := v.pass(ctx, r, decision); err != nil {
			return err
		}
		t.answer(r)
	}
	return nil
}

// pass gives the host an answer. One that came too late is no error, but the
// person who gave it is told that something else counts.
func (v *conversation) pass(ctx context.Context, r *events.InputRequested, decision string) error {
	err := v.seat.Resolve(ctx, v.session(), r.CallID, decision, "")
	var answer *client.Error
	if errors.As(err, &answer) && answer.Status == http.StatusConflict {
		v.a.say("%s: your answer came too late and does not count: %v", r.ToolName, answer)
		return nil
	}
	return err
}
