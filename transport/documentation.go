package transport

// docsRoutes are those of the documentation. They hold no data of anybody.
func docsRoutes() []route {
	return []route{
		{method: "GET", path: "/docs", access: public, serve: (*call).docs, about: "Shows the documentation"},
		{method: "GET", path: "/docs/", access: public, serve: (*call).docs, about: "Shows the documentation"},
		{method: "GET", path: "/docs/{fileName}", access: public, serve: (*call).docs, about: "Shows a page of the documentation, also as Markdown with .md behind its name"},
		{method: "GET", path: "/docs/assets/{fileName}", access: public, serve: (*call).docs, about: "Gives the documentation's script and style"},
	}
}

// docs lets the site answer.
func (c *call) docs() error {
	if c.unread() {
		c.partly()
	}
	c.extend()
	c.sent = true
	c.h.o.Docs.ServeHTTP(c.w, c.r)
	return nil
}
