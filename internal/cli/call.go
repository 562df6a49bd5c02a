package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/client"
)

type callFlags struct {
	seat   seatFlags
	input  string
	asJSON bool
}

func (a *app) newCall() *cobra.Command {
	f := &callFlags{}
	c := &cobra.Command{
		Use:   "call <tool> --input '{…}'",
		Short: "Call a tool without a model",
		Long: "call runs one server tool and prints its result as JSON. It asks for no approval: you are the one who approves.\n" +
			"It exits with 1 when the tool answers with an error.",
		Example: "  bdk call inspect_pr --input '{\"prUrl\":\"https://github.com/acme/checkout/pull/42\"}'\n" +
			"  bdk call list_tasks --dir agents --slug planner",
		Args: takesOne("a tool's name"),
		RunE: func(c *cobra.Command, args []string) error { return a.callTool(c, f, args[0]) },
	}
	c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return a.completeTools(c, &f.seat, args), cobra.ShellCompDirectiveNoFileComp
	}
	flags := c.Flags()
	flags.StringVar(&f.input, "input", "{}", "the tool's input, a JSON object; - reads it from stdin")
	flags.BoolVar(&f.asJSON, "json", false, "print the whole reply, errors of the tool too")
	f.seat.add(flags)
	return c
}

func (a *app) callTool(c *cobra.Command, f *callFlags, name string) (err error) {
	input, err := a.toolInput(f.input)
	if err != nil {
		return err
	}
	if err := f.seat.project.log.open(a, "warn"); err != nil {
		return err
	}
	seat, err := a.openSeat(c.Context(), &f.seat, c.Flags(), true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, seat.close(c.Context())) }()
	end := a.progress("running " + name)
	reply, err := seat.CallTool(c.Context(), name, input)
	end()
	if err != nil {
		return refusedCall(name, err)
	}
	if f.asJSON {
		if err := a.printJSON(reply); err != nil {
			return err
		}
		return toolVerdict(reply, true)
	}
	if reply.IsError {
		return toolVerdict(reply, false)
	}
	return a.printResult(reply.Result)
}

// toolInput reads the input and checks that it is an object.
func (a *app) toolInput(text string) (json.RawMessage, error) {
	if text == "-" {
		b, err := io.ReadAll(a.Stdin)
		if err != nil {
			return nil, fmt.Errorf("reading the input: %w", err)
		}
		text = string(b)
	}
	input := json.RawMessage(strings.TrimSpace(text))
	if !json.Valid(input) {
		return nil, usagef("--input is not JSON: it looks like '{\"name\":\"value\"}'")
	}
	if input[0] != '{' {
		return nil, usagef("--input is JSON but no object: it looks like '{\"name\":\"value\"}'")
	}
	return input, nil
}

// refusedCall is for a call that did not run.
func refusedCall(name string, err error) error {
	var answer *client.Error
	if !errors.As(err, &answer) || answer.Code != client.CodeUnknownTool {
		return err
	}
	if len(answer.Available) == 0 {
		return usagef("there is no tool %q: the agent has none that can be called", name)
	}
	return usagef("there is no tool %q: there is %s", name, strings.Join(answer.Available, ", "))
}

// toolVerdict is how a call ends that ran.
func toolVerdict(r client.ToolReply, printed bool) error {
	switch {
	case !r.IsError:
		return nil
	case printed:
		return quiet(ExitFailed)
	case r.Code == "":
		return &coded{ExitFailed, fmt.Errorf("%s: %s", r.ToolName, r.Message)}
	}
	return &coded{ExitFailed, fmt.Errorf("%s: %s (%s)", r.ToolName, r.Message, r.Code)}
}

// printResult writes JSON as it came; on a terminal it is indented and harmless.
func (a *app) printResult(result json.RawMessage) error {
	var b bytes.Buffer
	if a.terminal(a.Stdout) && json.Indent(&b, result, "", "  ") == nil {
		return a.print("%s\n", a.shown(b.String()))
	}
	return a.print("%s\n", result)
}
