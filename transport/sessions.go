package transport

import (
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/projections"
)

const (
	maxPage      = 200
	defaultPage  = 50
	minPageLimit = 1
)

type followUpReply struct {
	OK                bool   `json:"ok"`
	SessionID         string `json:"sessionId"`
	ContinuationToken string `json:"continuationToken"`
}

// followUp sends a message to an idle session, or interrupts the running turn with it.
func (c *call) followUp() error {
	f, body, err := c.readForm("continuationToken", "message")
	if err != nil {
		return err
	}
	token, _ := f.identifier("continuationToken")
	f.required("continuationToken")
	m := actors.Message{Text: f.message(), FollowUp: c.followUpOf(token)}
	if err := f.err(); err != nil {
		return err
	}
	if m.Idempotency, err = c.idempotency(body); err != nil {
		return err
	}
	return c.accept(func() (actors.Accepted, error) {
		return c.h.host.Interrupt(c.r.Context(), c.session.ID, m)
	}, func(a actors.Accepted, token string) any {
		return followUpReply{OK: true, SessionID: a.SessionID, ContinuationToken: token}
	})
}

// followUpOf gives the number in a token of this session. Any other token gives a
// number that no session is at: whether a repeated request comes first is the
// host's to say.
func (c *call) followUpOf(token string) *int {
	id, n, ok := c.h.host.ReadToken(token)
	if !ok || id != c.session.ID {
		n = -1
	}
	return &n
}

// followUps is the number in a session's newest token.
func (c *call) followUps(id string) (int, error) { return c.h.host.FollowUps(c.r.Context(), id) }

// accept runs a command that takes a message, and answers with JSON or, where the
// caller asked for it, with the stream of the turn.
func (c *call) accept(send func() (actors.Accepted, error), reply func(actors.Accepted, string) any) error {
	var sl *slot
	stream := streamType(c.r.Header["Accept"])
	if stream != "" {
		var err error
		if sl, err = c.h.streams.take(c.r.Context(), c.principal); err != nil {
			return err
		}
		defer sl.release()
	}
	a, err := send()
	if err != nil {
		return err
	}
	c.wrote(a.Position)
	token := c.h.host.Token(a.SessionID, a.FollowUps)
	if sl != nil {
		return c.streamAccepted(sl, a, token, stream)
	}
	return c.reply(http.StatusAccepted, reply(a, token))
}

type stopReply struct {
	OK        bool   `json:"ok"`
	SessionID string `json:"sessionId"`
	Stopped   bool   `json:"stopped"`
}

// stop ends the running turn.
func (c *call) stop() error {
	if _, _, err := c.readForm(); err != nil {
		return err
	}
	s, err := c.h.host.Stop(c.r.Context(), c.session.ID)
	if err != nil {
		return err
	}
	c.wrote(s.Position)
	return c.reply(http.StatusOK, stopReply{OK: true, SessionID: c.session.ID, Stopped: s.Stopped})
}

// rename changes the title.
func (c *call) rename() error {
	f, _, err := c.readForm("title")
	if err != nil {
		return err
	}
	f.required("title")
	title := f.title()
	if err := f.err(); err != nil {
		return err
	}
	position, err := c.h.host.Rename(c.r.Context(), c.session.ID, title)
	if err != nil {
		return err
	}
	c.wrote(position)
	return c.show()
}

// title reads a title, which is not too long.
func (f *form) title() string {
	title, _ := f.text("title")
	if most := f.limits.TitleLength; utf8.RuneCountInString(title) > most {
		f.note("title", fmt.Sprintf("has more than %d characters", most))
	}
	return title
}

type sessionReply struct {
	OK      bool        `json:"ok"`
	Session sessionView `json:"session"`
}

// sessionView is a list row with the token of a chat.
type sessionView struct {
	SessionRow
	ContinuationToken string `json:"continuationToken,omitempty"`
}

// show gives the list row of a session and its newest token.
func (c *call) show() error {
	if err := c.caughtUp(); err != nil {
		return err
	}
	row, ok, err := c.h.views.Session(c.r.Context(), c.session.ID)
	if err != nil {
		return err
	}
	if !ok {
		return refuse("view_behind", "the list does not know this session yet; ask again")
	}
	v := sessionView{SessionRow: NewSessionRow(&row)}
	if !c.isTask() {
		n, err := c.followUps(c.session.ID)
		if err != nil {
			return err
		}
		v.ContinuationToken = c.h.host.Token(c.session.ID, n)
	}
	return c.reply(http.StatusOK, sessionReply{OK: true, Session: v})
}

type sessionsReply struct {
	OK       bool         `json:"ok"`
	Sessions []SessionRow `json:"sessions"`
	Cursor   string       `json:"cursor,omitempty"`
}

// sessions lists the caller's sessions with this agent, an operator's everybody's.
func (c *call) sessions() error {
	q := c.query()
	sq := projections.SessionQuery{
		Agent:   c.agent.Slug,
		Purpose: q.oneOf("purpose", events.PurposeLive, events.PurposeEval),
		Status:  q.oneOf("status", "running", "parked", "waiting", "completed", "failed"),
		Limit:   int(q.between("limit", minPageLimit, maxPage, defaultPage)),
	}
	sq.Text, _ = q.text("q")
	sq.Cursor, _ = q.text("cursor")
	if id, ok := q.text("schedule"); ok {
		owner := actors.SchedulePrincipal(id)
		sq.Owner = &owner
	}
	if err := q.err(); err != nil {
		return err
	}
	if !c.operator {
		if sq.Owner != nil && *sq.Owner != c.principal {
			return c.reply(http.StatusOK, sessionsReply{OK: true, Sessions: []SessionRow{}})
		}
		sq.Owner = &c.principal
	}
	if err := c.caughtUp(); err != nil {
		return err
	}
	rows, cursor, err := c.h.views.Sessions(c.r.Context(), sq)
	if err != nil {
		return err
	}
	reply := sessionsReply{OK: true, Sessions: make([]SessionRow, len(rows)), Cursor: cursor}
	for i := range rows {
		reply.Sessions[i] = NewSessionRow(&rows[i])
	}
	return c.reply(http.StatusOK, reply)
}

type costReply struct {
	OK        bool                   `json:"ok"`
	SessionID string                 `json:"sessionId"`
	Turns     []projections.TurnCost `json:"turns"`
	Total     projections.TotalCost  `json:"total"`
}

// cost gives tokens and money per turn.
func (c *call) cost() error {
	if err := c.caughtUp(); err != nil {
		return err
	}
	cost, _, err := c.h.views.Cost(c.r.Context(), c.session.ID)
	if err != nil {
		return err
	}
	return c.reply(http.StatusOK, costReply{OK: true, SessionID: c.session.ID, Turns: append([]projections.TurnCost{}, cost.Turns...), Total: cost.Total})
}
