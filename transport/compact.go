package transport

import "net/http"

type compactReply struct {
	OK        bool   `json:"ok"`
	SessionID string `json:"sessionId"`
	Compacted bool   `json:"compacted"`
	// Message says why the context stays as it is.
	Message      string `json:"message,omitempty"`
	TokensBefore int64  `json:"tokensBefore,omitempty"`
	TokensAfter  int64  `json:"tokensAfter,omitempty"`
}

// compact sums up the context of an idle session, and answers when that is recorded.
func (c *call) compact() error {
	if _, _, err := c.readForm(); err != nil {
		return err
	}
	d, err := c.h.host.Compact(c.r.Context(), c.session.ID)
	if err != nil {
		return err
	}
	c.wrote(d.Position)
	return c.reply(http.StatusOK, compactReply{OK: true, SessionID: c.session.ID, Compacted: d.Compacted, Message: d.Message,
		TokensBefore: d.TokensBefore, TokensAfter: d.TokensAfter})
}
