package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
)

// stopBound is how long an interrupted command tries to stop its turn.
const stopBound = 5 * time.Second

type runFlags struct {
	seat      seatFlags
	message   string
	session   string
	dryRun    bool
	asOf      string
	files     []string
	replyOnly bool
	asJSON    bool
}

func (a *app) newRun() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run --message <text>",
		Short: "Run one turn and print it as it goes",
		Long: "run sends one message and prints the reply, the tool calls and their results as they come.\n" +
			"A tool call that needs approval is asked about on a terminal.\n\n" +
			"While a host serves the project's state root, or with --url, the turn runs there.\n\n" +
			"It exits with 1 when the turn failed, and with 4 when it waits for an approval and there is nobody to ask.",
		Example: "  bdk run --message \"What can you do?\"\n" +
			"  bdk run --message \"Make it shorter.\" --session ses_01…\n" +
			"  bdk run --url http://127.0.0.1:3000/my-agent --text --message \"Summarise notes.md\" --file notes.md=./notes.md",
		Args: takesMessage,
		RunE: func(c *cobra.Command, _ []string) error { return a.runTurn(c, f) },
	}
	flags := c.Flags()
	flags.StringVarP(&f.message, "message", "m", "", "the message; - reads it from stdin")
	flags.StringVar(&f.session, "session", "", "continue this session")
	flags.BoolVar(&f.dryRun, "dry-run", false, "run read tools, stub write tools")
	flags.StringVar(&f.asOf, "as-of", "", "the time that tools see, such as 2026-01-31T12:00:00Z")
	flags.StringArrayVar(&f.files, "file", nil, "put a file into the workspace: path=local-file, repeatable")
	flags.BoolVar(&f.replyOnly, "text", false, "print the reply alone")
	flags.BoolVar(&f.asJSON, "json", false, "print the events, one JSON object a line")
	f.seat.add(flags)
	f.seat.addModel(flags)
	return c
}

// check finds what cannot be together.
func (f *runFlags) check(a *app) (opening, error) {
	if f.message == "-" {
		text, err := io.ReadAll(a.Stdin)
		if err != nil {
			return opening{}, fmt.Errorf("reading the message: %w", err)
		}
		f.message = string(text)
	}
	if strings.TrimSpace(f.message) == "" {
		return opening{}, usagef("there is no message: give one with --message")
	}
	if f.replyOnly && f.asJSON {
		return opening{}, usagef("--text and --json exclude each other")
	}
	if f.session != "" && (f.dryRun || f.asOf != "" || len(f.files) > 0) {
		return opening{}, usagef("--dry-run, --as-of and --file are for a new session, not for one that exists")
	}
	asOf, err := parseAsOf(f.asOf)
	if err != nil {
		return opening{}, err
	}
	files, err := a.readFiles(f.files)
	return opening{message: f.message, dryRun: f.dryRun, asOf: asOf, files: files}, err
}

func (a *app) runTurn(c *cobra.Command, f *runFlags) (err error) {
	ctx := c.Context()
	o, err := f.check(a)
	if err != nil {
		return err
	}
	if err := f.seat.project.log.open(a, "warn"); err != nil {
		return err
	}
	seat, err := a.openSeat(ctx, &f.seat, c.Flags(), false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, seat.close(ctx)) }()

	printer := a.newPrinter()
	input := newInput(a.Stdin)
	defer input.close()
	v := newConversation(a, seat, f.session, a.watcher(f, printer), a.asker(input))
	a.status.begin("starting the turn")
	t, err := v.turn(ctx, o)
	a.status.end()
	printer.endLine()
	if errors.Is(err, errInterrupted) {
		a.stopTurn(ctx, v)
	}
	return a.ended(v, t, f, errors.Join(err, printer.err))
}

// watcher gives what sees the events of a run.
func (a *app) watcher(f *runFlags, p *printer) func(client.Event) {
	see := p.see
	switch {
	case f.asJSON:
		see = func(e client.Event) { p.write(string(e.Line) + "\n") }
	case f.replyOnly:
		see = func(client.Event) {}
	}
	return func(e client.Event) {
		see(e)
		a.status.follow(e)
	}
}

// turn opens the session, or continues the one that there is.
func (v *conversation) turn(ctx context.Context, o opening) (*turn, error) {
	if v.session() == "" {
		return v.open(ctx, o)
	}
	return v.send(ctx, o.message)
}

// stopTurn ends what an interrupted command leaves running.
func (a *app) stopTurn(ctx context.Context, v *conversation) {
	if v.session() == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopBound)
	defer cancel()
	defer a.progress("stopping the turn")()
	if _, err := v.seat.Stop(ctx, v.session()); err != nil {
		a.say("stopping the turn: %v", err)
		return
	}
	a.say("stopped the turn of session %s", v.session())
}

// ended says how a run came out.
func (a *app) ended(v *conversation, t *turn, f *runFlags, err error) error {
	if errors.Is(err, errParked) {
		return a.parked(v, t)
	}
	if err != nil {
		return err
	}
	if t.failed != nil {
		return &coded{ExitFailed, errors.New(failure(t.failed))}
	}
	if f.replyOnly {
		return a.print("%s\n", a.shown(strings.TrimSuffix(t.reply, "\n")))
	}
	if !f.asJSON && f.session == "" {
		a.say("session %s: go on with --session %s", v.session(), v.session())
	}
	return nil
}

// parked says what waits and how it can be decided.
func (a *app) parked(v *conversation, t *turn) error {
	var names []string
	for _, p := range t.waiting() {
		names = append(names, p.ToolName+" ("+p.CallID+")")
	}
	return &coded{ExitParked, fmt.Errorf("session %s waits for your approval of %s: decide with bdk chat --session %s", v.session(), strings.Join(names, ", "), v.session())}
}

// failure is one sentence about a failed turn.
func failure(f *events.TurnFailed) string {
	if f.Status == events.StatusCancelled {
		return "the turn was cancelled: " + f.Message
	}
	if f.Code == "" {
		return "the turn failed: " + f.Message
	}
	return "the turn failed: " + f.Message + " (" + f.Code + ")"
}
