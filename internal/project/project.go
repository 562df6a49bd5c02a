// Package project turns a project folder into agents: it discovers the slots,
// loads the TypeScript, and says what is wrong with file, line, rule and mend.
package project

import (
	"context"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
)

// Options says how projects are loaded. The zero value loads without an
// environment and without a cache.
type Options struct {
	// Env is the environment that projects see ("NAME=value"); it wins over .env
	// files. Nil: those files alone.
	Env []string
	// EnvFiles replaces the default .env and .env.local of each project; a later
	// file wins over an earlier one, and each must be there.
	EnvFiles []string
	// CacheDir keeps bundles by content; empty: no cache.
	CacheDir string
	// Logger gets what the project's code logs.
	Logger zerolog.Logger
	// ToolCommand runs a tool whose execution is "agent" in a process of its own: the
	// project's folder, the module's id and its file are appended to it. That program
	// calls RunTool. Empty: such tools answer with an error.
	ToolCommand []string
	// Workers is the number of VMs per agent. Defaults to 1.
	Workers int
	// Dev is for a host that serves this machine's developer: a channel without the
	// secret that it should have starts, for callers of this machine.
	Dev bool
	// CheckOnly loads modules to find diagnostics and closes the VMs again: the
	// agents can be looked at, their tools cannot be called.
	CheckOnly bool
}

// Load loads the project in dir, or each project in its direct sub-folders, in
// the order of their slugs. The error is for a folder that holds no project
// (ErrNoProject) and for a ctx that ended; all other faults are diagnostics of
// the agents, which are returned all the same. Loading runs the module scope of
// the project's files; it starts no process and opens no socket.
//
// The caller closes each agent whose Close is set.
func Load(ctx context.Context, dir string, o *Options) ([]*agent.Agent, error) {
	if o == nil {
		o = &Options{}
	}
	places, err := Find(dir)
	if err != nil {
		return nil, err
	}
	agents, slugs := make([]*agent.Agent, 0, len(places)), make([]string, len(places))
	for i, p := range places {
		slugs[i] = p.Slug
	}
	for _, p := range places {
		a, err := loadPlace(ctx, p, slugs, o)
		if err != nil {
			closeAll(agents)
			return nil, err
		}
		agents = append(agents, a)
	}
	return agents, nil
}

func closeAll(agents []*agent.Agent) {
	for _, a := range agents {
		if a.Close != nil {
			_ = a.Close()
		}
	}
}
