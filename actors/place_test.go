package actors

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "later turns wait, in order": places are bounded for the host and for an agent,
// none is lost, and the first in line that fits is served first.
func TestPlaces_RandomUse(t *testing.T) {
	t.Parallel()
	p := newPlaces(&Options{MaxRunningTurns: 3, Agents: []*agent.Agent{{Slug: "a", Concurrency: agent.Concurrency{MaxRunningTurns: 2}}, {Slug: "b"}}})
	r := rand.New(rand.NewPCG(1, 2))
	held := map[string]int{}
	var waiting []*ticket
	var granted []*ticket
	for i := range 5000 {
		agent := []string{"a", "b"}[r.IntN(2)]
		switch r.IntN(4) {
		case 0:
			if p.try(agent) {
				held[agent]++
			}
		case 1:
			waiting = append(waiting, p.wait(agent, func(tk *ticket) { granted = append(granted, tk) }))
		case 2:
			if held[agent] > 0 {
				held[agent]--
				p.release(agent)
			}
		default:
			if len(waiting) > 0 {
				k := r.IntN(len(waiting))
				p.drop(waiting[k])
				waiting = append(waiting[:k], waiting[k+1:]...)
			}
		}
		for _, tk := range granted {
			if p.take(tk) {
				held[tk.agent]++
			}
		}
		granted = nil
		if held["a"] > 2 || held["a"]+held["b"] > 3 {
			t.Fatal(fmt.Sprint("step ", i, ": too many places are held: ", held))
		}
	}
	for agent, n := range held {
		for range n {
			p.release(agent)
		}
	}
	for _, tk := range waiting {
		p.drop(tk)
	}
	if p.host != 3 || len(p.used) != 0 {
		t.Errorf("places were lost: host %d of 3, used %v", p.host, p.used)
	}
}

// Turns that run when the bounds change keep their places; a narrower bound holds
// for those that come, and a wider one lets waiting turns in at once.
func TestPlaces_Resize(t *testing.T) {
	t.Parallel()
	bound := func(n int) []*agent.Agent {
		return []*agent.Agent{{Slug: "a", Concurrency: agent.Concurrency{MaxRunningTurns: n}}}
	}
	p := newPlaces(&Options{Agents: bound(2)})
	for range 2 {
		if !p.try("a") {
			t.Fatal("a place of two is not free")
		}
	}
	p.resize(bound(1))
	if p.release("a"); p.try("a") {
		t.Error("one of one place is held, and another was given")
	}
	granted := make(chan *ticket, 1)
	p.wait("a", func(tk *ticket) { granted <- tk })
	p.resize(bound(2))
	select {
	case tk := <-granted:
		if !p.take(tk) {
			t.Error("the place cannot be taken")
		}
	default:
		t.Fatal("a wider bound did not let the waiting turn in")
	}
	p.resize(bound(0))
	if !p.unbounded.Load() {
		t.Error("without a bound turns still wait")
	}
	p.release("a")
	p.release("a")
	if len(p.used) != 0 {
		t.Errorf("places are still held: %v", p.used)
	}
}
