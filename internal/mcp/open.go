package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/actors/agent"
)

// A line is an open client, of a server or of a peer.
type line interface {
	// list gives the array of tools as the server sent it, page after page.
	list(ctx context.Context) ([]toolRaw, error)
	call(ctx context.Context, who Caller, tool string, args []byte) ([]byte, error)
	read(ctx context.Context, uri string) ([]byte, error)
	// over is closed when the server is gone.
	over() <-chan struct{}
	// close ends it, and waits for the end.
	close()
}

// errNoServer says that the connection has none of url, command and agent.
var errNoServer = errors.New("it has no url, no command and no agent")

// open opens a client. changed is called when the server says that its tools are others.
func (p *Pool) open(ctx context.Context, c *agent.Connection, changed func()) (line, error) {
	switch {
	case c.Agent != "":
		return p.openPeer(c)
	case c.Command != "":
		return p.openStdio(ctx, c, changed)
	case c.URL != "":
		return p.openHTTP(ctx, c)
	}
	return nil, errNoServer
}

// sdkClient makes the SDK's side: it offers nothing that a server could ask for.
func (p *Pool) sdkClient(changed func()) *sdk.Client {
	o := &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}
	if changed != nil {
		o.ToolListChangedHandler = func(context.Context, *sdk.ToolListChangedRequest) { changed() }
	}
	return sdk.NewClient(&sdk.Implementation{Name: "bdk", Version: p.o.Version}, o)
}

func (p *Pool) openStdio(ctx context.Context, c *agent.Connection, changed func()) (line, error) {
	s, err := p.start(c)
	if err != nil {
		return nil, err
	}
	lines := newFilter(s.out, asLines)
	t := &sdk.IOTransport{Reader: output{lines}, Writer: input{s}, MaxLineLength: -1}
	session, err := p.connect(ctx, t, "", changed, func() { _ = s.Close() })
	if err != nil {
		_ = s.Close()
		return nil, unspoken(err, lines.ended.Load())
	}
	return newServer(session, func() { _ = s.Close() }), nil
}

// unspoken says why nothing was spoken over stdio: the SDK says that it is over.
func unspoken(err error, ended bool) error {
	switch {
	case !errors.Is(err, sdk.ErrConnectionClosed):
		return err
	case ended:
		return errors.New("its command ended before it answered: what it wrote to standard error is in the host's log")
	}
	return errors.New("its command does not speak the protocol: on standard output there is something else")
}

// olderVersion is the newest revision whose clients begin by initialize: a server
// may not bear to be asked in another way.
const olderVersion = "2025-11-25"

// openHTTP speaks streamable HTTP, and the older transport where the server knows
// that one alone.
func (p *Pool) openHTTP(ctx context.Context, c *agent.Connection) (line, error) {
	life, end := context.WithCancel(context.Background())
	r, err := p.newRoad(life, c)
	if err != nil {
		end()
		return nil, err
	}
	session, err := p.speak(ctx, c, r, end)
	if err != nil {
		end()
		r.close()
		return nil, statusText(err, int(r.status.Load()))
	}
	return newServer(session, func() { end(); r.close() }), nil
}

// speak tries the ways of speaking over HTTP, the newest first. The error is the first one.
func (p *Pool) speak(ctx context.Context, c *agent.Connection, r *road, abandon func()) (*sdk.ClientSession, error) {
	streamable := func() sdk.Transport {
		return &sdk.StreamableClientTransport{Endpoint: c.URL, HTTPClient: r.client(), MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: -1}
	}
	session, first := p.connect(ctx, streamable(), "", nil, abandon)
	if first == nil || ctx.Err() != nil || r.answers() == 0 || r.refuses() {
		return session, first
	}
	if r.isOlder() {
		session, err := p.connect(ctx, &sdk.SSEClientTransport{Endpoint: c.URL, HTTPClient: r.client(), MaxEventSize: -1}, "", nil, abandon)
		if err == nil {
			return session, nil
		}
	}
	if session, err := p.connect(ctx, streamable(), olderVersion, nil, abandon); err == nil {
		return session, nil
	}
	return nil, first
}

// connect waits no longer than ctx, whatever the server does; abandon ends what is
// still under way then.
func (p *Pool) connect(ctx context.Context, t sdk.Transport, version string, changed, abandon func()) (*sdk.ClientSession, error) {
	type opened struct {
		session *sdk.ClientSession
		err     error
	}
	out := make(chan opened, 1)
	p.work.Go(func() {
		session, err := p.sdkClient(changed).Connect(context.WithoutCancel(ctx), t, &sdk.ClientSessionOptions{ProtocolVersion: version})
		out <- opened{session, err}
	})
	select {
	case o := <-out:
		return o.session, o.err
	case <-ctx.Done():
	}
	abandon()
	p.work.Go(func() {
		if o := <-out; o.session != nil {
			_ = o.session.Close()
		}
	})
	return nil, context.Cause(ctx)
}

// A server is a line to an MCP server.
type server struct {
	session *sdk.ClientSession
	end     func()
	gone    chan struct{}
	// life ends every call under way when the line is closed.
	life    context.Context
	cancel  context.CancelFunc
	closing sync.Once
}

func newServer(session *sdk.ClientSession, end func()) *server {
	s := &server{session: session, end: end, gone: make(chan struct{})}
	s.life, s.cancel = context.WithCancel(context.Background())
	go func() { defer close(s.gone); _ = session.Wait() }()
	return s
}

func (s *server) over() <-chan struct{} { return s.gone }

func (s *server) close() {
	s.closing.Do(func() {
		s.cancel()
		closed := make(chan struct{})
		go func() { defer close(closed); _ = s.session.Close() }()
		timer := time.NewTimer(endGrace) // a server may be told, and need not hear it
		defer timer.Stop()
		select {
		case <-closed:
		case <-timer.C:
		}
		s.end()
		<-closed
	})
	<-s.gone
}
