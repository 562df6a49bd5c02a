package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/rs/zerolog"
)

// A listener is an observer of a run, with the cases that it is told of.
type listener struct {
	o    Observer
	name string
	// ids are those of its cases; nil: all results, those of broken files too.
	ids map[string]bool
	lane
	// failed is the first failure in the lane; read it when that is drained.
	failed error
}

// listen makes the observers: the reporters of the config, those of files and cases, then
// those of the options. A reporter that several cases name in the same words is one.
func (x *execution) listen(ctx context.Context) {
	made := map[Reporter]*listener{}
	add := func(rep Reporter) *listener {
		key := rep.key()
		l := made[key]
		if l == nil {
			l = &listener{name: rep.String(), ids: map[string]bool{}}
			if l.o = x.reporter(ctx, rep, l); l.o != nil {
				x.listeners = append(x.listeners, l)
			}
			made[key] = l
		}
		return l
	}
	for _, rep := range x.r.Suite.Config.Reporters {
		add(rep).ids = nil
	}
	for _, p := range x.plan {
		if p.c == nil {
			continue
		}
		for _, rep := range p.c.Reporters {
			if l := add(rep); l.ids != nil {
				l.ids[p.c.ID] = true
			}
		}
	}
	for _, o := range x.o.Observers {
		x.listeners = append(x.listeners, &listener{o: o, name: nameOf(o)})
	}
	for _, l := range x.listeners {
		l.lane.open()
	}
}

func nameOf(o Observer) string {
	if s, ok := o.(fmt.Stringer); ok {
		return s.String()
	}
	return "an observer"
}

// reporter makes the observer of a reporter; nil: it cannot, which is in the run.
func (x *execution) reporter(ctx context.Context, rep Reporter, l *listener) (o Observer) {
	err := guarded(func() (err error) {
		switch {
		case rep.Kind == ReporterCustom && x.r.Suite.Program == nil:
			return errors.New("its code did not load")
		case rep.Kind == ReporterCustom:
			o = &custom{ctx: ctx, program: x.r.Suite.Program, rep: rep, clock: x.r.clock()}
			return nil
		case x.r.FileReporter == nil:
			return errors.New("files of reporters are not written here")
		}
		o, err = x.r.FileReporter(rep)
		return err
	})
	if err != nil {
		x.told(l, err)
		return nil
	}
	return o
}

func (l *listener) start(r *Run) error {
	return guarded(func() error { return l.o.RunStarted(l.part(r)) })
}

func (l *listener) end(r *Run) error {
	return guarded(func() error { return l.o.RunEnded(l.part(r)) })
}

func (l *listener) caseStarted(c *Case) {
	if l.ids == nil || l.ids[c.ID] {
		l.put(func() error { return l.o.CaseStarted(c) })
	}
}

func (l *listener) caseEnded(c *Case, r *Result) {
	if l.ids == nil || c != nil && l.ids[c.ID] {
		l.put(func() error { return l.o.CaseEnded(r) })
	}
}

func (l *listener) put(f func() error) {
	l.lane.put(func() {
		if err := guarded(f); err != nil && l.failed == nil {
			l.failed = err
		}
	})
}

// part is the run as far as the listener's cases go.
func (l *listener) part(r *Run) *Run {
	if l.ids == nil {
		return r
	}
	p := r.clone()
	p.Results, p.part = nil, true
	for _, res := range r.Results {
		if l.ids[res.ID] {
			p.Results = append(p.Results, res)
		}
	}
	p.Totals = totalsOf(len(l.ids), p.Results)
	return p
}

// warn begins a line of the log about a failure, with the stack of a panic.
func (x *execution) warn(err error) *zerolog.Event {
	e := x.r.Logger.Warn().Err(err).Str("run", x.o.ID)
	if p := (*panicError)(nil); errors.As(err, &p) {
		e = e.Bytes("stack", p.stack)
	}
	return e
}
