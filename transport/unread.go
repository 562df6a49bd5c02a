package transport

import (
	"io"
	"net/http"
	"time"
)

const (
	// unreadSize is how much of a body that nobody asked for is read all the same.
	unreadSize = 32 << 10
	// unreadTime is how long it is waited for.
	unreadTime = time.Second
)

// unread says that a body is on its way that the route did not take: it was
// refused before, or the route has none.
func (c *call) unread() bool { return c.r.ContentLength != 0 && !c.bodyRead }

// partly prepares a reply to a request whose body is unread. By itself net/http
// would read up to 256 KiB of it, for as long as the client likes, so that the
// connection can be used again; here that holds for a small one of known size.
func (c *call) partly() {
	if c.r.ContentLength > 0 && c.r.ContentLength <= unreadSize && c.r.Header.Get("Expect") == "" {
		c.skim()
	}
	if !c.bodyRead {
		c.w.Header().Set("Connection", "close")
	}
}

// skim reads a little of the body, for a moment.
func (c *call) skim() {
	rc := http.NewResponseController(c.w)
	_ = rc.SetReadDeadline(time.Now().Add(unreadTime)) // a writer without deadlines has none
	_, err := io.CopyN(io.Discard, c.r.Body, unreadSize)
	c.bodyRead = err == io.EOF
	_ = rc.SetReadDeadline(time.Time{})
}

// leave ends a request whose body is unread. The reply goes out first, then a
// little is read, so that a client which is still sending sees it; then no more.
func (c *call) leave() {
	if !c.unread() {
		return
	}
	rc := http.NewResponseController(c.w)
	_ = rc.Flush()
	if c.r.ContentLength < 0 && c.r.Header.Get("Expect") == "" {
		c.skim()
	}
	_ = rc.SetReadDeadline(time.Unix(1, 0))
}
