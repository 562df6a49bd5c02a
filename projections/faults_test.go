package projections

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

func statusOf(t testing.TB, v *Views, name string) Status {
	t.Helper()
	for _, s := range v.Status() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no status of %s", name)
	return Status{}
}

// failsAt fails on one event, by an error or a panic.
func failsAt(session string, index uint64, fail func() error) func(*Writer, *events.Event) error {
	return func(w *Writer, e *events.Event) error {
		if e.SessionID != session || e.Index != index {
			return nil
		}
		w.Set([]byte("half"), []byte("written")) // and must not stay
		return fail()
	}
}

// TestViews_FailingCustomStopsAlone: "a custom projection that fails on an event
// stops alone, with its name, session and index in `/v1/info` diagnostics and the
// log, and the others go on".
func TestViews_FailingCustomStopsAlone(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("no such column") },
		"panic": func() error { panic("no such column") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := openJournal(t, vfs.NewMem())
			position := addTurns(t, j, 0, 20)
			log := &lines{}
			v, err := Start(t.Context(), &Options{Journal: j, Logger: zerolog.New(log), Extra: []Projection{
				&counter{name: "bad", version: 1, apply: failsAt(sessionID(7), 3, fail)},
				&counter{name: "good", version: 1},
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer closeViews(t, v)
			waitFor(t, v, position)
			waitStopped(t, v, "bad")

			s := statusOf(t, v, "bad")
			if !strings.Contains(s.Error, "no such column") || s.Session != sessionID(7) || s.Index != 3 {
				t.Errorf("status %+v", s)
			}
			// What came before is there, what it wrote at the event is not.
			if s.Position != 7*8+3 || counted(t, v, "bad", "turn.started") != "8" || counted(t, v, "bad", "half") != "" {
				t.Errorf("stopped at %d, rows\n%s", s.Position, dump(t, v, "bad"))
			}
			waitFor(t, v, addTurns(t, j, 20, 5))
			if got := counted(t, v, "good", "turn.started"); got != "25" {
				t.Errorf("the other counted %s turns, want 25", got)
			}
			rows, _, err := v.Sessions(t.Context(), SessionQuery{Limit: 100})
			if err != nil || len(rows) != 25 {
				t.Errorf("%d sessions, %v", len(rows), err)
			}
			want := `"projection":"bad","session":"` + sessionID(7) + `","index":3,"error":"`
			if got := log.with("projection stopped"); len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("log %q", got)
			}
		})
	}
}

// lines is a log that a test reads.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, string(b))
	return len(b), nil
}

func (l *lines) with(text string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.all {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// waitStopped polls nothing: await is told of every step.
func waitStopped(t testing.TB, v *Views, name string) {
	t.Helper()
	err := v.await(within(t), func(s *Status, _ bool) (bool, error) { return s.Name != name || s.Error != "", nil })
	if err != nil {
		t.Fatal(err)
	}
}

// TestViews_PanicsAgainAndAgain: contained "also the 100th time".
func TestViews_PanicsAgainAndAgain(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	position := addTurns(t, j, 0, 2)
	var calls atomic.Int64
	v := startViews(t, j, &counter{name: "bad", version: 1, apply: func(*Writer, *events.Event) error {
		calls.Add(1)
		panic("again")
	}})
	waitStopped(t, v, "bad")
	for range 100 {
		if err := v.Rebuild(within(t), "bad"); !errors.Is(err, ErrStopped) {
			t.Fatalf("got %v", err)
		}
	}
	waitFor(t, v, position)
	if n := calls.Load(); n != 101 {
		t.Errorf("called %d times: a failed event must not be repeated", n)
	}
}

// TestRebuild_RunsAgain: a stopped projection whose cause is gone takes part again.
func TestRebuild_RunsAgain(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	addTurns(t, j, 0, 5)
	var mended atomic.Bool
	v := startViews(t, j, &counter{name: "bad", version: 1, apply: failsAt(sessionID(2), 0, func() error {
		if mended.Load() {
			return nil
		}
		return errors.New("broken")
	})})
	waitStopped(t, v, "bad")
	mended.Store(true)
	if err := v.Rebuild(within(t), "bad"); err != nil {
		t.Fatal(err)
	}
	waitFor(t, v, addTurns(t, j, 5, 5))
	if got := counted(t, v, "bad", "turn.started"); got != "10" {
		t.Errorf("counted %s turns, want 10", got)
	}
}

// builtinViews runs other projections as built-in ones.
func builtinViews(t *testing.T, j *journal.Journal, p ...Projection) *Views {
	t.Helper()
	v, err := start(t.Context(), &Options{Journal: j}, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeViews(t, v) })
	return v
}

// TestViews_BuiltinSkips: "a built-in one skips and reports the event".
func TestViews_BuiltinSkips(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	position := addTurns(t, j, 0, 20)
	v := builtinViews(t, j,
		&counter{name: "odd", version: 1, apply: failsAt(sessionID(7), 3, func() error { panic("what") })},
		&counter{name: "even", version: 1})
	waitFor(t, v, position)
	s := statusOf(t, v, "odd")
	if s.Error != "" || s.Skipped != 1 || !strings.Contains(s.Skip, sessionID(7)+", event 3") {
		t.Errorf("status %+v", s)
	}
	if got := counted(t, v, "odd", "step.started"); got != "19" || counted(t, v, "odd", "half") != "" {
		t.Errorf("rows\n%s", dump(t, v, "odd"))
	}
	if s := statusOf(t, v, "even"); s.Skipped != 0 || counted(t, v, "even", "step.started") != "20" {
		t.Errorf("the other: %+v", s)
	}
	closeViews(t, v)
	again := builtinViews(t, j, &counter{name: "odd", version: 1}, &counter{name: "even", version: 1})
	if s := statusOf(t, again, "odd"); s.Skipped != 1 || s.Position != position {
		t.Errorf("after a restart: %+v", s)
	}
}

// A damagedLog has one event that cannot be read, as the journal tells of it.
type damagedLog struct {
	*journal.Journal
	damage journal.CorruptError
}

func (l *damagedLog) Range(from uint64, max int) ([]*events.Event, uint64, error) {
	if from == l.damage.Position {
		return nil, from + 1, &l.damage
	}
	if from < l.damage.Position {
		max = min(max, int(l.damage.Position-from))
	}
	return l.Journal.Range(from, max)
}

// TestCrew_DamagedEvent: one event that cannot be read is left out by built-in
// projections and stops a custom one; what stands behind it is folded.
func TestCrew_DamagedEvent(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	position := addTurns(t, j, 0, 3)
	damage := journal.CorruptError{Stream: sessionID(1), Index: 5, Position: 8 + 5, Err: errDisk}
	c := &crew{log: &damagedLog{j, damage}, changed: func(*crew) {}}
	for _, p := range builtins(j) {
		c.runners = append(c.runners, newRunner(j, p, true, testLog))
	}
	custom := newRunner(j, &counter{name: "mine", version: 1}, false, testLog)
	c.runners = append(c.runners, custom)
	if err := c.advance(t.Context(), position); err != nil {
		t.Fatal(err)
	}
	for _, r := range c.runners[:3] {
		s := r.status()
		if s.Skipped != 1 || !strings.Contains(s.Skip, sessionID(1)+", event 5") || s.Error != "" || s.Position != position {
			t.Errorf("%s: %+v", r.name, s)
		}
	}
	if s := custom.status(); s.Session != sessionID(1) || s.Index != 5 || s.Position != 8+5 || s.Error == "" {
		t.Errorf("custom: %+v", s)
	}
	row, err := readSession(c.runners[0].w, sessionID(1))
	if err != nil || row == nil || row.row.Status != StatusWaiting || row.row.Usage.InputTokens != 0 {
		t.Errorf("row %+v, %v", row, err)
	}
}

// TestCrew_DamageWithoutEnd: where it cannot be told how far damage goes, nobody goes on.
func TestCrew_DamageWithoutEnd(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	c := &crew{log: endless{}, changed: func(*crew) {}}
	c.runners = append(c.runners, newRunner(j, &counter{name: "mine", version: 1}, true, testLog))
	err := c.advance(t.Context(), 10)
	if !errors.Is(err, journal.ErrCorrupt) {
		t.Fatalf("got %v", err)
	}
	c.poison(err)
	if s := c.runners[0].status(); s.Error == "" || s.Position != 0 || s.Skipped != 0 {
		t.Errorf("status %+v", s)
	}
}

type endless struct{}

func (endless) Range(from uint64, _ int) ([]*events.Event, uint64, error) {
	return nil, from, &journal.CorruptError{Position: from, Err: errDisk}
}

// TestViews_StoreFaultTriedAgain: what the store could not do is done again, and
// no event is lost or counted twice by that.
func TestViews_StoreFaultTriedAgain(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	position := addTurns(t, j, 0, 10)
	var faults atomic.Int64
	flaky := func(w *Writer, _ *events.Event) error {
		if w.Position() == 50 && faults.Add(1) <= 3 {
			w.fault = errDisk
			return errDisk
		}
		return nil
	}
	v := startViews(t, j, &counter{name: "flaky", version: 1, apply: flaky})
	waitFor(t, v, position)
	if s := statusOf(t, v, "flaky"); s.Error != "" || s.Position != position {
		t.Fatalf("status %+v", s)
	}
	if got := counted(t, v, "flaky", "turn.started"); got != "10" {
		t.Errorf("counted %s turns, want 10", got)
	}
}

// TestViews_StoreFaultForGood: a built-in view whose store fails for good stops
// instead of being brought the same range for ever, and a waiter hears of it.
func TestViews_StoreFaultForGood(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	position := addTurns(t, j, 0, 10)
	var calls atomic.Int64
	dead := func(w *Writer, _ *events.Event) error {
		calls.Add(1)
		w.fault = errDisk
		return nil // it took no notice
	}
	v := builtinViews(t, j, &counter{name: "dead", version: 1, apply: dead}, &counter{name: "alive", version: 1})
	if err := v.WaitFor(within(t), position); !errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), errDisk.Error()) {
		t.Errorf("got %v", err)
	}
	if n := calls.Load(); n != foldRetries+1 {
		t.Errorf("tried %d times, want %d", n, foldRetries+1)
	}
	if got := counted(t, v, "alive", "turn.started"); got != "10" {
		t.Errorf("the other counted %s turns, want 10", got)
	}
}

// A renamed projection is a projection under another name, with something around Apply.
type renamed struct {
	Projection
	name  string
	apply func(p Projection, w *Writer, e *events.Event) error
}

func (r *renamed) Name() string                           { return r.name }
func (r *renamed) Apply(w *Writer, e *events.Event) error { return r.apply(r.Projection, w, e) }

// TestViews_SkippedEventLeavesNoTrace: an event at which a built-in projection
// panics after it wrote is as if it had never been there.
func TestViews_SkippedEventLeavesNoTrace(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	unlucky := func(w *Writer) bool { return w.Position()%5 == 1 }
	var list []Projection
	for _, p := range builtins(j) {
		list = append(list, &renamed{p, p.Name() + "-panics", func(p Projection, w *Writer, e *events.Event) error {
			err := p.Apply(w, e)
			if unlucky(w) {
				panic("too late")
			}
			return err
		}}, &renamed{p, p.Name() + "-leaves-out", func(p Projection, w *Writer, e *events.Event) error {
			if unlucky(w) {
				return nil
			}
			return p.Apply(w, e)
		}})
	}
	v := builtinViews(t, j, list...)
	for n := range 30 {
		id := sessionID(n % 7)
		if n < 7 {
			add(t, j, id, opening("t0")...)
		}
		story := chapters(fmt.Sprint("t", n))
		if n >= 23 {
			story = story[:2] // ends parked
		}
		for i, chapter := range story {
			add(t, j, id, chapter...)
			if (n+i)%5 == 0 {
				caughtUp(t, v, j)
			}
		}
	}
	caughtUp(t, v, j)
	for _, p := range builtins(j) {
		got, _, _ := strings.Cut(dump(t, v, p.Name()+"-panics"), "position ")
		want, _, _ := strings.Cut(dump(t, v, p.Name()+"-leaves-out"), "position ")
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", p.Name(), got, want)
		}
	}
	if s := statusOf(t, v, "sessions-panics"); s.Skipped == 0 {
		t.Error("nothing was skipped")
	}
}
