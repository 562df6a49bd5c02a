package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/logs"
)

// asker gives what decides about calls that wait: a person where stdin and
// stderr are a terminal, else nobody.
func (a *app) asker(in *input) asker {
	if !a.terminal(a.Stdin) || !a.terminal(a.Stderr) {
		return func(context.Context, *events.InputRequested) (string, bool, error) { return "", false, nil }
	}
	return func(ctx context.Context, r *events.InputRequested) (string, bool, error) {
		a.status.end()
		a.say("%s wants to run with\n%s", r.ToolName, a.argsShown(r.Args))
		for {
			_, _ = io.WriteString(a.Stderr, "run it? [y/n] ")
			answer, err := in.line(ctx)
			if errors.Is(err, io.EOF) {
				a.say("")
				return "", false, nil
			}
			if err != nil {
				return "", false, err
			}
			if decision := decided(answer); decision != "" {
				return decision, true, nil
			}
		}
	}
}

// decided reads an answer; empty when it is neither yes nor no.
func decided(answer string) string {
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return events.DecisionApprove
	case "n", "no":
		return events.DecisionDeny
	}
	return ""
}

// argsShown are the arguments as they will be run, whole, with everything in
// them made visible.
func (a *app) argsShown(args json.RawMessage) string {
	var b bytes.Buffer
	if len(args) == 0 || json.Indent(&b, args, "  ", "  ") != nil {
		return "  " + logs.Visible(string(args), "")
	}
	return "  " + logs.Visible(b.String(), "\n")
}
