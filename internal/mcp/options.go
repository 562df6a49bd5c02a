package mcp

import (
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/clock"
)

// Options of a Pool. Connections may be empty; the rest has defaults.
type Options struct {
	// Agent is the slug of the agent whose connections these are.
	Agent string
	// Dir is the absolute path of its project; empty: the folder of the process.
	Dir         string
	Connections []*agent.Connection
	// Taken are names of tools that no connection can have.
	Taken []string
	// Environ is the environment of the process, "NAME=value": a server that is started
	// sees PATH, HOME and LANG of it.
	Environ []string
	// Pins keep the definitions of tools over restarts; nil: for the life of the pool.
	Pins Pins
	// Peers reach other agents of the host; nil: there are none.
	Peers Peers
	// Authorize gives what obtains tokens for a connection with OAuth; nil: such a
	// connection is refused when it opens.
	Authorize func(c *agent.Connection) (Authorizer, error)
	// Version of the program, told to servers.
	Version string
	// OpenWithin bounds the opening of a client, and the listing of its tools. Defaults to 20 s.
	OpenWithin time.Duration
	// IdleAfter is when a client that nobody uses closes. Defaults to 5 minutes.
	IdleAfter time.Duration
	// FreshFor is how long a list of tools is taken for the newest. Defaults to 1 minute.
	FreshFor time.Duration
	// Clock defaults to the machine's.
	Clock  clock.Clock
	Logger zerolog.Logger
}

// EnsureDefaults fills what was left out.
func (o *Options) EnsureDefaults() {
	if o.Pins == nil {
		o.Pins = newMemoryPins()
	}
	if o.Version == "" {
		o.Version = "0"
	}
	if o.OpenWithin <= 0 {
		o.OpenWithin = 20 * time.Second
	}
	if o.IdleAfter <= 0 {
		o.IdleAfter = 5 * time.Minute
	}
	if o.FreshFor <= 0 {
		o.FreshFor = time.Minute
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
}

// An Authorizer proves to a server who calls.
type Authorizer interface {
	// RoundTripper sends requests to the server's own address through next, with what
	// proves it. It obtains and renews tokens by itself. An error with a method
	// NeedsGrant() says that a person must authorize the connection first.
	RoundTripper(next http.RoundTripper) http.RoundTripper
}
