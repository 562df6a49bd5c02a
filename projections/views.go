package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events/journal"
)

// Views are the running projections and what they have folded. They are safe for
// concurrent use; after Close the rows can still be read, as long as the journal
// is open.
type Views struct {
	journal *journal.Journal
	log     zerolog.Logger
	prices  Prices // nil: none is known
	runners []*runner
	crews   []*crew
	router  *message.Router
	end     context.CancelFunc
	life    context.Context
	work    sync.WaitGroup

	// closing is closed when Close was called, closed when all that ran has ended.
	once     sync.Once
	closing  chan struct{}
	closed   chan struct{}
	closeErr error

	// mu guards what the crews tell of their members after each step.
	mu     sync.Mutex
	status []Status
	moved  chan struct{} // closed when status changes; nil while nobody waits
}

// Start begins to fold from where each projection was left, or from the beginning
// of the log where its version is new, and returns without waiting for that: use
// WaitFor. ctx bounds Start alone. The caller closes the Views, before the journal.
func Start(ctx context.Context, o *Options) (*Views, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	return start(ctx, o, builtins(o.Journal))
}

func start(ctx context.Context, o *Options, builtin []Projection) (*Views, error) {
	v := &Views{
		journal: o.Journal, log: o.Logger, prices: o.Prices,
		closing: make(chan struct{}), closed: make(chan struct{}),
	}
	v.enlist(builtin, o.Extra)
	for _, r := range v.runners {
		if err := r.open(v.journal.Position()); err != nil {
			return nil, err
		}
		v.status = append(v.status, Status{})
	}
	for _, c := range v.crews {
		v.publish(c)
	}
	router, err := newRouter(v.journal, v.crews, o.Logger)
	if err != nil {
		return nil, fmt.Errorf("projections: starting: %w", err)
	}
	v.router = router
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	return v, nil
}

// builtins are on the same interface as custom ones.
func builtins(j *journal.Journal) []Projection {
	return []Projection{sessions{}, costs{}, approvals{}, newArtifacts(j)}
}

// enlist makes the runners: the built-in ones first, in one crew.
func (v *Views) enlist(builtins, extra []Projection) {
	builtin := &crew{name: "builtin", log: v.journal, changed: v.publish}
	v.crews = append(v.crews, builtin)
	for _, p := range builtins {
		r := newRunner(v.journal, p, true, v.log)
		builtin.runners = append(builtin.runners, r)
		v.runners = append(v.runners, r)
	}
	for _, p := range extra {
		r := newRunner(v.journal, p, false, v.log)
		v.runners = append(v.runners, r)
		v.crews = append(v.crews, &crew{
			name: "extra." + r.name, log: v.journal, changed: v.publish, runners: []*runner{r},
		})
	}
}

// run starts the router and waits until its handlers are subscribed.
func (v *Views) run(ctx context.Context) error {
	v.life, v.end = context.WithCancel(context.WithoutCancel(ctx))
	failed := make(chan error, 1)
	v.work.Go(func() { failed <- v.router.Run(v.life) })
	select {
	case <-v.router.Running():
		return nil
	case err := <-failed:
		v.end()
		return fmt.Errorf("projections: starting: %w", err)
	case <-ctx.Done():
		return errors.Join(ctx.Err(), v.Close(context.WithoutCancel(ctx)))
	}
}

// Close ends the folding after the ranges in hand and writes down how far it
// came. It is idempotent. When ctx ends first it returns, and the rest goes on.
func (v *Views) Close(ctx context.Context) error {
	v.once.Do(func() {
		v.mu.Lock()
		close(v.closing)
		v.mu.Unlock()
		go v.shut()
	})
	select {
	case <-v.closed:
		return v.closeErr
	case <-ctx.Done():
		return fmt.Errorf("projections: closing: %w", ctx.Err())
	}
}

func (v *Views) shut() {
	defer close(v.closed)
	v.end()
	err := v.router.Close()
	v.work.Wait()
	for _, c := range v.crews {
		err = errors.Join(err, c.save())
	}
	v.closeErr = err
}

func (c *crew) save() (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.runners {
		if r.fault == nil {
			err = errors.Join(err, r.save())
		}
	}
	return err
}

// find gives the runner of a name.
func (v *Views) find(name string) (*runner, error) {
	for _, r := range v.runners {
		if r.name == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("%w %q", ErrUnknown, name)
}
