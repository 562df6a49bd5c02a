package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/sandbox"
	"github.com/gobdk/bdk/internal/workspace"
)

// Bounds of a script.
const (
	maxResultLine = 16 << 20
	maxErrorText  = 4 << 10
)

// exitInvalidOutput is the exit code of a script whose result does not fit the
// tool's output schema.
const exitInvalidOutput = 65

// A Script is a program that is a tool.
type Script struct {
	Programs
	// Dir is the workspace, which is the user's own folder where UserFolder says so.
	Dir        string
	UserFolder bool
	Scratch    workspace.Scratch
	// Log gets what a script that succeeded wrote to its standard error.
	Log zerolog.Logger
	// Argv are the program and its arguments, Input what it reads.
	Argv  []string
	Input []byte
}

// RunScript runs a program in a workspace: the input is its standard input, the
// result the last line of its standard output, which is JSON. An exit code other than
// 0 makes an error result of the end of its standard error. Time is ctx's to bound.
func RunScript(ctx context.Context, s *Script) (agent.Result, error) {
	p, err := s.program(s.Dir, s.Scratch, s.UserFolder)
	if err != nil {
		return agent.Result{}, err
	}
	out, errs := &lastLine{}, &ring{}
	p.Argv, p.Stdin = s.Argv, s.Input
	if p.Stdin == nil {
		p.Stdin = []byte{}
	}
	p.Stdout, p.Stderr = out, writer(errs.write)
	end, err := sandbox.Run(ctx, p)
	if err != nil {
		return agent.Result{}, err
	}
	if end.ExitCode != 0 {
		return scriptFailed(end, errs), nil
	}
	result, err := out.line()
	if err == nil && !json.Valid(result) {
		err = errors.New("the last line of its output is not JSON")
	}
	if err != nil {
		return agent.Result{}, fmt.Errorf("the tool's process ended without a result: %w", err)
	}
	if text := strings.TrimSpace(valid(errs.bytes())); text != "" {
		s.Log.Info().Str("stderr", cutStart(text, maxErrorText)).Msg("the tool's process wrote to its standard error")
	}
	return agent.Result{Output: result}, nil
}

// scriptFailed is the result of a script that says that it failed.
func scriptFailed(end sandbox.End, errs *ring) agent.Result {
	message := strings.TrimSpace(valid([]byte(cutStart(string(errs.bytes()), maxErrorText))))
	if message == "" {
		message = fmt.Sprintf("the tool's process ended with exit code %d and said nothing", end.ExitCode)
	}
	if end.Signal != "" {
		message = fmt.Sprintf("the tool's process was ended by a signal (%s): %s", end.Signal, message)
	}
	code := events.CodeToolError
	if end.ExitCode == exitInvalidOutput {
		code = events.CodeInvalidOutput
	}
	return agent.Result{Output: json.RawMessage(quoted(message)), IsError: true, Code: code}
}

// writer is a function that takes output.
type writer func(p []byte)

// Write takes all of it.
func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

// A lastLine keeps the last line with something in it, of any amount of output.
type lastLine struct {
	last, open []byte
	tooLong    bool // the open line; it is dropped
	lost       bool // the last line was too long
}

// Write takes a piece. It never fails.
func (l *lastLine) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		piece, rest, ended := bytes.Cut(p, []byte("\n"))
		l.add(piece)
		if ended {
			l.end()
		}
		p = rest
	}
	return n, nil
}

func (l *lastLine) add(piece []byte) {
	if len(l.open)+len(piece) > maxResultLine {
		l.open, l.tooLong = nil, true
	}
	if !l.tooLong {
		l.open = append(l.open, piece...)
	}
}

// end closes the open line.
func (l *lastLine) end() {
	if l.tooLong || len(bytes.TrimSpace(l.open)) > 0 {
		l.last, l.open, l.lost = append(l.last[:0], l.open...), l.open[:0], l.tooLong
	}
	l.open, l.tooLong = l.open[:0], false
}

// line gives the last line at the end of all output.
func (l *lastLine) line() ([]byte, error) {
	l.end()
	switch {
	case l.lost:
		return nil, fmt.Errorf("the last line of its output has more than %d bytes", maxResultLine)
	case len(l.last) == 0:
		return nil, errors.New("it wrote nothing")
	}
	return bytes.TrimSpace(l.last), nil
}
