package transport

import (
	"net/http"

	"github.com/gobdk/bdk/actors"
)

type forkReply struct {
	OK                bool   `json:"ok"`
	SessionID         string `json:"sessionId"`
	ContinuationToken string `json:"continuationToken"`
	// Index is the last one whose event was copied.
	Index uint64 `json:"index"`
}

// fork opens a session of the caller's with the history of another one, up to the end
// of the last turn that had ended at an index.
func (c *call) fork() error {
	f, body, err := c.readForm("index")
	if err != nil {
		return err
	}
	f.required("index")
	if err := f.err(); err != nil {
		return err
	}
	raw, _ := f.raw("index")
	n := actors.NewFork{SessionID: c.session.ID, Principal: c.principal}
	if n.Index, err = readIndex(string(raw)); err != nil {
		return err
	}
	if n.Idempotency, err = c.idempotency(body); err != nil {
		return err
	}
	made, err := c.h.host.ForkAs(c.r.Context(), n)
	if err != nil {
		return err
	}
	c.wrote(made.Position)
	return c.reply(http.StatusAccepted, forkReply{
		OK: true, SessionID: made.SessionID, ContinuationToken: c.h.host.Token(made.SessionID, made.FollowUps), Index: made.Index,
	})
}

// readIndex reads the index of an event.
func readIndex(text string) (uint64, error) {
	n, ok := plainInteger(text)
	if !ok {
		return 0, refuse("invalid_index", "index must be one plain non-negative integer: that of an event of the session")
	}
	return n, nil
}
