package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// ErrInvalidOutput says that what a tool returned does not fit its output schema.
var ErrInvalidOutput = errors.New("the result does not fit")

// A ToolRun is one call of one tool in this process. All fields are required.
type ToolRun struct {
	// Dir is the project's folder, Module and File the module that is the tool.
	Dir, Module, File string
	// Cwd is the session's workspace.
	Cwd string
	// Input is what the host gave the process to read.
	Input []byte
	// Env is process.env, "NAME=value".
	Env []string
	// Logger gets what the tool logs.
	Logger zerolog.Logger
}

// RunTool loads the one module and runs its execute: no other file of the project is
// looked at, and ctx has no store and no connections. It gives the result as JSON. The
// error is what the tool threw, or why it did not load; ErrInvalidOutput is among them.
func RunTool(ctx context.Context, r *ToolRun) (json.RawMessage, error) {
	var c toolCall
	if err := json.Unmarshal(r.Input, &c); err != nil {
		return nil, fmt.Errorf("reading the call: %w", err)
	}
	env := map[string]string{}
	for _, pair := range r.Env {
		if name, value, ok := strings.Cut(pair, "="); ok && name != "" {
			env[name] = value
		}
	}
	o := &script.Options{Dir: r.Dir, Cwd: r.Cwd, Env: env, CacheDir: c.CacheDir, Logger: r.Logger.Hook(untold)}
	c.Mount.apply(o, script.Module{ID: r.Module, File: r.File})
	rt, err := script.Load(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("loading the tool: %w", err)
	}
	defer rt.Close()
	for _, m := range rt.Loaded() {
		if m.Err != nil {
			return nil, fmt.Errorf("loading the tool: %w", m.Err)
		}
	}
	result, err := rt.CallTool(ctx, r.Module, script.OpExecute, r.call(&c))
	var thrown *script.Error
	if errors.As(err, &thrown) && thrown.Code == script.CodeInvalidOutput {
		return nil, &invalidOutput{thrown.Message}
	}
	return result, err
}

// untold drops the line about what the tool threw: that is the answer.
var untold = zerolog.HookFunc(func(e *zerolog.Event, _ zerolog.Level, message string) {
	if strings.HasPrefix(message, "the tool threw: ") {
		e.Discard()
	}
})

// An invalidOutput is ErrInvalidOutput in the words of the schema.
type invalidOutput struct{ message string }

func (e *invalidOutput) Error() string { return e.message }

// Is says that it is ErrInvalidOutput.
func (e *invalidOutput) Is(target error) bool { return target == ErrInvalidOutput }

// call gives the tool what a process of its own can have.
func (r *ToolRun) call(c *toolCall) *agent.Call {
	now := time.Now
	if c.Now != nil {
		now = func() time.Time { return *c.Now }
	}
	return &agent.Call{
		ID: c.ToolCallID, Tool: c.Tool, TurnID: c.TurnID, Args: c.Input, Session: c.Session, Agent: c.Agent, Channel: c.Channel,
		Now: now, Workspace: func() (string, error) { return r.Cwd, nil }, StateRoot: c.StateRoot, Log: r.Logger,
	}
}
