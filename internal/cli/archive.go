package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/projections"
)

// withArchive looks sessions up where they are.
func (a *app) withArchive(c *cobra.Command, f *seatFlags, use func(archive) error) (err error) {
	ctx := c.Context()
	if err := f.project.log.open(a, "warn"); err != nil {
		return err
	}
	clients, served, err := a.served(ctx, f)
	if err != nil {
		return err
	}
	if served {
		return use(hostArchive(clients))
	}
	dir, err := f.project.directory(a, c, nil)
	if err != nil {
		return err
	}
	root := f.root.directory(a, dir)
	if _, err := os.Stat(root); errors.Is(err, os.ErrNotExist) {
		return use(emptyArchive{})
	}
	prices, err := model.LoadPrices(dir)
	if err != nil {
		return err
	}
	j, err := a.openJournal(root)
	if err != nil {
		return err
	}
	views, err := projections.Start(context.WithoutCancel(ctx), &projections.Options{Journal: j, Prices: prices, Logger: a.logger})
	if err != nil {
		return errors.Join(cannotStart("reading the state root %s: %w", root, err), j.Close())
	}
	at := &rootArchive{journal: j, views: views, slug: f.host.slug}
	defer func() { err = errors.Join(err, at.close(ctx)) }()
	if err := views.WaitFor(ctx, j.Position()); err != nil {
		return err
	}
	return use(at)
}

// stopSession ends a session's turn, in the host that runs or in one of this process.
func (a *app) stopSession(ctx context.Context, f *seatFlags, id string) (stopped bool, err error) {
	clients, served, err := a.served(ctx, f)
	if err != nil {
		return false, err
	}
	if served {
		for _, c := range clients {
			stopped, err := c.Stop(ctx, id)
			if !client.HasCode(err, client.CodeUnknownSession) {
				return stopped, err
			}
		}
		return false, noSession(id)
	}
	s, err := a.ownStack(ctx, f, func([]*agent.Agent) error { return nil })
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, (&seat{own: s}).close(ctx)) }()
	answer, err := s.host.Stop(ctx, id)
	if errors.Is(err, actors.ErrUnknownSession) {
		return false, noSession(id)
	}
	return answer.Stopped, err
}
