package transport

import "net/http"

type healthReply struct {
	OK      bool   `json:"ok"`
	Status  string `json:"status"`
	Version string `json:"version"`
	Error   string `json:"error,omitempty"`
}

// health says whether the host lives, and nothing of any session.
func (c *call) health() error {
	reply := healthReply{OK: true, Status: "ok", Version: c.h.o.Version}
	switch {
	case c.h.host.Draining():
		reply.OK, reply.Status, reply.Error = false, "draining", "draining"
		return c.reply(http.StatusServiceUnavailable, reply)
	case c.h.host.Degraded():
		reply.Status = "degraded"
	}
	return c.reply(http.StatusOK, reply)
}
