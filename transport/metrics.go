package transport

// metrics gives the host's measurements as text.
func (c *call) metrics() error {
	if c.h.o.Metrics == nil {
		return refuse("not_found", "there are no metrics: start the host with --metrics")
	}
	h := c.w.Header()
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	h["Cross-Origin-Resource-Policy"] = ownPages
	if c.unread() {
		c.partly()
	}
	c.extend()
	c.sent = true
	c.h.o.Metrics.ServeHTTP(c.w, c.r)
	return nil
}
