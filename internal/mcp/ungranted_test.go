package mcp

import (
	"errors"
	"net/http"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// needed is what an Authorizer says where nobody has authorized a connection.
type needed struct{ error }

func (needed) NeedsGrant() {}

// A gate refuses all requests of one try to open a connection, and says so of the
// first, which waits until that was heard.
type gate struct {
	once    sync.Once
	refuses chan chan struct{}
}

// RoundTripper is Authorizer's.
func (g *gate) RoundTripper(http.RoundTripper) http.RoundTripper { return g }

// RoundTrip is http.RoundTripper's.
func (g *gate) RoundTrip(*http.Request) (*http.Response, error) {
	g.once.Do(func() {
		if g.refuses != nil {
			heard := make(chan struct{})
			g.refuses <- heard
			<-heard
		}
	})
	return nil, needed{errors.New("nobody has authorized it")}
}

// open lets requests through.
type open struct{}

func (open) RoundTripper(next http.RoundTripper) http.RoundTripper { return next }

// newGated has a connection that is opened with one of the authorizers after the other.
func newGated(t *testing.T, optional bool, tries ...Authorizer) *Pool {
	t.Helper()
	c := remote(t, "door", streamable(newServerOf(t1, t2)))
	c.OAuth, c.Advertise, c.Optional = &agent.OAuth{}, true, optional
	p, _ := newPool(t, &Options{Authorize: func(*agent.Connection) (Authorizer, error) {
		now := tries[0]
		tries = tries[min(1, len(tries)-1):]
		return now, nil
	}}, c)
	return p
}

// A refusal from before somebody authorized the connection says nothing of now.
func TestPool_GrantedMeanwhile(t *testing.T) {
	t.Parallel()
	g := &gate{refuses: make(chan chan struct{})}
	p := newGated(t, false, g, open{})
	done := make(chan error, 1)
	go func() {
		_, err := calls(t, p, "door", "echo", `{"n":1}`)
		done <- err
	}()
	heard := <-g.refuses
	p.Retry("door")
	close(heard)
	if err := <-done; err != nil {
		t.Errorf("the call fails: %v", err)
	}
}

// "where nobody can act it fails with `Reconnect <connection>`; an optional one is skipped"
func TestPool_Ungranted(t *testing.T) {
	t.Parallel()
	for _, optional := range []bool{false, true} {
		p := newGated(t, optional, &gate{})
		_, err := calls(t, p, "door", "echo", `{"n":1}`)
		if err == nil || err.Error() != "Reconnect door" {
			t.Errorf("the call fails with %v", err)
		}
		asks := p.Ungranted(err) != nil && p.Lacking("door__echo") != nil && len(p.Authorizers()) == 1
		skips := p.Ungranted(err) == nil && p.Lacking("door__echo") == nil && len(p.Authorizers()) == 0
		if optional && !skips || !optional && !asks {
			t.Errorf("optional %v: %v, %v, %v", optional, p.Ungranted(err), p.Lacking("door__echo"), p.Authorizers())
		}
		if p.Lacking("doors__echo") != nil || p.Ungranted(errors.New("Reconnect door")) != nil {
			t.Error("it takes something else for the connection")
		}
	}
}
