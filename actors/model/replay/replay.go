// Package replay is a language model that gives back the recorded steps of a
// session, so that what happened once runs again without a model: texts, reasoning,
// tool calls with their arguments, usage, and the failures of the model itself.
//
// Which step comes next follows from the log of the session that asks, not from
// memory, so that a Model holds no state of a session and a restart changes nothing.
// Tools run anew: their results may differ from the recorded ones, and the recorded
// step is given all the same. Where the session departs from its recording (another
// message, a step more or less, a result that is missing) the step fails with a
// sentence that says where.
package replay

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// Lines are the NDJSON lines of a session, the first first. An error comes last.
type Lines = iter.Seq2[[]byte, error]

// Options of a Model. All fields are needed.
type Options struct {
	// Name is what messages call the recording, such as a session's id or a file.
	Name string
	// Recorded reads the recording. It is read once, and again where a session asks for
	// more than it held then.
	Recorded func(ctx context.Context) Lines
	// Log gives the log of the session that asks, by its id.
	Log func(ctx context.Context, sessionID string) Lines
}

// A Model gives back the steps of one recording. It is safe for concurrent use.
type Model struct {
	o Options

	mu   sync.Mutex
	tape *tape // nil before it is read
}

var _ model.Model = (*Model)(nil)

// New gives the model of a recording, which is read when it is first asked.
func New(o Options) *Model { return &Model{o: o} }

// Stream gives back the recorded step that r asks for, in pieces of a few words. It
// retries nothing, and an error is never one that a retry would mend.
func (m *Model) Stream(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, stopped(err, false)
	}
	live, err := read(m.o.Log(ctx, r.SessionID))
	if err != nil {
		return nil, m.failed("the log of session %s cannot be read: %v", r.SessionID, err)
	}
	res, err := m.answer(ctx, r, live)
	if err != nil {
		return nil, err
	}
	said := false
	for d := range deltas(res) {
		if err := ctx.Err(); err != nil {
			return nil, stopped(err, said)
		}
		emit(d)
		said = true
	}
	return res, nil
}

// answer looks the step up; in the recording as it is now, where the one that was
// read before has it not.
func (m *Model) answer(ctx context.Context, r *model.Request, live *tape) (*model.Response, error) {
	t, fresh, err := m.recorded(ctx, nil)
	if err != nil {
		return nil, err
	}
	res, failed := t.answer(r, live)
	if failed == nil || fresh {
		return res, m.wrap(failed)
	}
	if t, _, err = m.recorded(ctx, t); err != nil {
		return nil, err
	}
	res, failed = t.answer(r, live)
	return res, m.wrap(failed)
}

// recorded gives the tape; anew where the one that is kept is old.
func (m *Model) recorded(ctx context.Context, old *tape) (t *tape, fresh bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tape != nil && m.tape != old {
		return m.tape, false, nil
	}
	if t, err = read(m.o.Recorded(ctx)); err != nil {
		return nil, false, m.failed("it cannot be read: %v", err)
	}
	if len(t.turns) == 0 {
		return nil, false, m.failed("it holds no turn")
	}
	m.tape = t
	return t, true, nil
}

// wrap names the recording in front of what a session departs in; what the recorded
// model failed with stays as it was.
func (m *Model) wrap(err error) error {
	if d, ok := err.(departure); ok {
		return m.failed("%s", string(d))
	}
	return err
}

func (m *Model) failed(format string, a ...any) error {
	return &model.Error{Message: "replay:" + m.o.Name + ": " + fmt.Sprintf(format, a...), Code: events.FailModel}
}

func stopped(err error, said bool) error {
	return &model.Error{Message: "the step was stopped", Code: events.FailModel, Broken: said, Err: err}
}
