package transport

import (
	"context"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

const (
	freeGuesses    = 10 // wrong tokens of a peer before it is slowed down
	firstDelay     = 100 * time.Millisecond
	longestDelay   = 2 * time.Second
	waitersPerPeer = 16               // of a slowed peer; more are refused unheard
	guessMemory    = 10 * time.Minute // after which a peer is forgotten
	maxPeers       = 10_000
)

// guesses counts wrong secrets by peer and slows down who guesses: after ten wrong ones
// each further secret of the peer waits, 100 ms at first, twice as long after each wrong
// one, 2 s at most; ten minutes without one, or a right one, end that. A right secret of
// a slowed peer is admitted after the same wait, so nobody is locked out. Of one peer 16
// requests wait; more are refused unheard. The 10,000 peers of late are remembered.
type guesses struct {
	// slow is how many peers are remembered; while it is 0 nobody takes the lock.
	slow atomic.Int64
	now  func() time.Time
	// free is how many wrong ones of a peer hold nobody up.
	free int

	mu    sync.Mutex
	peers map[string]*peerGuesses
}

type peerGuesses struct {
	wrong   int
	waiting int
	last    time.Time
}

func newGuesses() *guesses {
	return &guesses{now: time.Now, free: freeGuesses, peers: map[string]*peerGuesses{}}
}

// wait holds the caller for as long as its peer's record asks. It gives false
// when the request is not to be heard.
func (g *guesses) wait(ctx context.Context, peer string) bool {
	delay, ok := g.enter(peer)
	if !ok || delay == 0 {
		return ok
	}
	defer g.leave(peer)
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (g *guesses) enter(peer string) (time.Duration, bool) {
	if g.slow.Load() == 0 {
		return 0, true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.peers[peer]
	if p == nil || p.wrong < g.free || g.old(p) {
		return 0, true
	}
	if p.waiting >= waitersPerPeer {
		return 0, false
	}
	p.waiting++
	return min(firstDelay<<min(p.wrong-g.free, 10), longestDelay), true
}

func (g *guesses) leave(peer string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.peers[peer]; p != nil {
		p.waiting--
	}
}

// note records whether a token was right; a right one clears the record.
func (g *guesses) note(peer string, right bool) {
	if right && g.slow.Load() == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	defer func() { g.slow.Store(int64(len(g.peers))) }()
	p := g.peers[peer]
	if right {
		if p != nil {
			p.wrong = 0
			g.forget(peer, p)
		}
		return
	}
	if p != nil && g.old(p) {
		p.wrong = 0
	}
	if p == nil {
		g.makeRoom()
		p = &peerGuesses{}
		g.peers[peer] = p
	}
	p.wrong++
	p.last = g.now()
}

// forget drops a record that nobody waits on.
func (g *guesses) forget(peer string, p *peerGuesses) {
	if p.waiting == 0 {
		delete(g.peers, peer)
	}
}

// old says that the last wrong guess is long ago.
func (g *guesses) old(p *peerGuesses) bool { return g.now().Sub(p.last) > guessMemory }

// makeRoom drops old records, and any when there are still too many.
func (g *guesses) makeRoom() {
	if len(g.peers) < maxPeers {
		return
	}
	for peer, p := range g.peers {
		if g.old(p) {
			g.forget(peer, p)
		}
	}
	for peer, p := range g.peers {
		if len(g.peers) < maxPeers {
			return
		}
		g.forget(peer, p)
	}
}

// peerOf is the peer's address without its port; of IPv6 the network of 64 bits, since
// one machine has all addresses in it.
func peerOf(remote string) string {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	addr := at.Addr().Unmap().WithZone("")
	if addr.Is4() || addr.IsLoopback() {
		return addr.String()
	}
	network, err := addr.Prefix(64)
	if err != nil {
		return addr.String()
	}
	return network.String()
}
