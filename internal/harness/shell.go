package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/sandbox"
)

// Time limits of one command.
const (
	shellTimeout    = agent.DefaultTimeout
	maxShellTimeout = 10 * time.Minute
)

type shellInput struct {
	Command   string `json:"command" jsonschema:"What /bin/sh runs, in the workspace."`
	TimeoutMs int    `json:"timeoutMs,omitempty" jsonschema:"Its time limit in milliseconds: 120000 by default and 600000 at most."`
}

type shellOutput struct {
	ExitCode int `json:"exitCode"`
	// Output is what it wrote, standard output and error together.
	Output    string `json:"output"`
	Signal    string `json:"signal,omitempty"`
	TimedOut  bool   `json:"timedOut,omitempty"`
	Truncated bool   `json:"truncated,omitempty"`
	// Bytes and File are of a long output: its length, and where more of it is.
	Bytes int64  `json:"bytes,omitempty"`
	File  string `json:"file,omitempty"`
}

func (h *tools) shell() *agent.Tool {
	return tool("shell", "Runs a command in the workspace and gives its exit code and its output. It has no input and no terminal, and what it starts ends with it.",
		h.runCommand, &agent.ToolOptions[shellInput]{Effect: agent.EffectWrite, Timeout: maxShellTimeout + 30*time.Second})
}

func (h *tools) runCommand(ctx context.Context, in shellInput, c *agent.Call) (*shellOutput, error) {
	limit := time.Duration(in.TimeoutMs) * time.Millisecond
	switch {
	case in.Command == "":
		return nil, errors.New("the command is missing")
	case in.TimeoutMs < 0 || int64(in.TimeoutMs) > maxShellTimeout.Milliseconds():
		return nil, fmt.Errorf("timeoutMs is a number from 1 to %d", maxShellTimeout.Milliseconds())
	case limit == 0:
		limit = shellTimeout
	}
	p, err := h.prepare(c)
	if err != nil {
		return nil, err
	}
	scratch, err := h.Scratch(c.Session.ID)
	if err != nil {
		return nil, err
	}
	out := &capture{aside: func() (*os.File, error) { return os.CreateTemp(scratch.Notes, "output-*") }}
	defer out.close()
	p.Argv, p.Timeout = []string{"/bin/sh", "-c", in.Command}, limit
	p.Stdout, p.Stderr = out, out
	end, err := sandbox.Run(ctx, p)
	if err != nil {
		return nil, err
	}
	answer := &shellOutput{ExitCode: end.ExitCode, Output: out.text(), Signal: end.Signal, TimedOut: end.TimedOut}
	if out.long() {
		h.keep(ctx, c, out, answer)
	}
	return answer, nil
}

// prepare makes what all programs of a session have in common.
func (h *tools) prepare(c *agent.Call) (*sandbox.Program, error) {
	if c.Workspace == nil {
		return nil, errors.New("this call has no workspace")
	}
	dir, err := c.Workspace()
	if err != nil {
		return nil, err
	}
	s, err := h.Scratch(c.Session.ID)
	if err != nil {
		return nil, err
	}
	return h.program(dir, s, h.userFolder(c))
}

// keep puts a long output into a file of the session, which read shows.
func (h *tools) keep(ctx context.Context, c *agent.Call, out *capture, answer *shellOutput) {
	answer.Truncated, answer.Bytes = true, out.n
	whole, err := out.kept()
	if err == nil && c.Files != nil {
		file := outputsAt + "/" + c.ID + ".txt"
		if err = c.Files.Write(ctx, agent.FileScope{Session: c.Session.ID}, file, whole); err == nil {
			answer.File = file
		}
	}
	if err != nil {
		c.Log.Warn().Err(err).Msg("a long output of shell was not kept")
	}
}
