package cli

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/internal/logs"
	"github.com/gobdk/bdk/transport"
)

// pollEvery is how often a host is asked for new log lines.
const pollEvery = 500 * time.Millisecond

func (a *app) newLogs() *cobra.Command {
	f := &seatFlags{}
	var follow, asJSON bool
	c := &cobra.Command{
		Use:     "logs",
		Short:   "Print the recent log lines of a running host",
		Example: "  bdk logs\n  bdk logs --follow --url http://127.0.0.1:3000",
		Args:    takesNothing,
		RunE: func(c *cobra.Command, _ []string) error {
			clients, served, err := a.served(c.Context(), f)
			if err != nil {
				return err
			}
			if !served {
				return cannotStart("no host is running on %s: logs are those of a running one; start it with bdk serve, or name one with --url", f.root.directory(a, a.path(f.project.dir)))
			}
			return a.readLogs(c.Context(), clients[0], follow, asJSON)
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with new lines as they come")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	f.add(c.Flags())
	return c
}

// readLogs prints the lines that there are, and with follow those that come.
func (a *app) readLogs(ctx context.Context, c *client.Client, follow, asJSON bool) error {
	after := uint64(0)
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		lines, next, err := c.Logs(ctx, after)
		if err != nil {
			return errors.Join(context.Cause(ctx), err)
		}
		for _, l := range lines {
			if err := a.printLogLine(l, asJSON); err != nil {
				return err
			}
		}
		after = next
		if !follow {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (a *app) printLogLine(l client.LogLine, asJSON bool) error {
	if !asJSON {
		return a.print("%s", logs.AppendReadable(nil, logs.Line(l), a.color(a.Stdout)))
	}
	b, err := json.Marshal(transport.NewLogRow((*transport.LogLine)(&l)))
	if err != nil {
		return err
	}
	return a.print("%s\n", b)
}
