package mcp

import "time"

// Retry forgets what kept a connection from opening, so that the next use tries at
// once: for who has just mended it. What its server lists is asked for again.
func (p *Pool) Retry(connection string) {
	c := p.clients[connection]
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mended++
	c.failures, c.next, c.err = 0, time.Time{}, nil
	c.failed, c.misses, c.slow, c.stale = nil, 0, nil, true
}
