package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Bounds of what follows the end of a case's time.
const (
	// programGrace is for a test to notice that its time is over.
	programGrace = 30 * time.Second
	// closeLimit is for a session to come to rest, and closeGrace for whoever brings it there.
	closeLimit = 30 * time.Second
	closeGrace = 10 * time.Second
)

// An attempt is a case under way.
type attempt struct {
	x       *execution
	p       *planned
	session Session
	watch   *watched
	res     *Result
}

// attempt runs a case and gives its result. Whatever happens, its session rests then.
func (x *execution) attempt(ctx context.Context, p *planned, started time.Time) *Result {
	a := &attempt{x: x, p: p, res: resultOf(p.c, p.order, started)}
	if err := a.open(); err != nil {
		return a.settle(nil, a.fault(FaultHost, "opening a session", err))
	}
	rec, fault := a.program(ctx)
	a.res.DurationMs = x.since(started)
	if err := a.close(ctx); err != nil && fault == nil {
		fault = a.fault(FaultHost, "ending the session", err)
	}
	if err := a.look(); err != nil && fault == nil {
		fault = a.fault(FaultHost, "reading what the session did", err)
	}
	return a.settle(rec, fault)
}

func (a *attempt) open() error {
	c := a.p.c
	return guarded(func() error {
		a.session = a.x.r.Target.Open(OpenOptions{Model: a.x.o.model(a.x.r.Suite, c), Title: c.ID})
		if a.session == nil {
			return errors.New("there is none")
		}
		a.watch = &watched{inner: a.session}
		return nil
	})
}

// program runs the test to its end, or to that of its time.
func (a *attempt) program(ctx context.Context) (*Record, *Fault) {
	s, c := a.x.r.Suite, a.p.c
	if s.Program == nil {
		return nil, &Fault{Kind: FaultHost, Message: "the suite has no program"}
	}
	judge, limit := c.Judge, a.x.o.timeout(s, c)
	if judge == nil {
		judge = s.Config.Judge
	}
	var over error // why ctx ended before the test did
	rec, err := within(ctx, a.x.r.clock(), limit, programGrace, func(ctx context.Context) (*Record, error) {
		rec, err := s.Program.Run(ctx, c, judge, limit, a.watch)
		over = context.Cause(ctx)
		return rec, err
	})
	if late := (*overdueError)(nil); errors.As(err, &late) {
		// over is still the goroutine's that was left behind
		return nil, a.ended(late.cause, limit, "; the test did not stop when asked, so that what it asserted is lost")
	}
	if over == nil && rec != nil && rec.Error != nil && rec.Error.Kind == FaultTimeout {
		over = &timeUp{limit} // the program's clock was the first
	}
	if over != nil {
		return rec, a.ended(over, limit, a.held(rec))
	}
	return rec, a.why(rec, err)
}

// held says what kept all tests from going on when the case was ended; empty for nothing.
func (a *attempt) held(rec *Record) string {
	switch {
	case rec == nil || rec.HeldBy == "":
		return ""
	case rec.HeldBy == a.p.c.ID:
		return "; its test ran on without awaiting, and all others waited for it"
	}
	return "; it waited for " + rec.HeldBy + ", which ran on without awaiting"
}

// ended is the fault of a case that was brought to its end.
func (a *attempt) ended(cause error, limit time.Duration, more string) *Fault {
	if b := a.watch.seen().broken; b != nil {
		more += "; before that " + brokenText(b)
	}
	if up := (*timeUp)(nil); errors.As(cause, &up) {
		return &Fault{Kind: FaultTimeout, Message: fmt.Sprintf("the case took longer than its time limit of %s and was stopped%s", limit, more)}
	}
	return &Fault{Kind: FaultStopped, Message: "the run was cancelled while the case was under way" + more}
}

// why is the fault of a case that came to its own end; nil: there is none. What broke and
// was caught by the test counts as well.
func (a *attempt) why(rec *Record, err error) *Fault {
	w := a.watch.seen()
	switch {
	case w.broken != nil:
		f := &Fault{Kind: FaultTurn, Message: brokenText(w.broken)}
		if rec != nil && rec.Error != nil {
			f.Place, f.Stack = rec.Error.Place, rec.Error.Stack
		}
		return f
	case err != nil:
		return a.fault(FaultHost, "running the test", err)
	case rec == nil:
		return &Fault{Kind: FaultHost, Message: "the test left no record"}
	case rec.Error != nil:
		f := *rec.Error
		f.Kind = cmp.Or(f.Kind, FaultTest)
		return &f
	case w.err != nil:
		return a.fault(FaultHost, "the session", w.err)
	case w.judgeErr != nil:
		return a.fault(FaultJudge, "the judge", w.judgeErr)
	}
	return a.p.load
}

// fault says what was being done; a panic's stack goes to the log.
func (a *attempt) fault(kind, doing string, err error) *Fault {
	a.x.warn(err).Str("case", a.p.c.ID).Msg(doing)
	return &Fault{Kind: kind, Message: doing + ": " + err.Error()}
}

// close brings the session to rest, whatever became of the run.
func (a *attempt) close(ctx context.Context) error {
	_, err := within(context.WithoutCancel(ctx), a.x.r.clock(), closeLimit, closeGrace, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, a.session.Close(ctx)
	})
	return err
}

// look takes what the session says about the case.
func (a *attempt) look() error {
	w, lines := a.watch.seen(), []json.RawMessage(nil)
	err := guarded(func() (err error) {
		a.res.Metrics.Spent = a.session.Spent()
		lines, err = a.session.Events()
		return err
	})
	t := traceOf(lines)
	a.res.Inputs, a.res.ToolCalls, a.res.Tools = w.inputs, t.toolCalls(), t.tools()
	a.res.Metrics.Turns, a.res.Metrics.ToolCalls = len(t.turns), len(t.calls)
	a.res.SessionID, a.res.FinalText = t.session, t.reply
	if w.last != nil {
		a.res.SessionID = w.last.SessionID
		if !w.open {
			a.res.FinalText = w.last.Message
		}
	}
	return err
}

// settle gives the verdict.
func (a *attempt) settle(rec *Record, fault *Fault) *Result {
	r := a.res
	r.Error = fault
	if rec == nil {
		rec = &Record{}
	}
	r.Assertions, r.Logs = settled(rec.Assertions), rec.Logs
	r.Verdict = verdict(r.Assertions, fault, rec.Skip)
	if rec.Skip != nil {
		r.SkipReason = *rec.Skip
	}
	return r.whole(r.Order)
}
