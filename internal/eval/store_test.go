package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// kept runs a suite into a folder and gives both.
func kept(t *testing.T, dir string, ids ...string) (*Run, *Folder) {
	t.Helper()
	f := NewFolder(dir)
	run := runSuite(t, suiteOf(says, ids...), &testTarget{}, RunOptions{Observers: []Observer{f}})
	if run.Error != "" {
		t.Fatal(run.Error)
	}
	return run, f
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// "Default run artifacts … include summary.json, results.jsonl, and evals/<case-id>.json."
func TestFolder_HoldsTheRun(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "run")
	want, _ := kept(t, dir, "a", "builds/api", "b")
	got, err := ReadRun(dir)
	if err != nil || encoded(t, got) != encoded(t, want) {
		t.Errorf("read %s\nwant %s\n%v", encoded(t, got), encoded(t, want), err)
	}
	for _, r := range want.Results {
		b, err := os.ReadFile(filepath.Join(dir, "evals", filepath.FromSlash(r.ID)+".json"))
		one := &Result{}
		if err != nil || json.Unmarshal(b, one) != nil || encoded(t, one) != encoded(t, r) {
			t.Errorf("%s: %s, %v", r.ID, b, err)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, SummaryName))
	if err != nil || strings.Contains(string(b), `"results"`) || !strings.Contains(string(b), `"passed": 3`) {
		t.Errorf("summary %s, %v", b, err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 4 { // with the lock
		t.Errorf("left over: %v", entries)
	}
}

// A second run into the same folder replaces the first, and leaves other files alone.
func TestFolder_IsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "mine")
	for name, path := range map[string]string{"kept": filepath.Join(dir, "notes.txt"), "outside": outside} {
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, ResultsName)); err != nil {
		t.Fatal(err)
	}
	kept(t, dir, "a", "b")
	want, _ := kept(t, dir, "c")
	got, err := ReadRun(dir)
	if err != nil || encoded(t, got) != encoded(t, want) {
		t.Errorf("read %s, %v", encoded(t, got), err)
	}
	for path, want := range map[string]string{filepath.Join(dir, "notes.txt"): "kept", outside: "outside"} {
		if b, _ := os.ReadFile(path); string(b) != want {
			t.Errorf("%s is %q", path, b)
		}
	}
}

// A run that is under way reads as it stands, a second writer is kept out, and once the
// process is gone the run is one that failed, with the results that were whole.
func TestFolder_ProcessThatDies(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	dir := OpenStore(store).Dir("20260131-120000-x7ab")
	f := NewFolder(dir)
	started := &Run{ID: "20260131-120000-x7ab", Status: RunRunning, StartedAt: time.Unix(0, 0).UTC(), Totals: totalsOf(3, nil)}
	results := []*Result{{ID: "b", Order: 1, Verdict: Passed}, {ID: "a", Order: 0, Verdict: Failed}}
	if err := f.RunStarted(started); err != nil {
		t.Fatal(err)
	}
	if err := f.RunStarted(started); err != nil {
		t.Errorf("told again: %v", err)
	}
	for _, r := range results {
		if err := errors.Join(f.CaseStarted(&Case{ID: r.ID}), f.CaseEnded(r.whole(r.Order))); err != nil {
			t.Fatal(err)
		}
	}
	r, err := ReadRun(dir)
	if err != nil || r.Status != RunRunning || r.Totals.Done != 2 || r.Results[0].ID != "a" {
		t.Errorf("alive: %+v, %v", r, err)
	}
	if err := NewFolder(dir).RunStarted(&Run{ID: "20260131-120000-aaaa"}); err == nil || !strings.Contains(err.Error(), "another run writes") {
		t.Errorf("a second writer: %v", err)
	}
	f.close() // as the end of the process does
	r, err = ReadRun(dir)
	if err != nil || r.Status != RunFailed || r.Error != brokenOff || r.Totals.Cases != 3 || r.Totals.Done != 2 || r.Totals.Failed != 1 || len(r.Running) != 0 {
		t.Errorf("dead: %+v, %v", r, err)
	}
	listed, err := OpenStore(store).Runs(0)
	if err != nil || len(listed) != 1 || listed[0].Status != RunFailed || listed[0].Results != nil || !reflect.DeepEqual(listed[0].Totals, r.Totals) {
		t.Errorf("listed: %+v, %v", listed, err)
	}
}

// A crash cuts results.jsonl off anywhere: what was whole is read, in the order of the suite.
func TestReadRun_CutOffAnywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept(t, dir, "a", "b", "c")
	path := filepath.Join(dir, ResultsName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		if n%23 != 0 && !strings.Contains(string(whole[max(n-2, 0):min(n+2, len(whole))]), "\n") {
			continue // each takes a moment
		}
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := ReadRun(dir)
		if want := strings.Count(string(whole[:n]), "\n"); err != nil || len(r.Results) != want || r.Error != "" || !slices.IsSortedFunc(r.Results, byOrder) {
			t.Fatalf("cut at %d: %d results, want %d, %v", n, len(r.Results), want, err)
		}
	}
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(path, []byte(lines[0]+"garbage\n"+"{}\n"+lines[1]+lines[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := ReadRun(dir); err != nil || len(r.Results) != 2 || r.Error != "2 lines of results.jsonl cannot be read" {
		t.Errorf("garbage: %+v, %v", r, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if r, err := ReadRun(dir); err != nil || len(r.Results) != 0 || r.Totals.Done != 3 {
		t.Errorf("without results: %+v, %v", r, err)
	}
}

func TestReadRun_WhatIsNoRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{"none": "", "text": "hello", "other": `{"a":1}`, "list": `[]`, "link": `{"runId":"../../x"}`} {
		d := filepath.Join(dir, name)
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
		if content != "" {
			if err := os.WriteFile(filepath.Join(d, SummaryName), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := ReadRun(d); !errors.Is(err, ErrUnknownRun) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadRun(filepath.Join(dir, "missing")); !errors.Is(err, ErrUnknownRun) {
		t.Errorf("missing: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "none", SummaryName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRun(filepath.Join(dir, "none")); err == nil || errors.Is(err, ErrUnknownRun) {
		t.Errorf("a folder for a summary: %v", err)
	}
}

// A disk that fails is in the run, which goes on.
func TestFolder_ThatCannotBeMade(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	run := runSuite(t, suiteOf(says, "a"), &testTarget{}, RunOptions{Observers: []Observer{NewFolder(filepath.Join(file, "run"))}})
	if !strings.HasPrefix(run.Error, "the folder "+file) || run.Totals.Passed != 1 || run.Green(false) {
		t.Errorf("run %+v", run)
	}
}

// A stillClock stands until it is moved.
type stillClock struct {
	clock.System
	now time.Time
}

func (c *stillClock) Now() time.Time { return c.now }

// Progress is written once a second at most.
func TestFolder_Progress(t *testing.T) {
	t.Parallel()
	c := &stillClock{now: time.Unix(100, 0)}
	f := NewFolder(t.TempDir())
	f.clock = c
	running := func() string {
		r, err := ReadRun(f.Dir())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Running)
	}
	for _, step := range []struct {
		id, want string
		wait     time.Duration
	}{{"a", "[]", 0}, {"b", "[a b]", time.Second}, {"c", "[a b]", time.Second - 1}, {"d", "[a b c d]", 1}} {
		if err := f.RunStarted(&Run{ID: "20260131-120000-x7ab", Status: RunRunning}); err != nil {
			t.Fatal(err)
		}
		c.now = c.now.Add(step.wait)
		if err := f.CaseStarted(&Case{ID: step.id}); err != nil || running() != step.want {
			t.Errorf("%s: %s, want %s, %v", step.id, running(), step.want, err)
		}
	}
	if err := f.RunEnded(&Run{ID: "20260131-120000-x7ab", Status: RunCompleted}); err != nil || running() != "[]" {
		t.Errorf("%v", err)
	}
}

func storedRun(t *testing.T, s *Store, id string, at time.Time, status string) {
	t.Helper()
	r := &Run{ID: id, Status: RunRunning, StartedAt: at}
	f, err := s.Create(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.mu.Lock(); defer f.mu.Unlock(); f.close() })
	if status == RunRunning {
		return
	}
	done := *r
	done.Status = status
	if err := f.RunEnded(&done); err != nil {
		t.Fatal(err)
	}
}

// strangers makes folders that are no runs, and of the third a file.
func strangers(t *testing.T, dir string, names []string) {
	t.Helper()
	for i, name := range names {
		path := filepath.Join(dir, name)
		var err error
		if i == 2 {
			err = os.WriteFile(path, nil, 0o600)
		} else {
			err = os.MkdirAll(path, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Runs come newest first; what is no run is left alone, by listing and by pruning.
func TestStore_ListsAndPrunes(t *testing.T) {
	t.Parallel()
	s := OpenStore(filepath.Join(t.TempDir(), "evals"))
	if runs, err := s.Runs(0); err != nil || len(runs) != 0 || s.Prune(0) != nil {
		t.Errorf("an empty store: %v, %v", runs, err)
	}
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	storedRun(t, s, "20260131-120000-bbbb", at.Add(1), RunCompleted)
	storedRun(t, s, "20260131-120000-aaaa", at.Add(2), RunCancelled) // in the same second, later
	storedRun(t, s, "20260131-110000-cccc", at.Add(-time.Hour), RunRunning)
	storedRun(t, s, "20260130-120000-dddd", at.Add(-24*time.Hour), RunCompleted)
	foreign := []string{"notes", "20260101-120000-none", "20260101-120000-file", "root/20260131-120000-bbbb"}
	strangers(t, s.dir, foreign)
	list := func(limit int) string {
		runs, err := s.Runs(limit)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range runs {
			out = append(out, r.ID[len(r.ID)-4:])
		}
		return strings.Join(out, " ")
	}
	if got := list(0) + "; " + list(2); got != "aaaa bbbb cccc dddd; aaaa bbbb" {
		t.Errorf("list %s", got)
	}
	if _, err := s.Create(&Run{ID: "20260131-120000-bbbb"}); err == nil {
		t.Error("an id was taken twice")
	}
	if _, err := s.Create(&Run{ID: "../x"}); err == nil {
		t.Error("an id left the store")
	}
	for _, id := range []string{"..", "notes", "../evals/20260131-120000-bbbb", "", "20260101-120000-none"} {
		if _, err := s.Run(id); !errors.Is(err, ErrUnknownRun) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if err := s.Prune(1); err != nil || list(0) != "aaaa cccc" { // what runs stays
		t.Errorf("pruned to %s, %v", list(0), err)
	}
	for _, name := range foreign {
		if _, err := os.Lstat(filepath.Join(s.dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(s.Dir("20260131-120000-bbbb")); err == nil {
		t.Error("a pruned run is still there")
	}
}

// Names of case files are safe for every file system, and no two cases share one.
func TestCaseNames(t *testing.T) {
	t.Parallel()
	var n caseNames
	seen := map[string]bool{}
	for _, c := range []struct{ id, want string }{
		{"readiness", "evals/readiness.json"},
		{"builds/api", "evals/builds/api.json"},
		{"builds", "evals/builds.json"},
		{"天気/東京 1", "evals/天気/東京 1.json"},
		{"v1.2", "evals/v1.2.json"},
		{"sql/0000", "evals/sql/0000.json"},
		{"Builds", ""}, {"builds/API", ""}, // not told apart everywhere
		{"a:b", ""}, {"a?b", ""}, {"a\\b", ""}, {"a\x00b", ""}, {"a\xffb", ""},
		{"con", ""}, {"NUL.x", ""}, {"com1/a", ""}, {"x/aux", ""},
		{"..", ""}, {"../../x", ""}, {".", ""}, {"", ""}, {"a//b", ""}, {"/a", ""}, {"end.", ""}, {"end ", ""},
		{"x", "evals/x.json"}, {"x.json/y", ""}, {"x.JSON/z", ""}, {"x.json.tmp/y", ""},
		{strings.Repeat("é", 300), ""}, {strings.Repeat("é", 300) + "2", ""},
	} {
		got := n.name(c.id)
		if c.want != "" && got != c.want {
			t.Errorf("%q gives %q", c.id, got)
		}
		if key := strings.ToLower(got); seen[key] {
			t.Errorf("%q shares %q", c.id, got)
		} else {
			seen[key] = true
		}
		if !strings.HasPrefix(got, "evals/") || !filepath.IsLocal(got) || strings.ContainsAny(got, "<>:\"|?*\\\x00") || strings.Contains(got, "//") {
			t.Errorf("%q gives %q", c.id, got)
		}
		for _, part := range strings.Split(got, "/") {
			if len(part) > 255 || devices.MatchString(part) || part != strings.TrimRight(part, ". ") {
				t.Errorf("%q gives the part %q", c.id, part)
			}
		}
		if n.name(c.id) != got {
			t.Errorf("%q changes its name", c.id)
		}
	}
	dir := t.TempDir()
	kept(t, dir, "x", "x.json/y", "X", "con", "a:b/..", "a//b")
	if r, err := ReadRun(dir); err != nil || r.Totals.Passed != 6 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestNewRunID(t *testing.T) {
	t.Parallel()
	id := NewRunID(time.Date(2026, 1, 31, 13, 0, 0, 0, time.FixedZone("", 3600)))
	if !strings.HasPrefix(id, "20260131-120000-") || !IsRunID(id) || id == NewRunID(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("id %s", id)
	}
	for _, bad := range []string{"", "20260131-120000-x7a", "20260131-120000-X7AB", "20260131-120000-x7ab/..", "x"} {
		if IsRunID(bad) {
			t.Errorf("%q is taken for an id", bad)
		}
	}
}
