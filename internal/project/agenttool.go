package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// An apart runs one tool in a process of its own, in the session's workspace.
type apart struct {
	options  *script.Options // for the one module
	command  []string
	mount    *toolMount
	prebuilt func()
}

// A toolCall is what the process of a tool reads: the input, and what its ctx tells.
type toolCall struct {
	Input      json.RawMessage  `json:"input"`
	Session    agent.Session    `json:"session"`
	Agent      string           `json:"agent"`
	Channel    agent.ChannelRef `json:"channel"`
	ToolCallID string           `json:"toolCallId"`
	Tool       string           `json:"tool"`
	TurnID     string           `json:"turnId,omitempty"`
	StateRoot  string           `json:"stateRoot"`
	CacheDir   string           `json:"cacheDir,omitempty"`
	// Mount is the extension that the tool is part of; nil: none.
	Mount *toolMount `json:"mount,omitempty"`
	// Now is the instant that the session takes for the present; nil: the present.
	Now *time.Time `json:"now,omitempty"`
}

// apart prepares a tool for being run in a process of its own.
func (l *loader) apart(m script.Loaded) *apart {
	o := &script.Options{Dir: l.place.Dir, CacheDir: l.options.CacheDir}
	a := &apart{options: o, mount: l.toolMount}
	a.mount.apply(o, script.Module{ID: m.ID, File: m.File})
	if len(l.options.ToolCommand) > 0 {
		a.command = append(slices.Clone(l.options.ToolCommand), o.Dir, m.ID, m.File)
	}
	a.prebuilt = sync.OnceFunc(func() {
		if o.CacheDir != "" {
			_ = script.Prebuild(o) // the process builds what is not in the cache
		}
	})
	return a
}

// A toolMount is what a tool of an extension needs beside itself: the file that mounts
// the extension and gives it its settings.
type toolMount struct {
	ID    string       `json:"id"`
	File  string       `json:"file"`
	Mount script.Mount `json:"mount"`
}

// apply gives options the modules that a tool needs, the tool's own last.
func (t *toolMount) apply(o *script.Options, tool script.Module) {
	if t != nil {
		tool.Mount = t.Mount.Namespace
		o.Mounts = []script.Mount{t.Mount}
		o.Modules = []script.Module{{ID: t.ID, File: t.File, Mount: tool.Mount}}
	}
	o.Modules = append(o.Modules, tool)
}

// executeApart runs the tool in the workspace and takes its result as if it had run here.
func (c *caller) executeApart(ctx context.Context, call *agent.Call) (agent.Result, error) {
	switch {
	case len(c.apart.command) == 0:
		return agent.Result{}, errors.New("the tool's execution is \"agent\", and this host has no command that runs it")
	case call.RunScript == nil:
		return agent.Result{}, errors.New("the tool's execution is \"agent\": it runs in a turn only")
	}
	c.apart.prebuilt()
	input, err := json.Marshal(c.apart.describe(call))
	if err != nil {
		return agent.Result{}, fmt.Errorf("describing the call: %w", err)
	}
	res, err := call.RunScript(ctx, c.apart.command, input)
	if err != nil || res.IsError {
		return res, err
	}
	return c.result(res.Output), nil
}

func (a *apart) describe(call *agent.Call) *toolCall {
	t := &toolCall{
		Input: call.Args, Session: call.Session, Agent: call.Agent, Channel: call.Channel, ToolCallID: call.ID, Tool: call.Tool,
		TurnID: call.TurnID, StateRoot: call.StateRoot, CacheDir: a.options.CacheDir, Mount: a.mount,
	}
	if call.Now == nil {
		return t
	}
	if now := call.Now(); now.Equal(call.Now()) && time.Since(now).Abs() > time.Second { // it stands still, elsewhere
		t.Now = &now
	}
	return t
}
