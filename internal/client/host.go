package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// An Agent is one entry of the host's index.
type Agent struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url"`
}

// Agents lists what the host serves. A host without an index answers not_found.
func (c *Client) Agents(ctx context.Context) ([]Agent, error) {
	var out struct{ Agents []Agent }
	err := c.call(ctx, request{method: http.MethodGet, path: "/v1/agents"}, &out)
	return out.Agents, err
}

// A LogLine is one line of the host's log.
type LogLine struct {
	N       uint64         `json:"n"`
	At      time.Time      `json:"at"`
	Level   string         `json:"level"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"`
}

// Logs gives the lines numbered above after, and the number to ask after next.
func (c *Client) Logs(ctx context.Context, after uint64) ([]LogLine, uint64, error) {
	var out struct {
		Lines []LogLine
		Next  uint64
	}
	q := url.Values{"after": {strconv.FormatUint(after, 10)}}
	err := c.call(ctx, request{method: http.MethodGet, path: "/v1/logs", query: q}, &out)
	return out.Lines, out.Next, err
}

// A URLError says that a text is not the URL of a host.
type URLError struct{ Text string }

// Error shows the text and what it should look like.
func (e *URLError) Error() string {
	return fmt.Sprintf("%q is not the URL of a host: it looks like http://127.0.0.1:3000", e.Text)
}

// A ChoiceError says that a host serves several agents, or not the one that was asked for.
type ChoiceError struct {
	URL string
	// Slug is the one that was asked for, empty when none was.
	Slug  string
	Slugs []string
	// Is is the agent that the URL names, where that is not the one that was asked for.
	Is string
	// Nobody says that the URL names an agent that there is not.
	Nobody bool
}

// Error names the agents to choose from.
func (e *ChoiceError) Error() string {
	if e.Is != "" {
		return fmt.Sprintf("the agent at %s is %q, and not %q: leave out --slug, or name the host alone", e.URL, e.Is, e.Slug)
	}
	if e.Nobody {
		return fmt.Sprintf("there is no agent at %s: name one that the host serves, or the host alone", e.URL)
	}
	if e.Slug != "" && len(e.Slugs) == 0 {
		return fmt.Sprintf("the host at %s has no agent %q", e.URL, e.Slug)
	}
	if e.Slug != "" {
		return fmt.Sprintf("the host at %s has no agent %q: it has %s", e.URL, e.Slug, strings.Join(e.Slugs, ", "))
	}
	if len(e.Slugs) == 0 {
		return fmt.Sprintf("the host at %s does not list its agents: choose one with --slug", e.URL)
	}
	return fmt.Sprintf("the host at %s has several agents: choose one with --slug: %s", e.URL, strings.Join(e.Slugs, ", "))
}

// Discover finds the agents behind a URL, which may be a host's or one agent's.
// A slug narrows to that agent.
func Discover(ctx context.Context, base, slug string, o *Options) ([]*Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &URLError{base}
	}
	direct := New(base, o)
	who, err := direct.whose(ctx)
	switch {
	case err != nil:
		return nil, err
	case who.agent && slug != "" && who.slug != "" && who.slug != slug:
		return nil, &ChoiceError{URL: direct.base, Slug: slug, Is: who.slug}
	case who.agent:
		return []*Client{direct}, nil
	case who.nobody:
		return nil, &ChoiceError{URL: direct.base, Nobody: true}
	}
	if slug != "" {
		c := New(direct.base+"/"+url.PathEscape(slug), o)
		if who, err := c.whose(ctx); err != nil || who.agent {
			return []*Client{c}, err
		}
	}
	agents, err := direct.Agents(ctx)
	if HasCode(err, CodeNotFound) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return chosen(direct, agents, slug, o)
}

// chosen gives a client for each agent of the index.
func chosen(host *Client, agents []Agent, slug string, o *Options) ([]*Client, error) {
	var clients []*Client
	var slugs []string
	for _, a := range agents {
		clients = append(clients, New(host.base+"/"+url.PathEscape(a.Slug), o))
		slugs = append(slugs, a.Slug)
	}
	if slug != "" || len(clients) == 0 {
		return nil, &ChoiceError{URL: host.base, Slug: slug, Slugs: slugs}
	}
	return clients, nil
}

// One gives the only client, or says that a choice is needed.
func One(clients []*Client) (*Client, error) {
	if len(clients) == 1 {
		return clients[0], nil
	}
	choice := &ChoiceError{}
	for _, c := range clients {
		i := strings.LastIndexByte(c.base, '/')
		choice.URL = c.base[:i]
		choice.Slugs = append(choice.Slugs, c.base[i+1:])
	}
	return nil, choice
}

// routesOf says whose routes lie under a base.
type routesOf struct {
	// agent: an agent's, which slug names; empty: it is not told.
	agent bool
	slug  string
	// nobody: an agent's that the host does not serve.
	nobody bool
}

// whose says whether an agent's routes lie under the client's base. A refusal
// for want of a token is a yes: what does not exist is said before that.
func (c *Client) whose(ctx context.Context) (routesOf, error) {
	b, err := c.Info(ctx)
	var answer *Error
	if errors.As(err, &answer) {
		return routesOf{agent: answer.Status != http.StatusNotFound, nobody: answer.Code == CodeUnknownAgent}, nil
	}
	var info struct{ Agent struct{ Slug string } }
	_ = json.Unmarshal(b, &info) // a host that tells something else is taken as it is
	return routesOf{agent: err == nil, slug: info.Agent.Slug}, err
}
