package projections

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// dump is every row of a projection, byte for byte, and where it stands.
func dump(t testing.TB, v *Views, name string) string {
	t.Helper()
	var b strings.Builder
	for kv, err := range v.Reader(name).Scan(nil, nil, false) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%q = %q\n", kv.Key, kv.Value)
	}
	for _, s := range v.Status() {
		if s.Name == name {
			fmt.Fprintf(&b, "position %d, skipped %d\n", s.Position, s.Skipped)
		}
	}
	return b.String()
}

// checkRebuilt holds: "deleting them and rebuilding gives byte-equal answers".
func checkRebuilt(t *testing.T, v *Views, j *journal.Journal) {
	t.Helper()
	caughtUp(t, v, j)
	for _, r := range v.runners {
		before := dump(t, v, r.name)
		if err := v.Rebuild(within(t), r.name); err != nil {
			t.Fatal(err)
		}
		if after := dump(t, v, r.name); after != before {
			t.Errorf("%s after a rebuild:\n%s\nbefore:\n%s", r.name, after, before)
		}
	}
}

// A counter is a custom projection: it counts events by type.
type counter struct {
	name    string
	version int
	apply   func(w *Writer, e *events.Event) error
}

func (c *counter) Name() string { return c.name }
func (c *counter) Version() int { return c.version }
func (c *counter) Apply(w *Writer, e *events.Event) error {
	if c.apply != nil {
		if err := c.apply(w, e); err != nil {
			return err
		}
	}
	return count(w, e.Type)
}

// count adds 1 to a decimal row.
func count(w *Writer, key string) error {
	b, _, err := w.Get([]byte(key))
	if err != nil {
		return err
	}
	n := 0
	if len(b) > 0 {
		if _, err := fmt.Sscan(string(b), &n); err != nil {
			return err
		}
	}
	w.Set([]byte(key), fmt.Append(nil, n+1))
	return nil
}

// counted reads a counter's row.
func counted(t testing.TB, v *Views, name, key string) string {
	t.Helper()
	b, _, err := v.Reader(name).Get([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// addTurns appends n sessions with a turn each, and gives the position after them.
func addTurns(t testing.TB, j *journal.Journal, from, n int) (position uint64) {
	t.Helper()
	for i := from; i < from+n; i++ {
		add(t, j, sessionID(i), opening("turn_1")...)
		position = add(t, j, sessionID(i), reply("turn_1")...)
	}
	return position
}

// TestRebuild_EqualWhereverEventsCameFrom: rows folded while the events were in
// memory equal those that are read from the log, though what was recorded had
// bytes and instants that the log's lines cannot hold.
func TestRebuild_EqualWhereverEventsCameFrom(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	j, err := journal.Open("root", &journal.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	live := startViews(t, j)
	turn := opening("turn_1")
	turn[0].At = testTime.Add(1234567).In(time.FixedZone("", 3600))
	turn[0].Data.(*events.SessionStarted).Title = "caf\xe9"
	turn[1].Data = &events.MessageReceived{Text: "broken \xff\xfe text", From: events.FromUser}
	expires := testTime.Add(1234567).In(time.FixedZone("", 3600))
	turn = append(turn,
		ev("turn_1", &events.ActionsRequested{Calls: []events.Call{{CallID: "call_1", ToolName: "merge"}}}),
		ev("turn_1", &events.InputRequested{
			RequestID: "req_1", Kind: events.KindApproval, CallID: "call_1", ToolName: "merge\xff",
			Args: []byte(`{ "a" : "<b>" }`), ExpiresAt: &expires,
		}),
		ev("turn_1", &events.ArtifactTagged{Artifact: events.Artifact{
			ID: "art_1", Kind: "k\xff", Key: "k", Title: "caf\xe9", SessionID: sessionID(0), CreatedAt: expires, UpdatedAt: expires,
			Data: []byte(`{ "a" : "<b>\u2028` + "\u2028\xff" + `" }`),
		}}))
	waitFor(t, live, add(t, j, sessionID(0), turn...))
	var want []string
	for _, p := range builtins(j) {
		want = append(want, dump(t, live, p.Name()))
		if rows, _, _ := strings.Cut(want[len(want)-1], "position"); rows == "" {
			t.Errorf("%s has no rows", p.Name())
		}
	}
	closeViews(t, live)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openJournal(t, fs)
	v := startViews(t, j)
	for i, p := range builtins(j) {
		if err := v.Rebuild(within(t), p.Name()); err != nil {
			t.Fatal(err)
		}
		if got := dump(t, v, p.Name()); got != want[i] {
			t.Errorf("from the log:\n%s\nfrom memory:\n%s", got, want[i])
		}
	}
}

// chapters are the appends of a session's life, round and round from the second on.
func chapters(turn string) [][]events.Event {
	answer := reply(turn)
	answer = append([]events.Event{ev(turn, &events.ActionResult{CallID: turn + "c", ToolName: "merge"})}, answer...)
	return [][]events.Event{
		{
			ev(turn, &events.MessageReceived{Text: "next", From: events.FromUser}),
			ev(turn, &events.TurnStarted{Model: "scripted"}),
			ev(turn, &events.StepStarted{Step: 1, Attempt: 1}),
		}, {
			ev(turn, &events.StepCompleted{Step: 1, Attempt: 1, FinishReason: events.FinishToolCalls}),
			ev(turn, &events.ActionsRequested{Calls: []events.Call{{CallID: turn + "c", ToolName: "merge"}}}),
			ev(turn, &events.InputRequested{RequestID: turn + "r", Kind: events.KindApproval, CallID: turn + "c", ToolName: "merge"}),
		}, {
			ev(turn, &events.InputResolved{RequestID: turn + "r", CallID: turn + "c", Decision: events.DecisionApprove}),
		}, answer,
	}
}

// TestViews_AnyRanges: whatever ranges the log is folded in, the rows are those of
// one fold from the beginning.
func TestViews_AnyRanges(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 3))
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j, &counter{name: "types", version: 1})
	progress := make([]int, 12)
	for range 400 {
		n := random.IntN(len(progress))
		id, at := sessionID(n), progress[n]
		if at == 0 {
			add(t, j, id, opening("t0")[0])
		}
		story := chapters(fmt.Sprintf("t%d", at/4))
		add(t, j, id, story[at%4]...)
		progress[n]++
		if random.IntN(4) == 0 {
			caughtUp(t, v, j)
		}
	}
	checkRebuilt(t, v, j)
	checkCosts(t, v, j)
	for n, at := range progress {
		checkSession(t, v, sessionID(n), at)
	}
}

// checkSession compares a session's answers with what its progress says.
func checkSession(t *testing.T, v *Views, id string, at int) {
	t.Helper()
	status := []string{StatusWaiting, StatusRunning, StatusParked, StatusRunning}[at%4]
	row, ok, err := v.Session(t.Context(), id)
	if at == 0 {
		return
	}
	if err != nil || !ok || row.Status != status || row.Turns != (at+3)/4 {
		t.Errorf("%s after %d: %+v, %v", id, at, row, err)
	}
	list, err := v.Approvals(t.Context(), id)
	if open := status == StatusParked; err != nil || (len(list) == 1) != open {
		t.Errorf("%s after %d: %d approvals, %v", id, at, len(list), err)
	}
}

// TestStart_NewVersionRebuilds: "a new `Version` rebuilds from the log".
func TestStart_NewVersionRebuilds(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j, &counter{name: "types", version: 1})
	position := addTurns(t, j, 0, 10)
	waitFor(t, v, position)
	closeViews(t, v)

	same := startViews(t, j, &counter{name: "types", version: 1, apply: func(w *Writer, _ *events.Event) error {
		return count(w, "seen by the same version")
	}})
	waitFor(t, same, position)
	closeViews(t, same)
	if got := counted(t, same, "types", "seen by the same version"); got != "" {
		t.Errorf("the same version folded %s events again", got)
	}

	next := startViews(t, j, &counter{name: "types", version: 2, apply: func(w *Writer, e *events.Event) error {
		w.Set([]byte("newest"), []byte(e.Type))
		return nil
	}})
	waitFor(t, next, position)
	if got := counted(t, next, "types", "turn.started"); got != "10" {
		t.Errorf("version 2 counted %s turns, want 10", got)
	}
	if got := counted(t, next, "types", "newest"); got != "session.waiting" {
		t.Errorf("version 2 saw %q last", got)
	}
}

// TestStart_AheadOfTheLogRebuilds: a position beyond the log is of another log.
func TestStart_AheadOfTheLogRebuilds(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	position := addTurns(t, j, 0, 3)
	r := newRunner(j, &counter{name: "types", version: 1}, false, testLog)
	b := r.space.NewBatch()
	r.setMark(b, position+1, 0)
	b.Set(rowKey([]byte("turn.started")), []byte("99"))
	if err := b.Commit(false); err != nil {
		t.Fatal(err)
	}
	v := startViews(t, j, &counter{name: "types", version: 1})
	waitFor(t, v, position)
	if got := counted(t, v, "types", "turn.started"); got != "3" {
		t.Errorf("counted %s turns, want 3", got)
	}
}

func TestRebuild_Unknown(t *testing.T) {
	t.Parallel()
	v := startViews(t, openJournal(t, vfs.NewMem()))
	if err := v.Rebuild(within(t), "nothing"); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
		t.Errorf("got %v", err)
	}
}
