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

// docsRest is every other path below: the site says that there is no such page. It comes
// after the routes of agents, since one that was made in Go may be called docs.
func docsRest() route {
	return route{method: "GET", path: "/docs/{docsPath}", access: public, serve: (*call).docs, about: "Says that the documentation has no such page"}
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
