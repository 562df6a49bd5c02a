package journal

import "sync"

// A gate counts who is inside and lets nobody in once it is shut.
type gate struct {
	mu     sync.Mutex
	inside int
	shut   bool
	empty  chan struct{} // closed when the last one leaves a shut gate

}

// enter says whether the caller is inside; then it must leave.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return false
	}
	g.inside++
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside--; g.inside == 0 && g.shut {
		close(g.empty)
	}
}

// close shuts the gate and waits until nobody is inside. Only one may call it.
func (g *gate) close() {
	g.mu.Lock()
	g.shut = true
	g.empty = make(chan struct{})
	if g.inside == 0 {
		close(g.empty)
	}
	g.mu.Unlock()
	<-g.empty
}
