package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/transport"
)

// An archive is where sessions are looked up: a running host, or the state root itself.
type archive interface {
	// list gives rows newest-updated first, at most limit.
	list(ctx context.Context, q client.Query) ([]client.Session, error)
	// show gives one row; found is false for an unknown id.
	show(ctx context.Context, id string) (row client.Session, found bool, err error)
	approvals(ctx context.Context, id string) ([]client.Approval, error)
	// events yields a log from an index on; with follow it waits for more.
	events(ctx context.Context, id string, from uint64, follow bool) iter.Seq2[[]byte, error]
}

func (a *app) newSessions() *cobra.Command {
	c := &cobra.Command{
		Use:   "sessions",
		Short: "List, show, read, stop and fork sessions",
		Long: "sessions looks at the sessions of a running host, or of the state root when no host runs.\n" +
			"Without a command it lists them.",
		Example: "  bdk sessions\n  bdk sessions show ses_01…\n  bdk sessions events ses_01… --follow\n  bdk sessions stop ses_01…\n  bdk sessions fork ses_01… --at 12",
	}
	a.listing(c)
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(c, args[0])
		}
		return nil
	}
	list := &cobra.Command{
		Use:     "list",
		Short:   "List sessions, the newest first",
		Example: "  bdk sessions list --status parked\n  bdk sessions list --json --last 200",
		Args:    takesNothing,
	}
	a.listing(list)
	c.AddCommand(list, a.newSessionsShow(), a.newSessionsEvents(), a.newSessionsStop(), a.newSessionsFork())
	return c
}

// What --status and --purpose can be.
var (
	statuses = []string{
		projections.StatusRunning, projections.StatusParked, projections.StatusWaiting,
		projections.StatusCompleted, projections.StatusFailed,
	}
	purposes = []string{events.PurposeLive, events.PurposeEval}
)

// checkQuery finds what selects nothing whatever sessions there are.
func checkQuery(q client.Query) error {
	if q.Status != "" {
		if err := oneOf("status", q.Status, statuses...); err != nil {
			return err
		}
	}
	if q.Purpose != "" {
		return oneOf("purpose", q.Purpose, purposes...)
	}
	return nil
}

// listing makes a command list sessions.
func (a *app) listing(c *cobra.Command) {
	f := &seatFlags{}
	q := client.Query{}
	var asJSON bool
	c.RunE = func(c *cobra.Command, _ []string) error {
		if q.Limit < 1 {
			return usagef("--last %d: it is at least 1", q.Limit)
		}
		if err := checkQuery(q); err != nil {
			return err
		}
		return a.withArchive(c, f, func(from archive) error {
			rows, err := from.list(c.Context(), q)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(map[string]any{"sessions": shownRows(rows)})
			}
			return a.printRows(rows)
		})
	}
	c.Flags().StringVar(&q.Text, "query", "", "text in the title or the id")
	c.Flags().StringVar(&q.Status, "status", "", list(statuses))
	c.Flags().StringVar(&q.Purpose, "purpose", "", list(purposes))
	c.Flags().IntVar(&q.Limit, "last", 50, "how many at most")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	f.add(c.Flags())
}

func (a *app) newSessionsShow() *cobra.Command {
	f := &seatFlags{}
	var asJSON bool
	c := &cobra.Command{
		Use:     "show <id>",
		Short:   "Show one session",
		Example: "  bdk sessions show ses_01…",
		Args:    takesOne("a session's id"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withArchive(c, f, func(from archive) error {
				row, found, err := from.show(c.Context(), args[0])
				if err != nil {
					return err
				}
				if !found {
					return noSession(args[0])
				}
				if asJSON {
					return a.printJSON(map[string]any{"session": transport.NewSessionRow(&row)})
				}
				waiting, err := from.approvals(c.Context(), args[0])
				if err != nil {
					return err
				}
				return a.printRow(row, waiting)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	f.add(c.Flags())
	return c
}

func (a *app) newSessionsEvents() *cobra.Command {
	f := &seatFlags{}
	var follow bool
	var from uint64
	c := &cobra.Command{
		Use:     "events <id>",
		Short:   "Print a session's events, one JSON object a line",
		Example: "  bdk sessions events ses_01…\n  bdk sessions events ses_01… --from 12 --follow",
		Args:    takesOne("a session's id"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withArchive(c, f, func(at archive) error {
				if _, found, err := at.show(c.Context(), args[0]); err != nil || !found {
					return errors.Join(err, missing(args[0], found || err != nil))
				}
				for line, err := range at.events(c.Context(), args[0], from, follow) {
					if err != nil {
						return errors.Join(context.Cause(c.Context()), err)
					}
					if err := a.print("%s\n", line); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with new events as they come")
	c.Flags().Uint64Var(&from, "from", 0, "the first index")
	f.add(c.Flags())
	return c
}

func (a *app) newSessionsStop() *cobra.Command {
	f := &seatFlags{}
	var asJSON bool
	c := &cobra.Command{
		Use:     "stop <id>",
		Short:   "End the running turn of a session",
		Example: "  bdk sessions stop ses_01…",
		Args:    takesOne("a session's id"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.project.log.open(a, "warn"); err != nil {
				return err
			}
			stopped, err := a.stopSession(c.Context(), f, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(map[string]any{"sessionId": args[0], "stopped": stopped})
			}
			if !stopped {
				return a.print("session %s has no running turn\n", args[0])
			}
			return a.print("stopped the turn of session %s\n", args[0])
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	f.add(c.Flags())
	return c
}

// noSession is for an id that nobody knows.
func noSession(id string) error {
	return &coded{ExitFailed, fmt.Errorf("there is no session %s: bdk sessions list shows those that there are", id)}
}

// missing is noSession unless it was found.
func missing(id string, found bool) error {
	if found {
		return nil
	}
	return noSession(id)
}
