package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/harness"
	"github.com/gobdk/bdk/internal/workspace"
)

// errNoWorkspace is what a tool meets: it is no fault of the host.
var errNoWorkspace = errors.New(`ctx.workspaceDir is not available: a tool that reads has no workspace outside of a session; call it in one, or make its effect "write"`)

// workspace gives the folder that a call works in: the user's own where the session or
// the agent says so, else the session's, made and filled on first need.
func (j *job) workspace() (string, error) {
	switch {
	case j.dir != "":
		return j.dir, nil
	case j.unbound:
		return "", errNoWorkspace
	}
	if dir := j.userDir(); dir != "" {
		return userFolder(dir)
	}
	return j.h.storage.workspace(j)
}

// userDir is the folder of the user's that the session works in; empty: it has its own.
func (j *job) userDir() string { return cmp.Or(j.start.WorkspaceDir, j.agent.Local.Dir()) }

// userFolder gives a folder of the user's. It is never made, filled or deleted by us.
func userFolder(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%w: %s is no folder", ErrWorkspace, dir)
	}
	return dir, nil
}

// workspace gives a session's folder, made and filled on first need.
func (s *storage) workspace(j *job) (string, error) {
	_, ws, err := s.open()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	dir, err := ws.Dir(j.info.ID, j.seed)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	return dir, nil
}

// temporary gives a folder for one unbound call; remove deletes it.
func (s *storage) temporary(j *job, callID string) (dir string, remove func(), err error) {
	_, ws, err := s.open()
	if err == nil {
		dir, remove, err = ws.Temporary(callID, j.seed)
	}
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	return dir, remove, nil
}

// scratch gives the scratch folders of a session.
func (s *storage) scratch(sessionID string) (workspace.Scratch, error) {
	_, ws, err := s.open()
	if err != nil {
		return workspace.Scratch{}, fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	got, err := ws.Scratch(sessionID)
	if err != nil {
		return workspace.Scratch{}, fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	return got, nil
}

// seed is what a workspace begins with: the instructions that the model gets, and
// files, of which the later wins.
func (j *job) seed() (workspace.Seed, error) {
	text, err := j.instructions(j.h.life, "")
	if err != nil {
		return workspace.Seed{}, err
	}
	seed := workspace.Seed{Instructions: text}
	lay := func(files []agent.SeedFile) {
		for _, f := range files {
			seed.Files = append(seed.Files, workspace.File{Path: f.Path, Content: f.Content})
		}
	}
	for _, s := range j.agent.Skills {
		lay(harness.SkillFiles(s))
	}
	lay(j.agent.Seeds)
	for _, f := range j.start.WorkspaceFiles {
		seed.Files = append(seed.Files, workspace.File{Path: f.Path, SHA256: f.SHA256})
	}
	return seed, nil
}

// runScript runs a program in the workspace for a tool that is one.
func (j *job) runScript(ctx context.Context, argv []string, input []byte) (agent.Result, error) {
	dir, err := j.workspace()
	if err != nil {
		return agent.Result{}, err
	}
	scratch, err := j.h.storage.scratch(j.info.ID)
	if err != nil {
		return agent.Result{}, err
	}
	return harness.RunScript(ctx, &harness.Script{
		Programs: j.agent.programs(), Dir: dir, UserFolder: j.userDir() != "", Scratch: scratch, Argv: argv, Input: input,
		Log: j.h.o.Logger.With().Str("agent", j.agent.Slug).Str("session", j.info.ID).Logger(),
	})
}
