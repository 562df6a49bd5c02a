package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
)

// A chatter is one chat. While a turn runs, a second goroutine takes what is
// typed and what is signalled; between turns the loop itself reads.
type chatter struct {
	a           *app
	seat        *seat
	v           *conversation
	in          *input
	printer     *printer
	interactive bool
	// outcome is what the chat ends with at the end of its input.
	outcome error

	// running says that a turn runs, armed that the next Ctrl-C ends the chat.
	running atomic.Bool
	armed   atomic.Bool
	stops   chan struct{}
	// asking says that an approval waits for the next line, which goes to answers.
	asking  atomic.Bool
	answers chan inputLine
	// eof says that the input ended during a turn.
	eof atomic.Bool
	// queued are lines typed during a turn. They belong to the second goroutine
	// while there is one, else to the loop.
	queued []string
}

func newChatter(a *app, s *seat, session string) *chatter {
	ch := &chatter{
		a: a, seat: s, in: newInput(a.Stdin), printer: a.newPrinter(),
		interactive: a.terminal(a.Stdin) && a.terminal(a.Stderr),
		stops:       make(chan struct{}, 1), answers: make(chan inputLine, 1),
	}
	ch.v = newConversation(a, s, session, ch.printer.see, ch.ask)
	return ch
}

// signal takes Ctrl-C: it stops a running turn first; twice in a row it ends the chat.
func (ch *chatter) signal(s os.Signal) bool {
	if s != os.Interrupt || ch.armed.Swap(true) {
		return false
	}
	if !ch.running.Load() {
		ch.a.say("\npress Ctrl-C again to leave, or write on")
		return true
	}
	select {
	case ch.stops <- struct{}{}:
	default:
	}
	return true
}

// next gives the next line: one typed during the last turn, or a new one.
func (ch *chatter) next(ctx context.Context) (string, error) {
	if len(ch.queued) > 0 {
		line := ch.queued[0]
		ch.queued = ch.queued[1:]
		return line, nil
	}
	if ch.eof.Load() {
		return "", io.EOF
	}
	if ch.interactive {
		_, _ = io.WriteString(ch.a.Stderr, "> ")
	}
	line, err := ch.in.line(ctx)
	ch.armed.Store(false)
	return line, err
}

// during runs a turn while the second goroutine listens.
func (ch *chatter) during(ctx context.Context, run func(context.Context) (*turn, error)) (*turn, error) {
	ch.running.Store(true)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { ch.listen(ctx, done) })
	t, err := run(ctx)
	ch.running.Store(false)
	close(done)
	wg.Wait()
	return t, err
}

// listen takes lines (on a terminal) and Ctrl-C until done.
func (ch *chatter) listen(ctx context.Context, done <-chan struct{}) {
	for {
		var lines <-chan inputLine
		if ch.interactive && !ch.eof.Load() {
			lines = ch.in.lines()
		}
		select {
		case l := <-lines:
			ch.in.taken()
			ch.typed(ctx, l)
		case <-ch.stops:
			ch.halt(ctx)
		case <-done:
			return
		}
	}
}

// typed is a line that came during a turn.
func (ch *chatter) typed(ctx context.Context, l inputLine) {
	ch.armed.Store(false)
	ch.eof.Store(l.err != nil)
	text := strings.TrimSpace(l.text)
	quits := text == "/quit" || text == "/exit"
	if quits {
		ch.queued = append([]string{text}, ch.queued...)
	}
	switch {
	case quits, text == "/stop":
		ch.halt(ctx)
	case ch.asking.CompareAndSwap(true, false): // one line answers one question
		ch.answers <- l
	case l.err != nil:
	default:
		ch.queued = append(ch.queued, l.text)
	}
}

// halt ends the turn; where a question is open, who asked it does.
func (ch *chatter) halt(ctx context.Context) {
	if ch.asking.CompareAndSwap(true, false) {
		ch.answers <- inputLine{text: "/stop"}
		return
	}
	ch.stop(ctx)
}

// stop ends the turn of the session.
func (ch *chatter) stop(ctx context.Context) {
	if ch.v.session() == "" {
		ch.a.say("there is no turn to stop")
		return
	}
	stopped, err := ch.seat.Stop(ctx, ch.v.session())
	if err != nil {
		ch.a.say("stopping the turn: %v", err)
	} else if !stopped {
		ch.a.say("there is no turn to stop")
	}
}

// ask decides about a call that waits.
func (ch *chatter) ask(ctx context.Context, r *events.InputRequested) (string, bool, error) {
	if !ch.interactive || ch.eof.Load() {
		return "", false, nil
	}
	ch.a.say("%s wants to run with\n%s", r.ToolName, ch.a.argsShown(r.Args))
	for {
		ch.asking.Store(true) // before the question is seen
		_, _ = io.WriteString(ch.a.Stderr, "run it? [y/n] ")
		if ch.eof.Load() && ch.asking.CompareAndSwap(true, false) {
			return "", false, nil
		}
		var l inputLine
		select {
		case l = <-ch.answers:
		case <-ctx.Done():
			ch.asking.Store(false)
			return "", false, context.Cause(ctx)
		}
		if l.err != nil {
			return "", false, nil
		}
		if decision := decided(l.text); decision != "" {
			return decision, true, nil
		}
		if strings.TrimSpace(l.text) == "/stop" {
			if _, err := ch.seat.Stop(ctx, ch.v.session()); err != nil {
				return "", false, err
			}
			return "", false, errStopped
		}
	}
}

// catchUp reads what the session holds, shows its end, and takes up a turn that is open.
func (ch *chatter) catchUp(ctx context.Context) error {
	open, shown := &turn{}, []client.Event{}
	for e, err := range ch.seat.Stream(ctx, ch.v.session(), client.StreamQuery{Once: true}) {
		if err != nil {
			return err
		}
		ch.v.next = e.Index + 1
		switch d := e.Data.(type) {
		case *events.TurnStarted:
			open = &turn{id: e.TurnID}
		case *events.MessageReceived:
			shown = append(shown, e)
		case *events.MessageCompleted:
			if d.ParentCallID == "" {
				shown = append(shown, e)
			}
		}
		open.see(e)
	}
	for _, e := range shown[max(0, len(shown)-recentMessages):] {
		if m, ok := e.Data.(*events.MessageReceived); ok {
			ch.printer.note("> " + m.Text)
			continue
		}
		ch.printer.see(e)
	}
	if open.id == "" || open.ended {
		return nil
	}
	t, err := ch.during(ctx, func(ctx context.Context) (*turn, error) { return ch.v.resume(ctx, open) })
	return ch.settle(ctx, t, err)
}

// recentMessages is how many are shown of a session that is continued.
const recentMessages = 10
