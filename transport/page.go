package transport

import (
	"encoding/json"
	"net/http"
)

// A Playground is the page in which people look at an agent: package transport/playground
// has one. It is safe for concurrent use.
type Playground interface {
	// Page gives the HTML of an agent's page, whose routes begin with the path base. Docs
	// is where the host serves documentation, empty where it serves none.
	Page(base, title, docs string) ([]byte, error)
	// Asset gives a file that the page loads, by its name, and its media type. A name
	// always stands for the same bytes.
	Asset(name string) (body []byte, mediaType string, ok bool, err error)
	// Policy is the Content-Security-Policy of the page.
	Policy() string
}

// playgroundRoutes are the page's. They hold no data of anybody.
func playgroundRoutes() []route {
	return []route{
		{method: "GET", path: "/playground", access: public, serve: (*call).playground, about: "Shows the playground"},
		{method: "GET", path: "/playground/assets/{fileName}", access: public, serve: (*call).asset, about: "Gives the playground's script and style"},
	}
}

// playground shows the page. What it shows it asks the API for, as the person who looks.
func (c *call) playground() error {
	page, err := c.h.o.Playground.Page(c.prefix(), nameOf(c.agent), c.h.o.docsPath())
	if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Content-Security-Policy", c.h.o.Playground.Policy())
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.send(http.StatusOK, []string{"text/html; charset=utf-8"}, page)
	return nil
}

// asset gives a file, which its reader may keep for good: its name changes with it.
func (c *call) asset() error {
	body, mediaType, ok, err := c.h.o.Playground.Asset(c.vars["fileName"])
	if err != nil {
		return err
	}
	if !ok {
		return refuse("not_found", "the playground has no such file")
	}
	h := c.w.Header()
	h.Set("Content-Type", mediaType)
	h["X-Content-Type-Options"] = noSniff
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.begin(http.StatusOK)
	_, _ = c.w.Write(body)
	return nil
}

// playgroundField is the last field of an object about the session: where to look at it.
func (c *call) playgroundField() string {
	url := c.playgroundURL(c.agent.Slug, c.session.ID)
	if url == "" {
		return ""
	}
	text, _ := json.Marshal(url) // a text has no fault
	return `,"playgroundUrl":` + string(text)
}

// docsPath is where the documentation is served, empty where none is.
func (o *Options) docsPath() string {
	if o.Docs == nil {
		return ""
	}
	return "/docs"
}

// hides says that a page of the documentation stands where the agent's playground would:
// agents that are made in Go may have the slug docs.
func (o *Options) hides(slug string) bool {
	return slug == "docs" && o.Docs != nil && o.Mode == ModeMulti
}

// prefix is the path that the agent's routes begin with: empty in single mode.
func (c *call) prefix() string {
	if c.h.o.Mode == ModeSingle {
		return ""
	}
	return "/" + c.agent.Slug
}

// playgroundURL is where people look at a session, or, with an empty id, at an agent;
// empty where there is no playground.
func (c *call) playgroundURL(slug, sessionID string) string {
	if c.h.o.Playground == nil || c.h.o.hides(slug) {
		return ""
	}
	url := c.base(slug) + "/playground"
	if sessionID != "" {
		url += "#/chat/" + sessionID
	}
	return url
}
