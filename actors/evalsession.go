package actors

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gobdk/bdk/events"
)

// evalChannel is the channel of sessions that evals open: each is of use only as long as
// the one who opened it waits for it.
const evalChannel = "eval"

// checkEval says which of the fields for evals cannot be honoured.
func (h *Host) checkEval(ctx context.Context, s *NewSession) error {
	if s.WorkspaceDir == "" && len(s.Stubs) == 0 && s.Model == "" {
		return nil
	}
	if s.Purpose != events.PurposeEval {
		return &FieldError{Field: s.evalField(), Reason: "it is for sessions of evals alone: set purpose to eval, or leave it out"}
	}
	if err := s.checkFolder(); err != nil {
		return err
	}
	return h.checkStubs(ctx, s)
}

// evalField is the first field that evals alone have.
func (s *NewSession) evalField() string {
	switch {
	case s.WorkspaceDir != "":
		return "workspaceDir"
	case len(s.Stubs) > 0:
		return "stubs"
	}
	return "model"
}

func (s *NewSession) checkFolder() error {
	if s.WorkspaceDir == "" {
		return nil
	}
	if !filepath.IsAbs(s.WorkspaceDir) {
		return &FieldError{Field: "workspaceDir", Reason: fmt.Sprintf("%q is relative: give an absolute path", s.WorkspaceDir)}
	}
	s.WorkspaceDir = filepath.Clean(s.WorkspaceDir)
	info, err := os.Stat(s.WorkspaceDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &FieldError{Field: "workspaceDir", Reason: s.WorkspaceDir + " is not there: make the folder first"}
	case err != nil:
		return &FieldError{Field: "workspaceDir", Reason: err.Error()}
	case !info.IsDir():
		return &FieldError{Field: "workspaceDir", Reason: s.WorkspaceDir + " is no folder"}
	}
	return nil
}

// checkStubs finds the tools that are to be stubbed; connections are asked for theirs.
func (h *Host) checkStubs(ctx context.Context, s *NewSession) error {
	if len(s.Stubs) == 0 {
		return nil
	}
	r := h.agents.take(s.Agent)
	if r == nil {
		return ErrUnknownAgent
	}
	defer r.release()
	for _, name := range slices.Sorted(maps.Keys(s.Stubs)) {
		t := r.find(ctx, name)
		switch {
		case t == nil:
			return &FieldError{Field: "stubs", Reason: r.missing(name, r.stubbable())}
		case r.delegates(t):
			return &FieldError{Field: "stubs", Reason: name + " cannot be stubbed: it delegates to a subagent, whose own tools can be"}
		case s.Stubs[name] == nil:
			return &FieldError{Field: "stubs", Reason: "the stub of " + name + " is nil"}
		}
	}
	return nil
}

// stubbable are the names of the tools that a stub can take the place of.
func (r *agentRuntime) stubbable() []string {
	return slices.DeleteFunc(r.names(), func(name string) bool { return r.delegates(r.Tool(name)) })
}
