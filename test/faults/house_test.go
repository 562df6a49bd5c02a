package faults_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/model/fakemodel"
	"github.com/gobdk/bdk/actors/model/providers"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/project"
)

// A house is a host with the tools of tools/, whose model plays a script.
type house struct {
	t       *testing.T
	host    *actors.Host
	journal *journal.Journal
	model   *fakemodel.Server
	agent   string
}

func open(t *testing.T, script string) *house {
	t.Helper()
	server, url := fakemodel.Run(t, script)
	dir := t.TempDir()
	write(t, dir, "bot/instructions.md", "Use the tools.")
	for name, source := range tools {
		write(t, dir, "bot/tools/"+name+".ts", source)
	}
	agents, err := project.Load(t.Context(), dir, &project.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range agents[0].Diagnostics {
		t.Fatalf("%s: %s", d.File, d.Message)
	}
	h := &house{t: t, model: server, agent: agents[0].Slug}
	if h.journal, err = journal.Open(filepath.Join(dir, ".bdk"), nil); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": url}
	models := providers.New(&providers.Options{Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	if h.host, err = actors.Start(t.Context(), &actors.Options{Journal: h.journal, Agents: agents, Models: models, ModelID: "openai/gpt-5", MinFreeBytes: -1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		for _, err := range []error{h.host.Close(ctx), h.journal.Close(), agents[0].Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return h
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// say opens a session, waits for its rest and gives its events.
func (h *house) say(text string) []*events.Event {
	h.t.Helper()
	a, err := h.host.StartSession(h.t.Context(), actors.NewSession{Agent: h.agent, Principal: events.Principal{Kind: "local", ID: "local"}, Message: text})
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	if _, err := h.host.Wait(ctx, a.SessionID); err != nil {
		h.t.Fatal(err)
	}
	lines, err := h.journal.Read(a.SessionID, 0, 10_000)
	if err != nil {
		h.t.Fatal(err)
	}
	var list []*events.Event
	for _, l := range lines {
		e, err := events.Decode(l.Data)
		if err != nil {
			h.t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// of gives the payloads of one type.
func of[P any](list []*events.Event) (found []P) {
	for _, e := range list {
		if p, ok := e.Data.(P); ok {
			found = append(found, p)
		}
	}
	return found
}

// call is an answer with one call, and end one that ends the turn.
func call(name, args string) string {
	line := "call 0 call_1 " + name + " " + args
	if args == "" {
		chunk, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"tool_calls": []any{
			map[string]any{"index": 0, "id": "call_1", "type": "function", "function": map[string]any{"name": name}}}}}}})
		line = "chunk " + string(chunk)
	}
	return line + "\nfinish tool_calls\ndone\n---\n"
}

const end = "delta Done.\nfinish stop\ndone\n"

// text is a result's output as a person would read it.
func text(out json.RawMessage) string {
	var s string
	if string(out) != "null" && json.Unmarshal(out, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(out))
}
