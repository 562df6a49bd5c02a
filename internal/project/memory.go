package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// Scopes of a memory journal.
const (
	MemoryScopeDeployment = "deployment"
	MemoryScopePrincipal  = "principal"
)

// MemoryOptions are what a project gave to memoryHook.
type MemoryOptions struct {
	// Scope is MemoryScopeDeployment, the default, for one journal of all sessions,
	// or MemoryScopePrincipal for one per owner.
	Scope string
	// Append, when not nil, keeps each line of the journal in the project's own
	// backend in place of the deployment's files. It must be called with the ctx that
	// the hook's handler was given.
	Append func(ctx context.Context, line []byte) error
}

// memoryHook takes in memoryHook(options). The journal itself is the host's.
func (l *loader) memoryHook(it item, m script.Loaded, src *source) {
	before := l.report.errors()
	s := newSpec(l.report, src, ruleHookOption, m.Spec)
	s.unknown(ruleHookUnknown, []string{"backend", "scope"})
	o := MemoryOptions{Scope: s.oneOf("scope", MemoryScopeDeployment, MemoryScopePrincipal)}
	if s.has("backend") {
		if b := s.object("backend"); !isFunction(b.fields["append"]) {
			l.report.add(ruleHookOption, s.at("backend"), "the backend has no function append", "write backend: { async append(line, ctx) {...} }, or leave it out")
		}
		o.Append = l.backend(m.ID)
	}
	if l.report.errors() > before {
		return
	}
	if l.options.MemoryHook == nil {
		l.report.add(ruleUnsupported, top(it.file), "this host keeps no memory journal", "remove the file, or use a host that does")
		return
	}
	hook := l.options.MemoryHook(o)
	hook.Name, hook.Source = it.name, sourceProject
	for key, handle := range hook.On {
		hook.On[key] = func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
			return handle(context.WithValue(ctx, callKey{}, c), e, c)
		}
	}
	l.agent.Hooks = append(l.agent.Hooks, hook)
}

// callKey finds the call of a hook in its context, for what the host calls without it.
type callKey struct{}

// backend calls append(line, ctx) of the backend that a module gave to memoryHook.
func (l *loader) backend(module string) func(ctx context.Context, line []byte) error {
	runtime := l.runtime
	return func(ctx context.Context, line []byte) error {
		c, ok := ctx.Value(callKey{}).(*agent.Call)
		if !ok {
			return errors.New("the memory backend was called outside of its hook")
		}
		args, err := json.Marshal([]string{string(bytes.TrimRight(line, "\n"))})
		if err != nil {
			return err
		}
		_, err = runtime.CallFunction(ctx, module, "backend.append", args, c)
		return err
	}
}
