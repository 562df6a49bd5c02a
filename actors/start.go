package actors

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// An Accepted says where a message went; for a repeated idempotency key, where the first one went.
type Accepted struct {
	SessionID string
	TurnID    string
	// Index is that of the message.received.
	Index uint64
	// FollowUps is the number of follow-ups as of this message: the n of its token.
	FollowUps int
	// Position is what a view must have folded to show this.
	Position uint64
}

// A NewSession opens a session with its first message.
type NewSession struct {
	// Agent is the slug.
	Agent     string
	Principal events.Principal
	// ChannelID defaults to "http", Mode to events.ModeChat, Purpose to events.PurposeLive.
	ChannelID string
	Mode      string
	Purpose   string
	Title     string
	DryRun    bool
	AsOf      *time.Time
	Message   string
	// From defaults to events.FromUser.
	From string
	// Files are put into the session's workspace; a bad path is a *PathError and nothing is made.
	Files []File
	// ContinuationToken is the channel's own name for the conversation.
	ContinuationToken string
	Idempotency       *events.Idempotency

	// WorkspaceDir, Stubs and Model are for sessions of Purpose events.PurposeEval; in
	// others they are a *FieldError and nothing is made.

	// WorkspaceDir is an absolute folder, which is there, that the session works in, in the
	// place of its own or of the agent's: nothing is laid down in it, nor deleted. The log
	// names it, so it holds after a restart. With it every one of Files is a *PathError.
	WorkspaceDir string
	// Stubs answer in the place of the tools of these names: of the project, of the host's
	// own but for task, and of connections. A call is prepared as always, so that it may
	// fail on its schema or wait for an approval, and its result says stubbed. The names are
	// in the log, the functions in the host's memory until FreeStubs: without its function a
	// call of such a tool fails, and the tool itself never runs.
	Stubs map[string]agent.Stub
	// Model is an id that takes the place of the host's and the agent's, for the session
	// and its subagents; the agent's params stay. Empty: none does.
	Model string

	delivery string              // makes the start once: the delivery id of its message
	state    events.RawJSON      // of its channel, where not the one that all sessions begin with
	id       string              // where it was recorded before
	schedule *events.ScheduleRef // what fired it
	askers   []string            // the agents that it came through
}

// A File is a file for a workspace, by its relative path.
type File struct {
	Path    string
	Content []byte
}

func (s *NewSession) ensureDefaults() {
	for _, d := range []struct {
		field *string
		value string
	}{{&s.ChannelID, "http"}, {&s.Mode, events.ModeChat}, {&s.Purpose, events.PurposeLive}, {&s.From, events.FromUser}} {
		if *d.field == "" {
			*d.field = d.value
		}
	}
}

// StartSession opens a session and returns when its first message is on disk. A
// ContinuationToken that another session of the agent and channel holds is a
// *ConversationError.
func (h *Host) StartSession(ctx context.Context, s NewSession) (Accepted, error) {
	s.ensureDefaults()
	if !h.agents.lists(s.Agent) {
		return Accepted{}, ErrUnknownAgent
	}
	if err := h.Admit(); err != nil {
		return Accepted{}, err
	}
	if err := h.checkEval(ctx, &s); err != nil {
		return Accepted{}, err
	}
	return once(ctx, h, s.Idempotency, func(ctx context.Context) (Accepted, error) {
		if s.ContinuationToken == "" {
			return h.startSession(ctx, &s)
		}
		key := conversationKey(s.Agent, s.ChannelID, s.ContinuationToken)
		return holding(ctx, h, key, func(ctx context.Context) (Accepted, error) { return h.startSession(ctx, &s) })
	}, h.acceptedAgain)
}

func (h *Host) startSession(ctx context.Context, s *NewSession) (Accepted, error) {
	start, err := h.started(s)
	if err != nil {
		return Accepted{}, err
	}
	if s.id == "" {
		s.id = h.newID(events.SessionPrefix)
	}
	h.stubs.keep(s.id, s.Stubs)
	msg := &session.Message{TurnID: h.newID(events.TurnPrefix), Text: s.Message, From: s.From, DeliveryID: s.delivery, Idempotency: s.Idempotency, Askers: s.askers}
	c := &command{id: s.id, inputs: []session.Input{&session.Start{Started: start}, msg}}
	if s.state != nil {
		c.inputs = append(c.inputs, &session.UpdateChannel{State: s.state})
	}
	r, err := h.ask(ctx, c)
	if err != nil {
		h.stubs.free(s.id)
		return Accepted{}, err
	}
	return Accepted{SessionID: c.id, TurnID: msg.TurnID, Index: r.index, FollowUps: r.followUps, Position: r.position}, nil
}

// started is the first event of a session, whose files are kept.
func (h *Host) started(s *NewSession) (*events.SessionStarted, error) {
	if r := h.agents.of(s.Agent); len(s.Files) > 0 && r != nil && cmp.Or(s.WorkspaceDir, r.Local.Dir()) != "" {
		return nil, &PathError{Path: s.Files[0].Path, Reason: "has no place: the session works in a folder of the user's, where nothing is laid down"}
	}
	files, err := h.storage.keep(s.Files)
	if err != nil {
		return nil, err
	}
	start := &events.SessionStarted{
		Agent: s.Agent, ChannelID: s.ChannelID, Mode: s.Mode, Purpose: s.Purpose, Principal: s.Principal,
		Title: s.Title, DryRun: s.DryRun, WorkspaceFiles: files, ContinuationToken: s.ContinuationToken,
		Schedule: s.schedule, WorkspaceDir: s.WorkspaceDir, Stubs: slices.Sorted(maps.Keys(s.Stubs)), Model: s.Model,
	}
	if s.AsOf != nil {
		asOf := s.AsOf.UTC()
		start.AsOf = &asOf
	}
	return start, nil
}

// acceptedAgain computes the answer to a message from the log.
func (h *Host) acceptedAgain(e *events.Event) (Accepted, error) {
	st, err := h.StateAt(e.SessionID, e.Index+1)
	if err != nil {
		return Accepted{}, err
	}
	return Accepted{SessionID: e.SessionID, TurnID: e.TurnID, Index: e.Index, FollowUps: st.FollowUps, Position: h.journal.Position()}, nil
}
