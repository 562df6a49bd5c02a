package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/client"
)

func (a *app) newMCP() *cobra.Command {
	c := &cobra.Command{
		Use:     "mcp",
		Short:   "Authorize connections to MCP servers",
		Example: "  bdk mcp oauth issues",
		Args:    takesCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.newMCPOAuth())
	return c
}

func (a *app) newMCPOAuth() *cobra.Command {
	f := &seatFlags{}
	c := &cobra.Command{
		Use:   "oauth <connection>",
		Short: "Authorize a connection in the browser",
		Long: "oauth prints a link. Whoever opens it and agrees lets the host use the connection, whose file says oauth.\n" +
			"The link can be used once, within 10 minutes; the tokens are kept in the state root, encrypted, and renewed.\n" +
			"It must be opened on a machine that reaches the host, or this command where no host runs.",
		Example: "  bdk mcp oauth linear\n  bdk mcp oauth linear --dir agents --slug planner",
		Args:    takesOne("a connection's name"),
		RunE:    func(c *cobra.Command, args []string) error { return a.authorize(c, f, args[0]) },
	}
	f.add(c.Flags())
	return c
}

// authorize waits until somebody has been at the link.
func (a *app) authorize(c *cobra.Command, f *seatFlags, name string) (err error) {
	if err := f.project.log.open(a, "warn"); err != nil {
		return err
	}
	ctx := c.Context()
	seat, err := a.openSeat(ctx, f, c.Flags(), true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, seat.close(ctx)) }()
	to := seat.Client
	if seat.own != nil {
		var end func() error
		if to, end, err = a.reachable(ctx, seat); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	p, err := to.BeginAuthorization(ctx, name)
	if err != nil {
		return err
	}
	if err := a.print("%s\n", a.shown(p.URL)); err != nil {
		return err
	}
	a.say("open this link in a browser by %s", p.ExpiresAt.Local().Format("15:04"))
	end := a.progress("waiting for the browser")
	defer end()
	if err := returned(ctx, to, p); err != nil {
		return err
	}
	a.say("%s is connected", name)
	return nil
}

// reachable lets the browser come back to a host of this process, for as long as
// the command runs: on the port that serve has by default, where it is free, so that
// the address is the one that was registered.
func (a *app) reachable(ctx context.Context, s *seat) (*client.Client, func() error, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(servePort)))
	if err != nil { // somebody else's
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
			return nil, nil, cannotStart("listening for the browser: %w", err)
		}
		a.say("port %d is taken, so the browser comes back to %s: where the clientId was registered by hand, with another address, start the host first", servePort, l.Addr())
	}
	server := serveOn(l, s.own.handler, &s.own.edge)
	end := func() error {
		page, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastPage)
		defer cancel()
		return server.close(page)
	}
	return client.New("http://"+l.Addr().String()+"/"+url.PathEscape(s.agent.Slug), nil), end, nil
}

// lastPage is how long the page that the person sees last may take.
const lastPage = 2 * time.Second

// askEvery is how often the host is asked whether somebody has been at the link.
const askEvery = 500 * time.Millisecond

// returned waits for a grant, or a refusal, that is newer than the one of the beginning.
func returned(ctx context.Context, to *client.Client, began client.Authorization) error {
	ctx, cancel := context.WithDeadline(ctx, began.ExpiresAt)
	defer cancel()
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		now, err := to.Authorization(ctx, began.Connection)
		if err == nil && now.AuthorizedAt.After(began.AuthorizedAt) {
			return nil
		}
		if err == nil && now.FailedAt.After(began.FailedAt) {
			return fmt.Errorf("%s is not connected: %s", began.Connection, now.Error)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("nobody came back from the link in time: begin again")
			}
			return ctx.Err()
		}
	}
}
