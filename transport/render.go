package transport

import (
	"net/http"

	"github.com/gobdk/bdk/transport/markdown"
)

type renderReply struct {
	OK    bool            `json:"ok"`
	Nodes []markdown.Node `json:"nodes"`
}

// render reads Markdown for the page, which makes elements of the tree: no markup goes
// from a model to a browser.
func (c *call) render() error {
	body, err := c.readBody(c.h.o.Limits.BodyBytes)
	if err != nil {
		return err
	}
	f, err := c.newForm(body, "markdown")
	if err != nil {
		return err
	}
	f.required("markdown")
	source, _ := f.text("markdown")
	if err := f.err(); err != nil {
		return err
	}
	return c.reply(http.StatusOK, renderReply{OK: true, Nodes: markdown.Tree(source)})
}
