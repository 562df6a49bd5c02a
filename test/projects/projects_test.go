package projects

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/project"
	"github.com/gobdk/bdk/test/npm"
)

// A sample is a project of ours with what its tools are known to answer.
type sample struct {
	dir   string
	tools []string
	calls []known
	// env is what the sample needs, notes the rule and the file of each diagnostic that
	// it is meant to have.
	env, notes []string
}

// known is one call: what Prepare says of it ("read", "write", "write, asks", or
// the error), and what Execute gives.
type known struct {
	tool, args string
	prepared   string
	result     string
	// shape compares the fields of result alone: others may be there.
	shape bool
}

// TestSamples loads each sample without a diagnostic and calls each tool.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, s := range samples {
		t.Run(s.dir, func(t *testing.T) {
			t.Parallel()
			a := load(t, s.dir)
			var names []string
			for _, tool := range a.Tools {
				names = append(names, tool.Name)
			}
			if !slices.Equal(names, s.tools) {
				t.Errorf("the tools are %v, want %v", names, s.tools)
			}
			kv := newMemory()
			for _, c := range s.calls {
				c.check(t, a, kv)
			}
			for _, name := range names {
				if !slices.ContainsFunc(s.calls, func(c known) bool { return c.tool == name && c.result != "" }) {
					t.Errorf("no call of %s has a known answer", name)
				}
			}
		})
	}
}

// TestSamples_EachFolderIsOne holds that no sample is left out.
func TestSamples_EachFolderIsOne(t *testing.T) {
	t.Parallel()
	places, err := project.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		if !slices.ContainsFunc(samples, func(s sample) bool { return s.dir == p.Slug }) {
			t.Errorf("the sample %s is not tested", p.Slug)
		}
	}
	if len(places) != len(samples) {
		t.Errorf("there are %d samples, and %d are tested", len(places), len(samples))
	}
}

func load(t *testing.T, dir string) *agent.Agent {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "package-lock.json")); err == nil {
		npm.Install(t, dir)
	}
	s := samples[slices.IndexFunc(samples, func(s sample) bool { return s.dir == dir })]
	agents, err := project.Load(context.Background(), dir, &project.Options{Env: append([]string{}, s.env...)})
	if err != nil {
		t.Fatal(err)
	}
	a := agents[0]
	t.Cleanup(func() {
		if a.Close == nil {
			return
		}
		if err := a.Close(); err != nil {
			t.Errorf("closing the agent: %v", err)
		}
	})
	var notes []string
	for _, d := range a.Diagnostics {
		notes = append(notes, d.Rule+" "+d.File)
	}
	if !slices.Equal(notes, s.notes) {
		t.Errorf("%s has the diagnostics %+v, want %v", dir, a.Diagnostics, s.notes)
	}
	if a.Instructions == "" {
		t.Errorf("%s has no instructions", dir)
	}
	return a
}

// now is the instant of every call.
var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func (c known) call(a *agent.Agent, kv agent.KV) *agent.Call {
	return &agent.Call{
		ID: "call_1", Tool: c.tool, Args: json.RawMessage(c.args), Agent: a.Name, KV: kv, Artifacts: shelf{},
		Session: agent.Session{ID: "s_1", ChannelID: "cli", Mode: "task", Purpose: "live"},
		Now:     func() time.Time { return now },
	}
}

func (c known) check(t *testing.T, a *agent.Agent, kv agent.KV) {
	t.Helper()
	tool := a.Tool(c.tool)
	if tool == nil {
		t.Errorf("there is no tool %s", c.tool)
		return
	}
	call := c.call(a, kv)
	p, err := tool.Prepare(context.Background(), call)
	got := p.Effect
	if p.NeedsApproval {
		got += ", asks"
	}
	if err != nil {
		got = err.Error()
	}
	if got != c.prepared {
		t.Errorf("%s %s is prepared as %q, want %q", c.tool, c.args, got, c.prepared)
	}
	if err != nil || c.result == "" {
		return
	}
	c.checkResult(t, tool, call)
}

func (c known) checkResult(t *testing.T, tool *agent.Tool, call *agent.Call) {
	t.Helper()
	r, err := tool.Execute(context.Background(), call)
	if err == nil && r.IsError {
		err = errors.New(string(r.Output))
	}
	if err != nil {
		if err.Error() != c.result {
			t.Errorf("%s %s fails with %q, want %q", c.tool, c.args, err, c.result)
		}
		return
	}
	if got := string(r.Output); got != c.result && !(c.shape && hasFields(got, c.result)) {
		t.Errorf("%s %s gives\n%s, want\n%s", c.tool, c.args, got, c.result)
	}
}

// hasFields says whether every field of want is in got with the same value.
func hasFields(got, want string) bool {
	var g, w map[string]json.RawMessage
	if json.Unmarshal([]byte(got), &g) != nil || json.Unmarshal([]byte(want), &w) != nil {
		return false
	}
	for name, value := range w {
		if string(g[name]) != string(value) {
			return false
		}
	}
	return true
}

// A shelf is artifacts of which nothing is kept.
type shelf struct{}

func (shelf) Tag(_ context.Context, t agent.TagArtifact) (events.Artifact, error) {
	return events.Artifact{ID: "art_" + t.Kind + "/" + t.Key, Kind: t.Kind, Key: t.Key, Title: t.Title}, nil
}

func (shelf) List(context.Context, agent.ListArtifacts) ([]events.Artifact, error) { return nil, nil }
