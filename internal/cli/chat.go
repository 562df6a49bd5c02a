package cli

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/client"
)

const chatHelp = `Write a message and press Enter. While a turn runs, what you write waits for its end.
  /stop   end the running turn (Ctrl-C does that too)
  /quit   leave; the session stays (so does Ctrl-D, or Ctrl-C twice)
  /help   this text`

func (a *app) newChat() *cobra.Command {
	f := &seatFlags{}
	var session string
	c := &cobra.Command{
		Use:   "chat",
		Short: "Talk to an agent in the terminal",
		Long: "chat sends what you write, line by line, and prints the replies as they come.\n" +
			"Tool calls that need approval are asked about. Ctrl-C ends the running turn first; twice, it ends the chat.\n\n" + chatHelp,
		Example: "  bdk chat\n  bdk chat --session ses_01…\n  bdk chat --url http://127.0.0.1:3000/my-agent",
		Args:    takesNothing,
		RunE:    func(c *cobra.Command, _ []string) error { return a.chat(c, f, session) },
	}
	c.Flags().StringVar(&session, "session", "", "continue this session")
	f.add(c.Flags())
	f.addModel(c.Flags())
	return c
}

func (a *app) chat(c *cobra.Command, f *seatFlags, session string) (err error) {
	ctx := c.Context()
	if err := f.project.log.open(a, "warn"); err != nil {
		return err
	}
	seat, err := a.openSeat(ctx, f, c.Flags(), false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, seat.close(ctx)) }()
	ch := newChatter(a, seat, session)
	defer ch.in.close()
	a.signals.handle(ch.signal)
	defer a.signals.handle(nil)
	err = ch.talk(ctx)
	ch.printer.endLine()
	if ch.v.session() != "" {
		a.say("session %s: go on with bdk chat --session %s", ch.v.session(), ch.v.session())
	}
	return errors.Join(err, ch.printer.err)
}

// talk is the loop: a line, a turn, until the input ends.
func (ch *chatter) talk(ctx context.Context) error {
	if ch.v.session() != "" {
		if err := ch.catchUp(ctx); err != nil {
			return err
		}
	}
	if ch.interactive {
		ch.a.say("%s: /help lists the commands", ch.seat.Base()[strings.LastIndexByte(ch.seat.Base(), '/')+1:])
	}
	for {
		line, err := ch.next(ctx)
		if errors.Is(err, io.EOF) {
			return ch.outcome
		}
		if err != nil {
			return err
		}
		switch strings.TrimSpace(line) {
		case "":
			continue
		case "/quit", "/exit":
			return ch.outcome
		case "/help":
			ch.a.say("%s", chatHelp)
		case "/stop":
			ch.stop(ctx)
		default:
			if err := ch.say(ctx, line); err != nil {
				return err
			}
		}
	}
}

// say runs the turn of one message. What only this turn suffered from is told
// and the chat goes on.
func (ch *chatter) say(ctx context.Context, line string) error {
	t, err := ch.during(ctx, func(ctx context.Context) (*turn, error) {
		return ch.v.turn(ctx, opening{message: line})
	})
	return ch.settle(ctx, t, err)
}

// settle says how a turn came out; an error ends the chat.
func (ch *chatter) settle(ctx context.Context, t *turn, err error) error {
	ch.printer.endLine()
	var answer *client.Error
	switch {
	case errors.Is(err, errParked):
		return ch.a.parked(ch.v, t)
	case errors.As(err, &answer) && ch.interactive && ctx.Err() == nil:
		ch.a.say("%s", ch.a.redactor.Text(explain(err)))
		return nil
	case errors.Is(err, errInterrupted):
		ch.a.stopTurn(ctx, ch.v)
		return err
	case err != nil:
		return err
	}
	if t.failed != nil {
		ch.a.say("%s", failure(t.failed))
		if !ch.interactive {
			ch.outcome = quiet(ExitFailed)
		}
	}
	return nil
}
