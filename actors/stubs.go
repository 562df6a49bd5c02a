package actors

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
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
	s.bySession[sessionID] = maps.Clone(all)
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

// errNoStub is what a call meets whose stub is gone.
var errNoStub = errors.New("the tool is stubbed in this session, and the stub ended with the eval that gave it: the tool itself is not run")

// stubbed says whether a stub answers for a tool of the session.
func (j *job) stubbed(tool string) bool { return slices.Contains(j.start.Stubs, tool) }

// runStub lets a stub answer. Its result is held against the same bounds as a tool's.
func (j *job) runStub(ctx context.Context, t *agent.Tool, c *agent.Call) *session.ToolDone {
	out, err := json.RawMessage(nil), errNoStub
	if stub := j.h.stubs.of(j.info.ID, t.Name); stub != nil {
		out, err = stub(ctx, c)
	}
	done, _ := j.ended(ctx, t, c, agent.Result{Output: out}, err)
	done.Stubbed = true
	return done
}
