package transport

import (
	"encoding/json"
	"net/http"

	"github.com/gobdk/bdk/transport/markdown"
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
	page, err := c.h.o.Playground.Page(c.prefix(), c.pageTitle(), c.h.o.docsPath())
	if err != nil {
		return err
	}
	c.page(http.StatusOK, c.h.o.Playground.Policy(), page)
	return nil
}

// pageTitle is the agent's name for those who need no token to be told of it. For others the
// page finds it out with theirs.
func (c *call) pageTitle() string {
	chain := c.h.chain
	if c.agent.Auth != nil {
		chain = c.h.mounts.agent(c.agent).chain
	}
	if !chain.open(c.r) {
		return "Playground"
	}
	return markdown.Visible(nameOf(c.agent))
}

var htmlType = []string{"text/html; charset=utf-8"}

// page sends a page: no other site may frame it, hold on to its window, or be told where its
// reader came from.
func (c *call) page(status int, policy string, html []byte) {
	h := c.w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.send(status, htmlType, html)
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
	h["Cross-Origin-Resource-Policy"] = ownPages
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
