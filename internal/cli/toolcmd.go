package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/project"
)

// toolCommand is the name of the command by which the host runs a tool in a process
// of its own.
const toolCommand = "__tool"

// exitInvalidOutput is what the host takes for a result that does not fit the tool's
// output schema.
const exitInvalidOutput = 65

// newTool is for the host, not for people: a tool whose execution is "agent" runs in
// it, in the session's workspace. It reads the call, and its last line is the result.
func (a *app) newTool() *cobra.Command {
	return &cobra.Command{
		Use:    toolCommand + " <project> <module> <file>",
		Short:  "Run one tool for the host",
		Hidden: true,
		Args:   cobra.ExactArgs(3),
		RunE: func(c *cobra.Command, args []string) error {
			input, err := io.ReadAll(a.Stdin)
			if err != nil {
				return fmt.Errorf("reading the call: %w", err)
			}
			result, err := project.RunTool(c.Context(), &project.ToolRun{
				Dir: args[0], Module: args[1], File: args[2], Cwd: a.Dir, Input: input, Env: a.Environ, Logger: a.plainLog(),
			})
			if err != nil {
				return a.toolThrew(err)
			}
			return a.print("\n%s\n", result)
		},
	}
}

// toolThrew writes the message alone: it becomes the error of the call.
func (a *app) toolThrew(err error) error {
	_, _ = io.WriteString(a.Stderr, strings.TrimRight(err.Error(), "\n")+"\n")
	if errors.Is(err, project.ErrInvalidOutput) {
		return quiet(exitInvalidOutput)
	}
	return quiet(ExitFailed)
}

// plainLog writes what the tool logs in plain lines to stderr.
func (a *app) plainLog() zerolog.Logger {
	w := zerolog.ConsoleWriter{Out: a.Stderr, NoColor: true, PartsOrder: []string{zerolog.MessageFieldName}}
	w.FieldsExclude = []string{"call", "tool", "place", "stack", "project"}
	return zerolog.New(w).Level(zerolog.InfoLevel)
}
