// Package actors does what sessions decide: a Host on hollywood whose session
// actors record facts in the journal and then act, through children that call
// the model, run tools and wait for approvals.
package actors

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/oauth"
)

// A Host runs the sessions of its agents. Its methods are safe for concurrent
// use; those that change something return when the change is on disk.
type Host struct {
	o       Options
	journal *journal.Journal
	eng     *engine
	sup     *actor.PID
	agents  lineups
	places  *places
	storage *storage
	benches benches
	stubs   stubs
	replays replays
	// instructions are those that functions of authors gave.
	instructions *instructions

	infos     sync.Map // session id → *SessionInfo, of awake sessions
	inflight  inflight
	tagging   tagging
	findings  findings
	free      freeSpace
	gate      sync.Mutex // orders enter and Drain
	reloading sync.Mutex // one Reload at a time
	expired   time.Time  // when old unique keys were dropped; of the sweep's timer alone
	root      []byte     // what secrets are derived from
	tokens    *tokens
	oauth     *oauth.Manager
	grants    *grants
	alarms    alarms
	schedules scheduler

	// life ends with the host: every effect's context comes from it.
	life     context.Context
	end      context.CancelFunc
	effects  sync.WaitGroup
	busy     atomic.Int64 // sessions whose turn runs
	hooking  atomic.Int64 // what hooks and channels were told or asked, and have not handled
	draining atomic.Bool
	degraded atomic.Bool
	closed   chan struct{}
	closing  sync.Once
	closeErr error
}

// Start takes up what was interrupted and returns when the host accepts commands.
// The caller keeps Journal and Views and closes them after the host.
func Start(ctx context.Context, o *Options) (*Host, error) {
	if o == nil {
		return nil, errors.New("actors: there are no Options: Journal, Agents and Models are required")
	}
	opts := *o
	opts.EnsureDefaults()
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	eng, err := newEngine()
	if err != nil {
		return nil, err
	}
	h := &Host{o: opts, journal: opts.Journal, eng: eng, closed: make(chan struct{})}
	h.life, h.end = context.WithCancel(context.Background())
	h.places = newPlaces(&opts)
	h.storage = newStorage(&opts)
	h.instructions = newInstructions(h.journal)
	h.alarms.h = h
	h.schedules = newScheduler(h)
	h.grants = newGrants(h)
	if h.root, err = rootSecret(h.journal); err != nil {
		return nil, err
	}
	h.tokens = newTokens(h.Secret("tokens"))
	if err := h.newOAuth(); err != nil {
		return nil, err
	}
	h.endLeftovers()
	h.agents = lineups{h: h, retired: map[*agentRuntime]bool{}}
	first, _, err := h.nextLineup(&lineup{}, opts.Agents)
	if err != nil {
		return nil, err
	}
	h.agents.newest.Store(first)
	h.sup = eng.spawn("supervisor", "1", &supervisor{h: h, live: map[string]*entry{}})
	err = h.recoverLogs(ctx, first.bySlug)
	if err == nil {
		err = h.recoverSessions(ctx, nil)
	}
	if err == nil {
		err = h.recoverFirings(ctx, first.bySlug)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	h.warnOfCircles()
	h.tellFailures(first.bySlug)
	h.beginChannels(first.bySlug)
	h.sweepLater()
	h.schedules.kick()
	return h, nil
}

// Close takes no new work, lets running turns, hooks and handlers of channels go on
// until ctx ends, and leaves the rest of the turns, and of what channels deliver and have
// received, for recovery. It is idempotent.
func (h *Host) Close(ctx context.Context) error {
	h.closing.Do(func() { h.closeErr = h.close(ctx) })
	return h.closeErr
}

func (h *Host) close(ctx context.Context) error {
	h.Drain()
	h.schedules.stop()
	h.settle(ctx)
	h.alarms.stop()
	done := make(chan struct{})
	h.eng.send(h.sup, &closeAll{done: done})
	bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	select {
	case <-done:
	case <-bound.Done():
	}
	h.gate.Lock() // nothing is let in from here on
	h.end()
	h.gate.Unlock()
	close(h.closed)
	waited := make(chan struct{})
	go func() { h.effects.Wait(); close(waited) }()
	select {
	case <-waited:
	case <-bound.Done():
		h.o.Logger.Warn().Msg("effects are still running: they are left behind")
	}
	if h.o.Views != nil {
		_ = h.o.Views.WaitFor(bound, h.journal.Position()) // a view that lags catches up at the next start
	}
	h.agents.close()
	return errors.Join(h.eng.endAndWait(bound, h.sup), h.storage.close())
}

// settle waits until no turn, no hook and no handler of a channel runs.
func (h *Host) settle(ctx context.Context) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for h.busy.Load() > 0 || h.hooking.Load() > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Drain makes every further command fail with ErrDraining; reads go on.
func (h *Host) Drain() {
	h.gate.Lock()
	defer h.gate.Unlock()
	h.draining.Store(true)
}

// enter counts work that is begun on a caller's goroutine among the effects, so
// that Close waits for all of it; after Drain none begins. The caller ends it by
// effects.Done, or leaves that to spawnEffect.
func (h *Host) enter() error {
	h.gate.Lock()
	defer h.gate.Unlock()
	if h.Draining() {
		return ErrDraining
	}
	h.effects.Add(1)
	return nil
}

// Draining says whether the host takes no more work.
func (h *Host) Draining() bool { return h.draining.Load() }

// Running counts the sessions whose turn, or direct call, runs.
func (h *Host) Running() int64 { return h.busy.Load() }

// Degraded says whether a session's log could not be read since the start.
func (h *Host) Degraded() bool { return h.degraded.Load() }

// Journal is the log that the host writes.
func (h *Host) Journal() *journal.Journal { return h.journal }

// Agents lists the agents in the order of Options, or of the last Reload.
func (h *Host) Agents() []*agent.Agent { return h.agents.newest.Load().listed }

// Agent gives the agent of a slug, nil when there is none. One that a Reload took
// away is still there for the sessions that it has.
func (h *Host) Agent(slug string) *agent.Agent {
	if r := h.agents.of(slug); r != nil {
		return r.Agent
	}
	return nil
}

// ModelName is the full id of the model that a turn of a would use now.
func (h *Host) ModelName(a *agent.Agent) string {
	return (&agentRuntime{Agent: a, h: h}).modelName()
}

// Now is the host's time.
func (h *Host) now() time.Time { return h.o.Clock.Now() }

func (h *Host) newID(prefix string) string {
	id, err := events.NewID(prefix, h.now(), rand.Reader)
	if err != nil {
		panic(err) // the system's randomness never fails
	}
	return id
}

// spawnEffect runs an effect on a goroutine of its own, behind the one guard of the package.
// The work was counted by the caller, on its actor's goroutine.
func (h *Host) spawnEffect(f func(), crashed func(fault any)) {
	go func() {
		defer h.effects.Done()
		defer func() {
			if fault := recover(); fault != nil {
				h.o.Logger.Error().Str("fault", fmt.Sprint(fault)).Bytes("stack", debug.Stack()).Msg("a panic was contained")
				crashed(fault)
			}
		}()
		f()
	}()
}

// expireEvery is how often unique keys that have run out are dropped.
const expireEvery = time.Hour

// expireKeys drops them, on the timer's goroutine. A fault waits for the next time.
func (h *Host) expireKeys() {
	now := h.now()
	if now.Sub(h.expired) < expireEvery {
		return
	}
	h.expired = now
	if _, err := h.journal.Expire(now); err != nil && h.life.Err() == nil {
		h.o.Logger.Warn().Err(err).Msg("old unique keys were not dropped")
	}
}

func (h *Host) sweepLater() {
	h.o.Clock.AfterFunc(h.o.IdleAfter/2, func() {
		if h.life.Err() == nil {
			h.eng.send(h.sup, &sweep{before: h.now().Add(-h.o.IdleAfter)})
			h.expireKeys()
			h.sweepLater()
		}
	})
}
