package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/events"
)

// A testHost is a service with the suite that it loads.
type testHost struct {
	*Service
	suite  *Suite
	target *testTarget
	loads  int
	by     events.Principal
	gone   error // of the target
}

func newTestHost(t *testing.T, f func(*testRun) (*Record, error), ids ...string) *testHost {
	t.Helper()
	return hostAt(t, t.TempDir(), f, ids...)
}

func hostAt(t *testing.T, dir string, f func(*testRun) (*Record, error), ids ...string) *testHost {
	t.Helper()
	h := &testHost{suite: suiteOf(f, ids...), target: &testTarget{}}
	h.Service = NewService(&ServiceOptions{
		Agent: "a", Store: OpenStore(dir),
		Load: func(ctx context.Context) (*Suite, error) {
			h.loads++
			return h.suite, ctx.Err()
		},
		Target: func(by events.Principal) (Target, error) { h.by = by; return h.target, h.gone },
	})
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// ended waits until a run is no longer under way.
func (h *testHost) ended(t *testing.T, id string) *Run {
	t.Helper()
	h.mu.Lock()
	l := h.live
	h.mu.Unlock()
	if l != nil {
		<-l.done
	}
	r, err := h.Run(id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func started(t *testing.T, h *testHost, o StartOptions) *Run {
	t.Helper()
	r, err := h.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// "POST /v1/dev/evals/runs: Start {filterIds?, tags?, timeoutMs?, verbose?}", then "poll the
// run route until its status is completed, failed, or cancelled".
func TestService_RunsToTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	h := newTestHost(t, says, "a", "b/c", "b/d")
	h.suite.Cases[2].Tags = []string{"smoke"}
	by := events.Principal{Kind: "user", ID: "ada"}
	r, err := h.Start(ctx, StartOptions{FilterIDs: []string{"b"}, Tags: []string{"smoke"}, By: by})
	cancel() // the request is over
	if err != nil || r.Status != RunRunning || r.Totals.Cases != 1 || fmt.Sprint(r.FilterIDs, r.Tags) != "[b] [smoke]" || h.by != by {
		t.Fatalf("%+v, %v, by %v", r, err, h.by)
	}
	got := h.ended(t, r.ID)
	if got.Status != RunCompleted || got.Error != "" || got.By == nil || *got.By != by || got.Totals.Passed != 1 || got.Results[0].ID != "b/d" || h.suite.program().closed != 1 {
		t.Errorf("%+v; closed %d times", got, h.suite.program().closed)
	}
	stored, err := h.o.Store.Run(r.ID)
	if err != nil || encoded(t, stored) != encoded(t, got) {
		t.Errorf("stored %s\nwant %s\n%v", encoded(t, stored), encoded(t, got), err)
	}
}

// "409 while another run is active"; the suite is loaded anew for every run.
func TestService_OneRunAtATime(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	h := newTestHost(t, func(r *testRun) (*Record, error) { close(begun); return untilOver(r) }, "a")
	r := started(t, h, StartOptions{})
	<-begun
	if _, err := h.Start(t.Context(), StartOptions{}); !errors.Is(err, ErrRunning) || !strings.Contains(err.Error(), r.ID) {
		t.Errorf("a second run: %v", err)
	}
	if c, err := h.Cancel(r.ID); err != nil || c.ID != r.ID {
		t.Errorf("cancel: %+v, %v", c, err)
	}
	if got := h.ended(t, r.ID); got.Status != RunCancelled || got.Results[0].Error.Kind != FaultStopped {
		t.Errorf("%+v", got)
	}
	h.suite = suiteOf(says, "new")
	r2 := started(t, h, StartOptions{})
	if got := h.ended(t, r2.ID); got.Status != RunCompleted || got.Results[0].ID != "new" || h.loads != 2 {
		t.Errorf("%+v, %d loads", got, h.loads)
	}
	// "return 404 when unknown or 409 when no longer running"
	for id, want := range map[string]error{r.ID: ErrNotRunning, r2.ID: ErrNotRunning, "20260131-120000-x7ab": ErrUnknownRun, "x": ErrUnknownRun, "": ErrUnknownRun} {
		if _, err := h.Cancel(id); !errors.Is(err, want) {
			t.Errorf("cancelling %q: %v", id, err)
		}
	}
	if runs, err := h.Runs(0); err != nil || len(runs) != 2 || runs[0].Results != nil {
		t.Errorf("%v, %v", runs, err)
	}
}

// Loading takes a VM and a compiler: one suite loads at a time, whoever asks.
func TestService_OneSuiteLoadsAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newTestHost(t, says, "a")
		now, most := 0, 0
		h.o.Load = func(ctx context.Context) (*Suite, error) {
			now++
			most = max(most, now)
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			now--
			return h.suite, ctx.Err()
		}
		ended := make(chan error)
		for range 3 {
			go func() { _, err := h.List(t.Context()); ended <- err }()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		synctest.Wait()
		if _, err := h.List(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one whose request is over: %v", err)
		}
		for range 3 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		if most != 1 {
			t.Errorf("%d at once", most)
		}
	})
}

// A run under way is seen as it stands.
func TestService_Progress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		go_ := make(chan struct{})
		h := hostAt(t, t.TempDir(), func(r *testRun) (*Record, error) {
			if r.c.ID == "b" {
				<-go_
			}
			return holds(), nil
		}, "a", "b", "c")
		h.suite.Config.MaxConcurrency = 1
		r := started(t, h, StartOptions{})
		synctest.Wait()
		<-time.After(3 * time.Second)
		for name, see := range map[string]func() (*Run, error){
			"one":  func() (*Run, error) { return h.Run(r.ID) },
			"list": func() (*Run, error) { runs, err := h.Runs(1); return runs[0], err },
		} {
			got, err := see()
			if err != nil || got.Status != RunRunning || got.Totals.Done != 1 || got.Totals.Cases != 3 || fmt.Sprint(got.Running) != "[b]" || got.DurationMs != 3000 {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
			if (len(got.Results) == 1) != (name == "one") {
				t.Errorf("%s: %d results", name, len(got.Results))
			}
		}
		close(go_)
		if got := h.ended(t, r.ID); got.Totals.Passed != 3 {
			t.Errorf("%+v", got)
		}
	})
}

// Who sees that a run has ended can start the next: until its suite is closed and all
// reporters are told, it is running.
func TestService_EndedMeansFree(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := hostAt(t, t.TempDir(), says, "a")
		close_ := make(chan struct{})
		h.suite.Program = slowToClose{h.suite.Program, close_}
		r := started(t, h, StartOptions{})
		synctest.Wait() // the program is being closed
		list, err := h.Runs(1)
		if err != nil {
			t.Fatal(err)
		}
		one, err := h.Run(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []*Run{one, list[0]} {
			if got.Status != RunRunning || got.FinishedAt != nil || got.Totals.Done != 1 {
				t.Errorf("%+v", got)
			}
		}
		if _, err := h.Start(t.Context(), StartOptions{}); !errors.Is(err, ErrRunning) {
			t.Error(err)
		}
		close(close_)
		synctest.Wait()
		if got, err := h.Run(r.ID); err != nil || got.Status != RunCompleted || got.FinishedAt == nil {
			t.Errorf("%+v, %v", got, err)
		}
		h.ended(t, started(t, h, StartOptions{}).ID)
	})
}

// A slowToClose program closes when its channel does.
type slowToClose struct {
	Program
	close chan struct{}
}

func (p slowToClose) Close() error { <-p.close; return p.Program.Close() }

// "verbose": without it results hold how a case came out and what it cost alone.
func TestService_Verbose(t *testing.T) {
	t.Parallel()
	h := newTestHost(t, func(r *testRun) (*Record, error) {
		_, _ = r.d.Send(r.ctx, "hello", SendOptions{})
		return &Record{Assertions: append(holds().Assertions, misses(Gate).Assertions...), Logs: []string{"l"}}, nil
	}, "a")
	h.suite.Cases[0].Description, h.suite.Cases[0].Tags = "about a", []string{"t"}
	for _, verbose := range []bool{false, true} {
		r := started(t, h, StartOptions{Verbose: verbose})
		inMemory := h.ended(t, r.ID)
		onDisk, err := h.o.Store.Run(r.ID)
		if err != nil || encoded(t, onDisk) != encoded(t, inMemory) {
			t.Errorf("disk %s\nmemory %s\n%v", encoded(t, onDisk), encoded(t, inMemory), err)
		}
		res := inMemory.Results[0]
		if fmt.Sprint(res.Description, " ", res.Tags) != "about a [t]" {
			t.Errorf("verbose %v: %q, tags %q", verbose, res.Description, res.Tags)
		}
		if res.Verdict != Failed || res.SessionID != "ses_a" || res.Metrics.Steps != 1 {
			t.Errorf("%+v", res)
		}
		want := "1 0 0 "
		if verbose {
			want = "2 1 1 re: hello"
		}
		if got := fmt.Sprint(len(res.Assertions), " ", len(res.Inputs), " ", len(res.Logs), " ", res.FinalText); got != want {
			t.Errorf("verbose %v: %q", verbose, got)
		}
	}
}

// What does not begin leaves nothing behind, and the next run may.
func TestService_StartThatFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := hostAt(t, filepath.Join(dir, "runs"), says, "a")
	if _, err := h.Start(t.Context(), StartOptions{FilterIDs: []string{"x"}}); !errors.Is(err, ErrNoCases) {
		t.Errorf("no cases: %v", err)
	}
	if _, err := h.Start(t.Context(), StartOptions{Timeout: -1}); !errors.Is(err, ErrOptions) {
		t.Errorf("options: %v", err)
	}
	config := h.suite.Config
	h.suite.Config = nil
	if _, err := h.Start(t.Context(), StartOptions{}); !errors.Is(err, ErrNoConfig) {
		t.Errorf("no config: %v", err)
	}
	h.suite.Config = config
	load := h.o.Load
	h.o.Load = func(context.Context) (*Suite, error) { return nil, errors.New("no such folder") }
	if _, err := h.Start(t.Context(), StartOptions{}); err == nil || err.Error() != "loading evals: no such folder" {
		t.Errorf("load: %v", err)
	}
	h.o.Load = func(context.Context) (*Suite, error) { panic("x") }
	if _, err := h.List(t.Context()); err == nil || err.Error() != "loading evals: it panicked: x" {
		t.Errorf("load: %v", err)
	}
	h.o.Load = load
	if err := os.WriteFile(filepath.Join(dir, "runs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Start(t.Context(), StartOptions{}); err == nil || !strings.Contains(err.Error(), "keeping") {
		t.Errorf("no disk: %v", err)
	}
	if n := h.suite.program().closed; n != 4 {
		t.Errorf("the suite was closed %d times", n)
	}
	if err := os.Remove(filepath.Join(dir, "runs")); err != nil {
		t.Fatal(err)
	}
	if r := started(t, h, StartOptions{}); h.ended(t, r.ID).Status != RunCompleted {
		t.Error("the next run did not complete")
	}
}

// "maxPlaygroundRuns: Number of server-side batches kept in playground history; defaults to 20".
func TestService_History(t *testing.T) {
	t.Parallel()
	for keep, want := range map[int]int{2: 2, 0: 3} {
		h := newTestHost(t, says, "a")
		h.suite.Config.MaxPlaygroundRuns = keep
		for range 3 {
			h.ended(t, started(t, h, StartOptions{}).ID)
		}
		if runs, err := h.Runs(0); err != nil || len(runs) != want {
			t.Errorf("keep %d: %d runs, %v", keep, len(runs), err)
		}
	}
}

// Closing cancels the run and records it; the next host still knows of it. One whose host
// died reads as failed.
func TestService_CloseAndRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := hostAt(t, dir, untilOver, "a", "b")
	h.suite.Config.MaxConcurrency = 1
	begun := make(chan struct{})
	h.suite.program().tests["a"] = func(r *testRun) (*Record, error) { close(begun); return untilOver(r) }
	r := started(t, h, StartOptions{})
	<-begun
	for range 2 {
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if _, err := h.Start(t.Context(), StartOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("start: %v", err)
	}
	if _, err := h.List(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("list: %v", err)
	}
	dead, err := OpenStore(dir).Create(&Run{ID: "20260131-120000-dead", Status: RunRunning})
	if err != nil {
		t.Fatal(err)
	}
	dead.close()
	next := hostAt(t, dir, says, "a")
	if got, err := next.Run(r.ID); err != nil || got.Status != RunCancelled || got.Error != "the host was stopped while the run was under way" || got.Totals.Done != 1 || got.Totals.Cases != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := next.Run("20260131-120000-dead"); err != nil || got.Status != RunFailed || got.Error != brokenOff {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := next.Cancel("20260131-120000-dead"); !errors.Is(err, ErrNotRunning) {
		t.Errorf("cancelling what died: %v", err)
	}
}

// A suite that is being loaded when the service closes starts nothing.
func TestService_CloseWhileLoading(t *testing.T) {
	t.Parallel()
	h := newTestHost(t, says, "a")
	loading := make(chan struct{})
	h.o.Load = func(ctx context.Context) (*Suite, error) { close(loading); <-ctx.Done(); return nil, ctx.Err() }
	failed := make(chan error)
	go func() { _, err := h.Start(context.Background(), StartOptions{}); failed <- err }()
	<-loading
	if _, err := h.Start(t.Context(), StartOptions{}); !errors.Is(err, ErrRunning) {
		t.Errorf("a second run: %v", err)
	}
	closed := make(chan error)
	go func() { closed <- h.Close(context.Background()) }()
	if err := <-failed; !errors.Is(err, ErrClosed) {
		t.Errorf("start: %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// A Close that may not wait says so.
func TestService_CloseIsBounded(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	h := newTestHost(t, func(*testRun) (*Record, error) { <-release; return holds(), nil }, "a")
	started(t, h, StartOptions{})
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Close(over); !errors.Is(err, context.Canceled) {
		t.Errorf("close: %v", err)
	}
	close(release)
}

// A folder that cannot be written any more is in the run that memory has.
func TestService_DiskThatGoesAway(t *testing.T) {
	t.Parallel()
	h := newTestHost(t, says, "a")
	begun, goOn := make(chan struct{}), make(chan struct{})
	h.suite.program().tests["a"] = func(*testRun) (*Record, error) { close(begun); <-goOn; return holds(), nil }
	r := started(t, h, StartOptions{})
	<-begun
	if err := os.RemoveAll(h.o.Store.Dir(r.ID)); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if got := h.ended(t, r.ID); got.Status != RunCompleted || !strings.Contains(got.Error, "the folder") || got.Results[0].Verdict != Passed || got.Green(false) {
		t.Errorf("%+v", got)
	}
}

// A listing is of the files as they are now, and the suite is closed after it.
func TestService_Lists(t *testing.T) {
	t.Parallel()
	h := newTestHost(t, says, "a")
	for n, id := range []string{"a", "b"} {
		h.suite = suiteOf(says, id)
		l, err := h.List(t.Context())
		if err != nil || l.Agent != "a" || len(l.Cases) != 1 || l.Cases[0].ID != id || h.loads != n+1 || h.suite.program().closed != 1 {
			t.Errorf("%+v, %v, %d loads", l, err, h.loads)
		}
	}
}

// A run whose agent went away while its suite loaded does not start, and keeps no other out.
func TestService_AnAgentThatWentAway(t *testing.T) {
	t.Parallel()
	h := newTestHost(t, says, "one")
	h.gone = errors.New("the agent is gone")
	if r, err := h.Start(t.Context(), StartOptions{}); r != nil || !errors.Is(err, h.gone) {
		t.Errorf("started: %+v, %v", r, err)
	}
	if runs, err := h.Runs(0); err != nil || len(runs) != 0 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	h.gone = nil
	if r := h.ended(t, started(t, h, StartOptions{}).ID); r.Status != RunCompleted {
		t.Errorf("the next run: %+v", r)
	}
}
