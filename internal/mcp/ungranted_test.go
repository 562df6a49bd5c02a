package mcp

import (
	"errors"
	"net/http"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// needed is what an Authorizer says where nobody has authorized a connection.
type needed struct{ error }

func (needed) NeedsGrant() {}

// A gate lets requests through when somebody has authorized the connection. Each one
// that it refuses says so, and waits until that was heard.
type gate struct {
	open    chan struct{}
	refuses chan chan struct{}
	next    http.RoundTripper
}

func (g *gate) RoundTripper(next http.RoundTripper) http.RoundTripper {
	g.next = next
	return g
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-g.open:
		return g.next.RoundTrip(r)
	default:
	}
	heard := make(chan struct{})
	g.refuses <- heard
	<-heard
	return nil, needed{errors.New("nobody has authorized it")}
}

func newGated(t *testing.T, optional bool) (*Pool, *gate) {
	t.Helper()
	g := &gate{open: make(chan struct{}), refuses: make(chan chan struct{})}
	c := remote(t, "door", streamable(newServerOf(t1, t2)))
	c.OAuth, c.Advertise, c.Optional = &agent.OAuth{}, true, optional
	p, _ := newPool(t, &Options{Authorize: func(*agent.Connection) (Authorizer, error) { return g, nil }}, c)
	return p, g
}

// A refusal from before somebody authorized the connection says nothing of now.
func TestPool_GrantedMeanwhile(t *testing.T) {
	t.Parallel()
	p, g := newGated(t, false)
	done := make(chan error, 1)
	go func() {
		_, err := calls(t, p, "door", "echo", `{"n":1}`)
		done <- err
	}()
	heard := <-g.refuses
	close(g.open)
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
		p, g := newGated(t, optional)
		go func() {
			for heard := range g.refuses {
				close(heard)
			}
		}()
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
		p.Close()
		close(g.refuses)
	}
}
