package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/client"
)

// A forking says which session is forked; at is nil for where it is now.
type forking struct {
	id string
	at *uint64
}

// A forkedSession is what became of it.
type forkedSession struct {
	SessionID  string `json:"sessionId"`
	ForkedFrom string `json:"forkedFrom"`
	Index      uint64 `json:"index"`
}

func (a *app) newSessionsFork() *cobra.Command {
	f := &seatFlags{}
	var asJSON bool
	var at uint64
	c := &cobra.Command{
		Use:   "fork <id>",
		Short: "Open a session with the history of another one",
		Long: "fork opens a session with the same history, up to the end of the last turn that had ended\n" +
			"at the event --at; without it, at the newest one. Its workspace is copied as it is now.",
		Example: "  bdk sessions fork ses_01… --at 12\n  bdk run --session $(bdk sessions fork ses_01… --json | jq -r .sessionId) --message \"Try it otherwise.\"",
		Args:    takesOne("a session's id"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.project.log.open(a, "warn"); err != nil {
				return err
			}
			of := forking{id: args[0]}
			if c.Flags().Changed("at") {
				of.at = &at
			}
			made, err := a.forkSession(c.Context(), f, of)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(made)
			}
			return a.print("session %s has the history of %s up to event %d\n", made.SessionID, made.ForkedFrom, made.Index)
		},
	}
	c.Flags().Uint64Var(&at, "at", 0, "the index of an event")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	f.add(c.Flags())
	return c
}

// forkSession forks a session in the host that runs, or in one of this process.
func (a *app) forkSession(ctx context.Context, f *seatFlags, of forking) (made *forkedSession, err error) {
	clients, served, err := a.served(ctx, f)
	if err != nil {
		return nil, err
	}
	if served {
		for _, c := range clients {
			made, err := of.remote(ctx, c)
			if !client.HasCode(err, client.CodeUnknownSession) {
				return made, err
			}
		}
		return nil, noSession(of.id)
	}
	s, err := a.ownStack(ctx, f, func([]*agent.Agent) error { return nil })
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, (&seat{own: s}).close(ctx)) }()
	return of.local(ctx, s)
}

// remote forks through a host; the newest event is looked up first.
func (of forking) remote(ctx context.Context, c *client.Client) (*forkedSession, error) {
	if of.at == nil {
		st, err := c.State(ctx, of.id, nil)
		if err != nil {
			return nil, err
		}
		of.at = &st.Index
	}
	made, err := c.Fork(ctx, of.id, *of.at)
	if err != nil {
		return nil, err
	}
	return &forkedSession{SessionID: made.SessionID, ForkedFrom: of.id, Index: made.Index}, nil
}

// local forks in a host of this process.
func (of forking) local(ctx context.Context, s *stack) (*forkedSession, error) {
	if of.at == nil {
		head, err := s.journal.Head(of.id)
		if err != nil {
			return nil, err
		}
		newest := max(head, 1) - 1
		of.at = &newest
	}
	made, err := s.host.ForkAs(ctx, actors.NewFork{SessionID: of.id, Index: *of.at, Principal: opening{}.local("").Principal, ChannelID: "cli"})
	var past *actors.IndexError
	switch {
	case errors.Is(err, actors.ErrUnknownSession):
		return nil, noSession(of.id)
	case errors.As(err, &past):
		return nil, &coded{ExitFailed, fmt.Errorf("--at %d: the newest event of session %s has the index %d", past.Index, of.id, past.Next-1)}
	case err != nil:
		return nil, err
	}
	return &forkedSession{SessionID: made.SessionID, ForkedFrom: of.id, Index: made.Index}, nil
}
