package actors

import (
	"sync"

	"github.com/gobdk/bdk/actors/agent"
)

// stubs are the functions that answer in the place of tools, by session. It is safe for
// concurrent use; the zero value is ready.
type stubs struct {
	mu        sync.Mutex
	bySession map[string]map[string]agent.Stub
}

func (s *stubs) keep(sessionID string, all map[string]agent.Stub) {
	if len(all) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bySession == nil {
		s.bySession = map[string]map[string]agent.Stub{}
	}
	s.bySession[sessionID] = all
}

func (s *stubs) of(sessionID, tool string) agent.Stub {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bySession[sessionID][tool]
}

func (s *stubs) free(sessionID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bySession, sessionID)
}

// FreeStubs lets go of the functions of NewSession.Stubs of a session, after which calls
// of those tools fail. A call that runs goes on. Without any it does nothing.
func (h *Host) FreeStubs(sessionID string) { h.stubs.free(sessionID) }
