package transport

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
)

// findChannel finds the channel and its route that the path names.
func (c *call) findChannel() error {
	if c.port = c.h.host.Channel(c.agent.Slug, c.vars["channelId"]); c.port == nil {
		return refuse("not_found", "this agent has no such channel")
	}
	ch := c.h.mounts.channel(c.agent.Slug, c.port.Definition())
	at := ch.find(c.vars[channelRest], c.r.Method)
	if path, slash := strings.CutSuffix(c.r.URL.EscapedPath(), "/"); slash && !strings.HasSuffix(path, "/") {
		at = found{} // also where nothing stands before it
		if ch.find(strings.TrimSuffix(c.vars[channelRest], "/"), c.r.Method).allow != "" {
			return refuse("not_found", "this channel has no such path, and has "+path+", without the slash at its end")
		}
	}
	if at.allow == "" {
		return refuse("not_found", "this channel has no such path")
	}
	if at.route == nil {
		c.take(nil, at.allow)
		return nil
	}
	c.mounted, c.vars = at.route, at.params
	c.take(&at.route.route, at.allow)
	return nil
}

func (c *call) closePort() {
	if c.port != nil {
		c.port.Close()
	}
}

// channel lets a channel's route answer. Verifying, parsing and recording the request
// are the host's; here its bytes are read, whole, and its answer is sent.
func (c *call) channel() error {
	r, err := c.channelRequest()
	if err != nil {
		return err
	}
	res, err := c.port.Handle(c.r.Context(), c.mounted.authors, r)
	if errors.Is(err, actors.ErrTooManyMessages) && !errors.Is(err, actors.ErrHandlerFailed) {
		return refuse("too_many_messages", "too many requests wait for their handlers")
	}
	if err != nil {
		return err
	}
	if res == nil {
		res = &agent.Response{Status: http.StatusNoContent}
	}
	return c.answer(res)
}

// channelRequest is the request in the author's form.
func (c *call) channelRequest() (*agent.Request, error) {
	query, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return nil, refuse("invalid_query", "the query string cannot be read")
	}
	r := authorsRequest(c.r)
	r.Principal, r.Params, r.Query = c.principal, c.vars, query
	if c.route.changes() {
		r.Body, err = c.readRaw()
	}
	return r, err
}

// readRaw takes the body as it is. A route that has a schema for it takes JSON alone,
// which no page can send elsewhere without being asked; others take any type, as
// webhooks have theirs.
func (c *call) readRaw() ([]byte, error) {
	check := checkEncoding
	if c.mounted.authors.BodySchema != nil {
		check = checkJSONType
	}
	body, err := c.readTyped(c.h.o.Limits.BodyBytes, check)
	if depth := c.h.o.Limits.JSONDepth; err == nil && isJSONType(c.r.Header) && tooDeep(body, depth) {
		at := agent.Issue{Message: fmt.Sprintf("more than %d levels of objects and arrays", depth)}
		return nil, &problem{code: "invalid_body", message: sentence(at), issues: []agent.Issue{at}}
	}
	return body, err
}

// checkJSONType takes application/json, and types that are JSON by their suffix.
func checkJSONType(h http.Header) error {
	err := checkMediaType(h)
	if err == nil || checkEncoding(h) != nil || len(h["Content-Type"]) != 1 {
		return err
	}
	if name := mediaType(h); strings.HasPrefix(name, "application/") && strings.HasSuffix(name, "+json") {
		return nil
	}
	return err
}

// isJSONType says whether a body is parsed as JSON.
func isJSONType(h http.Header) bool {
	name := mediaType(h)
	return name == "application/json" || strings.HasSuffix(name, "+json")
}

func mediaType(h http.Header) string {
	name, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return name
}

// handlerFault says that an author's code did what cannot be sent.
func handlerFault(text string) error { return errors.Join(actors.ErrHandlerFailed, errors.New(text)) }
