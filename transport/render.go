package transport

import (
	"net/http"

	"github.com/gobdk/bdk/transport/markdown"
)

// rendersAtOnce is how many texts are read at once. One that is built to be slow keeps a
// processor busy for a second, so that a few callers could leave none for the others.
const rendersAtOnce = 2

type renderReply struct {
	OK    bool            `json:"ok"`
	Nodes []markdown.Node `json:"nodes"`
}

// render reads Markdown for the page, which makes elements of the tree: no markup goes
// from a model to a browser.
func (c *call) render() error {
	f, _, err := c.readForm("markdown")
	if err != nil {
		return err
	}
	f.required("markdown")
	source, _ := f.text("markdown")
	if err := f.err(); err != nil {
		return err
	}
	nodes, err := c.tree(source)
	if err != nil {
		return err
	}
	return c.reply(http.StatusOK, renderReply{OK: true, Nodes: nodes})
}

// tree waits for its turn; a caller that goes away gives it up.
func (c *call) tree(source string) ([]markdown.Node, error) {
	select {
	case c.h.renders <- struct{}{}:
		defer func() { <-c.h.renders }()
		return markdown.Tree(source), nil
	case <-c.r.Context().Done():
		return nil, c.r.Context().Err()
	}
}
