package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Uses of a session that a test may try, and be told off for.
var (
	errParked      = errors.New("the session waits for an approval: decide it with t.approve() or t.deny() before the next message")
	errLateOptions = errors.New("options shape a new session: give them with the first message alone")
)

// A watched session is a Driver that knows what the runner asks of a case afterwards, so
// that nothing that failed can be hidden by a test that caught it.
type watched struct {
	inner Session

	mu     sync.Mutex
	inputs []string
	last   *Turn
	turns  int
	// open says that a message or a decision is under way.
	open bool
	// broken is the first turn that failed by what it stands on.
	broken *Turn
	// err and judgeErr are the first failures that no misuse explains.
	err, judgeErr error
}

// Send runs one turn.
func (w *watched) Send(ctx context.Context, message string, o SendOptions) (*Turn, error) {
	if err := w.begin(message, &o); err != nil {
		return nil, err
	}
	return w.turn(ctx, func() (*Turn, error) { return w.inner.Send(ctx, message, o) })
}

func (w *watched) begin(message string, o *SendOptions) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.last != nil && w.last.Status == TurnParked:
		return errParked
	case w.turns > 0 && (len(o.Files) > 0 || o.WorkspaceDir != "" || len(o.Stubs) > 0):
		return errLateOptions
	}
	w.inputs = append(w.inputs, message)
	return nil
}

// Decide answers an approval.
func (w *watched) Decide(ctx context.Context, callID string, approve bool, reason string) (*Turn, error) {
	w.mu.Lock()
	parked := w.last != nil && w.last.Status == TurnParked
	w.mu.Unlock()
	if !parked {
		return nil, errors.New("nothing waits for an approval")
	}
	return w.turn(ctx, func() (*Turn, error) { return w.inner.Decide(ctx, callID, approve, reason) })
}

func (w *watched) turn(ctx context.Context, run func() (*Turn, error)) (t *Turn, err error) {
	w.mu.Lock()
	w.open = true
	w.mu.Unlock()
	err = guarded(func() (err error) { t, err = run(); return err })
	if err == nil && t == nil {
		err = errors.New("the session gave no turn")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.err = first(ctx, w.err, err)
		return nil, err
	}
	w.open = false
	w.last, w.turns = t, max(w.turns, t.Index)
	if t.Broken && w.broken == nil {
		w.broken = t
	}
	return t, nil
}

// Judge asks a model.
func (w *watched) Judge(ctx context.Context, prompt string, config json.RawMessage) (j *Judgement, err error) {
	err = guarded(func() (err error) { j, err = w.inner.Judge(ctx, prompt, config); return err })
	if err == nil && j == nil {
		err = errors.New("the judge gave no reply")
	}
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.judgeErr = first(ctx, w.judgeErr, err)
		return nil, err
	}
	return j, nil
}

// first keeps the first error that is no misuse; those after the end of a case are its
// consequence.
func first(ctx context.Context, had, err error) error {
	if misuse := (*MisuseError)(nil); had != nil || ctx.Err() != nil || errors.As(err, &misuse) {
		return had
	}
	return err
}

// seen is what was watched up to now.
type seen struct {
	inputs        []string
	last          *Turn
	open          bool
	broken        *Turn
	err, judgeErr error
}

func (w *watched) seen() seen {
	w.mu.Lock()
	defer w.mu.Unlock()
	return seen{append([]string{}, w.inputs...), w.last, w.open, w.broken, w.err, w.judgeErr}
}

// brokenText says which turn broke, and why.
func brokenText(t *Turn) string {
	why := t.Error
	if why == "" {
		why = "no reason was given"
	}
	if t.Code != "" {
		why += " (" + t.Code + ")"
	}
	return fmt.Sprintf("turn %d broke off: %s", max(t.Index, 1), why)
}
