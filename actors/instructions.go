package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
)

// instructions keeps what functions of authors gave for each session, so that a
// session has the same ones for ever.
type instructions struct {
	space *journal.Space // session id → the text as a JSON string

	mu     sync.Mutex
	making map[string]chan struct{} // session id → closed when its maker has ended
}

func newInstructions(j *journal.Journal) *instructions {
	return &instructions{space: j.Space("instructions"), making: map[string]chan struct{}{}}
}

// An instructionsError says that there are no instructions for a session.
type instructionsError struct{ err error }

// Error names the function.
func (e *instructionsError) Error() string { return "the instructions function: " + e.err.Error() }

// Unwrap gives the cause.
func (e *instructionsError) Unwrap() error { return e.err }

// maxInstructions bounds what a function gives.
const maxInstructions = 1 << 20

// instructions gives the text for a job: the agent's own, or what its function gives,
// which is asked once per session. An error is an *instructionsError.
func (j *job) instructions(ctx context.Context, turn string) (string, error) {
	a := j.agent
	if a.InstructionsFor == nil {
		return a.Instructions, nil
	}
	if j.unbound { // of a call without a session nothing is kept
		return j.makeInstructions(ctx, turn)
	}
	kept := j.h.instructions
	leave, err := kept.enter(ctx, j.info.ID)
	if err != nil {
		return "", err
	}
	defer leave()
	text, ok, err := kept.read(j.info.ID)
	if ok || err != nil {
		return text, err
	}
	if text, err = j.makeInstructions(ctx, turn); err != nil {
		return "", err
	}
	return text, kept.write(j.info.ID, text)
}

// makeInstructions asks the function. It has no workspace: that begins with what it gives.
func (j *job) makeInstructions(ctx context.Context, turn string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, agent.DefaultTimeout)
	defer cancel()
	c := j.callFor(turn)
	c.Workspace = func() (string, error) {
		return "", fmt.Errorf("%w: it begins with the instructions, which are being made", ErrWorkspace)
	}
	text, err := j.agent.InstructionsFor(ctx, c)
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("it took longer than its limit of %s", agent.DefaultTimeout)
	case err == nil && len(text) > maxInstructions:
		err = fmt.Errorf("it gave %d bytes; at most %d are taken", len(text), maxInstructions)
	}
	if err != nil {
		return "", &instructionsError{err}
	}
	return text, nil
}

func (k *instructions) read(id string) (text string, ok bool, err error) {
	value, ok, err := k.space.Get([]byte(id))
	if err == nil && ok {
		err = json.Unmarshal(value, &text)
	}
	if err != nil {
		return "", false, &instructionsError{fmt.Errorf("reading what it gave: %w", err)}
	}
	return text, ok, nil
}

func (k *instructions) write(id, text string) error {
	b := k.space.NewBatch()
	defer func() { _ = b.Close() }()
	b.Set([]byte(id), jsonString(text))
	if err := b.Commit(true); err != nil {
		return &instructionsError{fmt.Errorf("keeping what it gave: %w", err)}
	}
	return nil
}

// enter lets one caller at a time ask for a session.
func (k *instructions) enter(ctx context.Context, id string) (leave func(), err error) {
	for {
		k.mu.Lock()
		other := k.making[id]
		if other == nil {
			over := make(chan struct{})
			k.making[id] = over
			k.mu.Unlock()
			return func() { k.leave(id, over) }, nil
		}
		k.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, &instructionsError{ctx.Err()}
		}
	}
}

func (k *instructions) leave(id string, over chan struct{}) {
	k.mu.Lock()
	delete(k.making, id)
	k.mu.Unlock()
	close(over)
}
