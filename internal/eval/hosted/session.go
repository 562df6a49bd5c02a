package hosted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// channel is the built-in channel of sessions that evals open.
const channel = "eval"

// A session is the session of one case, from before its first message.
type session struct {
	t *Target
	o eval.OpenOptions

	mu     sync.Mutex
	closed bool
	// opening is closed when the session that is being opened is there, or was refused;
	// nil before the first message.
	opening chan struct{}
	// left says that Close did not wait for it: who opens the session ends it.
	left bool
	id   string // empty: there is none
	// turn is the newest one, with its number; empty before the first.
	turn  string
	index int
	// from is where the newest turn's events begin, seen what is known of it; nil while it
	// runs, and where nobody waited for its end.
	from uint64
	seen *reading
	// cut says that nobody waited until a message was taken: it may be on its way.
	cut bool

	judges judges
}

// Send is eval.Driver's. It is an error to send while the turn before runs, or is parked.
func (s *session) Send(ctx context.Context, message string, o eval.SendOptions) (*eval.Turn, error) {
	if strings.TrimSpace(message) == "" {
		return nil, errors.New("the message has no character that is not space: send a text")
	}
	if err := s.takes(&o); err != nil {
		return nil, err
	}
	sent, err := s.send(ctx, message, &o)
	if err != nil {
		s.lose(ctx)
		return nil, misuse(err)
	}
	s.begin(sent.TurnID)
	return s.rest(ctx)
}

// misuse marks an error that the options of the test made.
func misuse(err error) error {
	var field *actors.FieldError
	var path *actors.PathError
	if errors.As(err, &field) || errors.As(err, &path) {
		return &eval.MisuseError{Err: err}
	}
	return err
}

// takes says why no message can be sent now, or not with these options.
func (s *session) takes(o *eval.SendOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errors.New("the case has ended: nothing more can be sent")
	case s.cut, s.turn != "" && s.seen == nil:
		return errors.New("the turn before has not ended: wait for it before the next message")
	case s.seen.parked():
		return fmt.Errorf("the session waits for an approval of %s: answer it, by t.approve or t.deny, before the next message", s.seen.open[0])
	case s.turn != "" && (len(o.Files) > 0 || o.WorkspaceDir != "" || len(o.Stubs) > 0):
		return errors.New("workspaceFiles, workspaceDir and stubs shape the session, so they can come with its first message alone")
	}
	return nil
}

// send hands the message to the host: the first one opens the session.
func (s *session) send(ctx context.Context, message string, o *eval.SendOptions) (actors.Accepted, error) {
	if id := s.sessionID(); id != "" {
		return s.t.host.Send(ctx, id, actors.Message{Text: message})
	}
	return s.open(ctx, &actors.NewSession{
		Agent: s.t.slug, Principal: s.t.o.Principal, ChannelID: channel, Purpose: events.PurposeEval, Title: title(s.o.Title),
		Message: message, Files: files(o.Files), WorkspaceDir: o.WorkspaceDir, Stubs: o.Stubs, Model: s.o.Model,
	})
}

// An opened session is what the host says of it.
type opened struct {
	sent actors.Accepted
	err  error
}

// open starts the session. It goes on when ctx ends, so that Close knows what to stop.
func (s *session) open(ctx context.Context, n *actors.NewSession) (actors.Accepted, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return actors.Accepted{}, errors.New("the case has ended: nothing more can be sent")
	}
	s.opening = make(chan struct{})
	s.mu.Unlock()
	done := make(chan opened, 1)
	go func() {
		got := s.t.tryStart(context.WithoutCancel(ctx), n)
		s.opened(got.sent.SessionID)
		done <- got
	}()
	select {
	case got := <-done:
		return got.sent, got.err
	case <-ctx.Done():
		return actors.Accepted{}, context.Cause(ctx)
	}
}

// tryStart gives a panic of the host as its error.
func (t *Target) tryStart(ctx context.Context, n *actors.NewSession) (got opened) {
	defer func() {
		if fault := recover(); fault != nil {
			got.err = fmt.Errorf("opening the session panicked: %v", fault)
		}
	}()
	got.sent, got.err = t.start(ctx, *n)
	return got
}

// opened notes the session, and ends it where nobody waits for it any more.
func (s *session) opened(id string) {
	s.mu.Lock()
	s.id = id
	left := s.left
	close(s.opening)
	s.mu.Unlock()
	if left && id != "" {
		defer s.t.host.FreeStubs(id)
		_ = s.stop(context.Background(), id) // its case has failed already
	}
}

// leave leaves the end of a session to whoever opens it; false: it is open.
func (s *session) leave() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = s.id == ""
	return s.left
}

// lose notes that a message was not waited for, where that is why it failed.
func (s *session) lose(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut = s.cut || ctx.Err() != nil
}

// begin notes the turn that a message opened.
func (s *session) begin(turn string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen != nil {
		s.from = s.seen.next
	}
	s.turn, s.seen = turn, nil
	s.index++
}

// rest waits until the newest turn has ended, or is parked.
func (s *session) rest(ctx context.Context) (*eval.Turn, error) {
	s.mu.Lock()
	id, turn, index, from := s.id, s.turn, s.index, s.from
	s.seen = nil
	s.mu.Unlock()
	done, err := s.t.host.WaitTurn(ctx, id, turn)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("waiting for the turn: %w", err)
	}
	got, err := s.t.read(id, turn, from)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.seen = got
	s.mu.Unlock()
	return got.result(&eval.Turn{SessionID: id, TurnID: turn, Index: index, Status: done.Status}), nil
}

// sessionID is the id of the session; empty: there is none yet.
func (s *session) sessionID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// Events is eval.Session's; none before the first message.
func (s *session) Events() ([]json.RawMessage, error) {
	id := s.sessionID()
	if id == "" {
		return nil, nil
	}
	lines, err := s.t.lines(id, 0)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(lines))
	for i, l := range lines {
		out[i] = raw(l.Data)
	}
	return out, nil
}

// Close is eval.Session's. It cancels the turn that runs, waits for its place or is
// parked, and what waits behind it, and frees the stubs: what the session was before it is
// read before it is closed. When ctx ends first its error is that of ctx; a session that is
// still being opened then ends as soon as it is open.
func (s *session) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	opening := s.opening
	s.mu.Unlock()
	if opening == nil {
		return nil
	}
	select {
	case <-opening:
	case <-ctx.Done():
		if s.leave() {
			return context.Cause(ctx)
		}
	}
	id := s.sessionID()
	if id == "" {
		return nil
	}
	defer s.t.host.FreeStubs(id)
	return s.stop(ctx, id)
}

// stop cancels turns until none is open.
func (s *session) stop(ctx context.Context, id string) error {
	s.mu.Lock()
	ask := s.cut || s.seen == nil || s.seen.parked()
	s.mu.Unlock()
	for {
		if ask {
			if _, err := s.t.host.Stop(ctx, id); err != nil {
				return fmt.Errorf("stopping the session %s: %w", id, err)
			}
		}
		st, err := s.t.host.StateAt(id, math.MaxUint64)
		if err != nil {
			return fmt.Errorf("stopping the session %s: %w", id, err)
		}
		if st.OpenTurn() == "" {
			return nil
		}
		ask = true
	}
}

func files(from []agent.SeedFile) []actors.File {
	out := make([]actors.File, len(from))
	for i, f := range from {
		out[i] = actors.File(f)
	}
	return out
}

// maxTitle is how many characters of a title are kept.
const maxTitle = 200

func title(text string) string {
	if r := []rune(text); len(r) > maxTitle {
		return string(r[:maxTitle-1]) + "…"
	}
	return text
}
