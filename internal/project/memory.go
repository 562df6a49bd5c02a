package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/memory"
	"github.com/gobdk/bdk/internal/script"
)

// Scopes of a memory journal.
const (
	memoryScopeDeployment = "deployment" // one journal of all sessions
	memoryScopePrincipal  = "principal"  // one per owner
)

// memoryHook takes in memoryHook(options). The journal itself is the host's.
func (l *loader) memoryHook(it item, m script.Loaded, src *source) {
	before := l.report.errors()
	s := newSpec(l.report, src, ruleHookOption, m.Spec)
	s.unknown(ruleHookUnknown, []string{"backend", "scope"})
	o := &memory.Options{Name: it.name, PerPrincipal: s.oneOf("scope", memoryScopeDeployment, memoryScopePrincipal) == memoryScopePrincipal}
	o.Secrets = secretsOf(l.env)
	if s.has("backend") {
		if b := s.object("backend"); !isFunction(b.fields["append"]) {
			l.report.add(ruleHookOption, s.at("backend"), "the backend has no function append", "write backend: { async append(line, ctx) {...} }, or leave it out")
		}
		o.Backend = &backend{l.runtime, m.ID}
	}
	if l.report.errors() > before {
		return
	}
	hook := memory.Hook(o)
	hook.Source = sourceProject
	for key, handle := range hook.On {
		hook.On[key] = func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
			return handle(context.WithValue(ctx, callKey{}, c), e, c)
		}
	}
	l.agent.Hooks = append(l.agent.Hooks, hook)
}

// callKey finds the call of a hook in its context, for what the host calls without it.
type callKey struct{}

// A backend is the one that a module gave to memoryHook.
type backend struct {
	runtime *script.Runtime
	module  string
}

// Append calls append(line, ctx) of the project.
func (b *backend) Append(ctx context.Context, line []byte) error {
	c, ok := ctx.Value(callKey{}).(*agent.Call)
	if !ok {
		return errors.New("the memory backend was called outside of its hook")
	}
	args, err := json.Marshal([]string{string(bytes.TrimRight(line, "\n"))})
	if err != nil {
		return err
	}
	_, err = b.runtime.CallFunction(ctx, b.module, "backend.append", args, c)
	return err
}
