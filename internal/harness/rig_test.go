package harness

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/store"
	"github.com/gobdk/bdk/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A rig is the tools of one agent with a session's folder.
type rig struct {
	t       testing.TB
	dir     string
	scratch workspace.Scratch
	files   agent.Files
	tools   map[string]*agent.Tool
	calls   int
	owner   events.Principal
	// stateRoot is the host's, where it matters.
	stateRoot string
	id        string // of every call, where it is set
}

func newRig(t testing.TB, o Options) *rig {
	t.Helper()
	return newRigOn(t, o, newFiles(t))
}

func newFiles(t testing.TB) agent.Files {
	t.Helper()
	files, err := store.NewFiles(t.TempDir())
	must(t, err)
	t.Cleanup(func() { _ = files.(io.Closer).Close() })
	return files
}

// newRigOn makes one whose host keeps these files.
func newRigOn(t testing.TB, o Options, files agent.Files) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), tools: map[string]*agent.Tool{}}
	r.scratch = workspace.Scratch{Home: t.TempDir(), Tmp: t.TempDir(), Notes: t.TempDir()}
	r.files = files
	o.Scratch = func(string) (workspace.Scratch, error) { return r.scratch, nil }
	o.Environ = append(o.Environ, "PATH="+os.Getenv("PATH"))
	for _, tl := range New(&o) {
		r.tools[tl.Name] = tl
	}
	return r
}

// file writes a file into the workspace.
func (r *rig) file(name, content string) {
	r.t.Helper()
	name = filepath.Join(r.dir, filepath.FromSlash(name))
	must(r.t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(r.t, os.WriteFile(name, []byte(content), 0o644))
}

func (r *rig) has(name string) string {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	must(r.t, err)
	return string(b)
}

func (r *rig) callOf(args string) *agent.Call {
	return &agent.Call{
		ID: "call_1", Args: json.RawMessage(args), Session: agent.Session{ID: "ses_1", Auth: r.owner}, Files: r.files, StateRoot: r.stateRoot, Log: zerolog.Nop(),
		Workspace: func() (string, error) { return r.dir, nil },
	}
}

// result runs a tool with arguments as JSON.
func (r *rig) result(ctx context.Context, name, args string) (agent.Result, error) {
	r.t.Helper()
	tl := r.tools[name]
	if tl == nil {
		r.t.Fatalf("there is no tool %s", name)
	}
	c := r.callOf(args)
	r.calls++
	c.ID = cmp.Or(r.id, fmt.Sprintf("call_%d", r.calls))
	if _, err := tl.Prepare(ctx, c); err != nil {
		return agent.Result{}, err
	}
	return tl.Execute(ctx, c)
}

// do gives the text that a tool answers; an error is a text that begins with "error: ".
func (r *rig) do(name, args string) string {
	r.t.Helper()
	res, err := r.result(r.t.Context(), name, args)
	if err != nil {
		return "error: " + err.Error()
	}
	var text string
	if json.Unmarshal(res.Output, &text) != nil {
		return string(res.Output)
	}
	return text
}

// want holds the answer of a tool against a text.
func (r *rig) want(name, args, want string) {
	r.t.Helper()
	if got := r.do(name, args); got != want {
		r.t.Errorf("%s %s\n got: %q\nwant: %q", name, args, got, want)
	}
}

// wantPart is for a part of the answer.
func (r *rig) wantPart(name, args string, parts ...string) {
	r.t.Helper()
	got := r.do(name, args)
	for _, part := range parts {
		if !strings.Contains(got, part) {
			r.t.Errorf("%s %s\n got: %q\nwant a part: %q", name, args, got, part)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
