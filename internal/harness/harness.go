// Package harness has the tools that the model gets besides the project's own: read,
// write, edit, ls, glob and grep on files of the session's workspace, and shell.
package harness

import (
	"context"
	"slices"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/workspace"
)

// Names are the tools of New, in its order.
var Names = []string{"read", "write", "edit", "ls", "glob", "grep", "shell"}

// Source is what the tools have as their source.
const Source = "harness"

// Options say which tools an agent has, and how they work.
type Options struct {
	// Allow is the allowlist; nil: all. Names that are no harness tools are ignored.
	Allow []string
	// Skills can be read also where the allowlist has no read.
	Skills []*agent.Skill
	// UserFolder says that all sessions work in a folder of the user's: nothing was laid
	// down there, so that skills are shown beside it. A call may say so of its own.
	UserFolder bool
	// PrincipalDir gives the folder of the deployment's memory that is one owner's alone:
	// of those below memory/principals a session sees its owner's and no other. Nil: none.
	PrincipalDir func(p events.Principal) string
	// Scratch gives the scratch folders of a session.
	Scratch func(sessionID string) (workspace.Scratch, error)
	Programs
}

// New gives the tools that the options allow. They work in the folder that
// agent.Call.Workspace gives, and may be called from any goroutine.
func New(o *Options) []*agent.Tool {
	h := &tools{Options: o}
	allowed := func(name string) bool { return o.Allow == nil || slices.Contains(o.Allow, name) }
	h.skillsAlone = !allowed("read")
	var list []*agent.Tool
	for i, t := range []*agent.Tool{h.read(), h.write(), h.edit(), h.ls(), h.glob(), h.grep(), h.shell()} {
		if allowed(Names[i]) || Names[i] == "read" && len(o.Skills) > 0 {
			t.Source = Source
			list = append(list, t)
		}
	}
	return list
}

// tools are the harness tools of one agent.
type tools struct {
	*Options
	// skillsAlone says that read shows the files of skills and nothing else.
	skillsAlone bool
	changes     changes
}

// userFolder says whether a call works in a folder of the user's.
func (h *tools) userFolder(c *agent.Call) bool { return h.UserFolder || c.UserFolder }

// changes lets one change of a workspace's files follow the other: calls of one step
// run side by side, and each edit reads before it writes.
type changes struct {
	mu sync.Mutex
	// running maps a folder to the lock that its changes share.
	running map[string]*change
}

type change struct {
	sync.Mutex
	users int // guarded by changes.mu
}

// begin waits for the other changes of a folder; end lets the next one begin.
func (c *changes) begin(dir string) (end func()) {
	c.mu.Lock()
	if c.running == nil {
		c.running = map[string]*change{}
	}
	one := c.running[dir]
	if one == nil {
		one = &change{}
		c.running[dir] = one
	}
	one.users++
	c.mu.Unlock()
	one.Lock()
	return func() {
		one.Unlock()
		c.mu.Lock()
		defer c.mu.Unlock()
		if one.users--; one.users == 0 {
			delete(c.running, dir)
		}
	}
}

// tool makes a tool of a function; its options are ours, so that they are never wrong.
func tool[In, Out any](name, description string, f toolFunc[In, Out], o *agent.ToolOptions[In]) *agent.Tool {
	t, err := agent.NewTool(name, description, f, o)
	if err != nil {
		panic(err) // found by any test
	}
	return t
}

// A toolFunc is what a tool does.
type toolFunc[In, Out any] = func(ctx context.Context, in In, c *agent.Call) (Out, error)
