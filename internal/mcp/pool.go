package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/redact"
)

// ErrClosed is what a closed pool answers.
var ErrClosed = errors.New("mcp: the connections of the agent are closed")

// A Pool is the clients of an agent's connections. It is safe for concurrent use.
// Nothing is opened before it is used.
type Pool struct {
	o       Options
	clients map[string]*client
	names   []string // of all connections, sorted
	secrets *redact.Redactor
	found   findings

	// life ends with the pool; work are the goroutines that it started.
	life    context.Context
	end     context.CancelFunc
	work    sync.WaitGroup
	closing sync.Once
}

// New makes a pool. It opens nothing.
func New(o *Options) *Pool {
	p := &Pool{o: *o, clients: map[string]*client{}}
	p.o.EnsureDefaults()
	p.secrets = redact.New(redact.SecretsOf(p.o.Environ)...)
	p.life, p.end = context.WithCancel(context.Background())
	for _, c := range p.o.Connections {
		p.secrets.Add(c.Secrets...)
		if c.OAuth != nil {
			p.secrets.Add(c.OAuth.ClientSecret)
		}
		one := &client{p: p, c: c}
		if c.Agent != "" && p.o.Peers != nil {
			one.known = p.take(c, peerTools)
		}
		p.clients[c.Name] = one
		p.names = append(p.names, c.Name)
	}
	slices.Sort(p.names)
	return p
}

// Close ends all calls and clients, and waits for them. It is idempotent.
func (p *Pool) Close() {
	p.closing.Do(func() {
		p.end()
		var all sync.WaitGroup
		for _, c := range p.clients {
			all.Go(c.shut)
		}
		all.Wait()
	})
	p.work.Wait()
}

// Names are those of all connections, sorted.
func (p *Pool) Names() []string { return slices.Clone(p.names) }

// Connection gives a connection, nil when there is none of the name.
func (p *Pool) Connection(name string) *agent.Connection {
	if c := p.clients[name]; c != nil {
		return c.c
	}
	return nil
}

// client finds a connection's client.
func (p *Pool) client(name string) (*client, error) {
	if c := p.clients[name]; c != nil {
		return c, nil
	}
	if len(p.names) == 0 {
		return nil, fmt.Errorf("no connection is called %q; there are none", cut(name, 80))
	}
	return nil, fmt.Errorf("no connection is called %q; there are: %s", cut(name, 80), strings.Join(p.names, ", "))
}

// clean is an error as it may be shown, without secrets: what was being done, and why
// it failed. One that is clean already says that itself.
func (p *Pool) clean(c *agent.Connection, doing string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	var needed interface {
		error
		NeedsGrant()
	}
	if errors.As(err, &needed) {
		return &Error{Connection: c.Name, Reason: "nobody has authorized it", Ungranted: true, cause: err}
	}
	text := err.Error()
	var sent *url.Error
	if errors.As(err, &sent) { // the SDK has said more than helps
		text = sent.Err.Error()
	}
	return &Error{Connection: c.Name, Reason: cut(p.secrets.Text(doing+text), 1<<10), cause: err}
}

// An Error says why a connection could not be used.
type Error struct {
	Connection string
	// Reason is a text for people, without secrets.
	Reason string
	// Ungranted says that somebody must authorize the connection first. Whatever was to
	// be done was not.
	Ungranted bool
	cause     error
}

// Error is a sentence.
func (e *Error) Error() string {
	if e.Ungranted {
		return "Reconnect " + e.Connection
	}
	return "connection " + e.Connection + ": " + e.Reason
}

// Unwrap gives what was behind it.
func (e *Error) Unwrap() error { return e.cause }
