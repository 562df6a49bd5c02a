package providers_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/providers"
	"github.com/gobdk/bdk/actors/model/replay"
	"github.com/gobdk/bdk/events"
)

const recordedLines = `{"type":"message.received","index":0,"turnId":"turn_1","at":"2026-01-31T12:00:00.000Z","data":{"text":"hi","from":"user"}}
{"type":"turn.started","index":1,"turnId":"turn_1","at":"2026-01-31T12:00:00.000Z","data":{"model":"m"}}
{"type":"step.started","index":2,"turnId":"turn_1","at":"2026-01-31T12:00:00.000Z","data":{"step":1,"attempt":1}}
{"type":"message.completed","index":3,"turnId":"turn_1","at":"2026-01-31T12:00:00.000Z","data":{"text":"Hello.","finishReason":"stop"}}
{"type":"step.completed","index":4,"turnId":"turn_1","at":"2026-01-31T12:00:00.000Z","data":{"step":1,"attempt":1,"finishReason":"stop","usage":{"inputTokens":3}}}
`

// withSessions gives a resolver whose only session is the one of recordedLines.
func withSessions(id string) *providers.Resolver {
	return providers.New(&providers.Options{Sessions: func(_ context.Context, asked string) replay.Lines {
		return func(yield func([]byte, error) bool) {
			if asked != id {
				yield(nil, errors.New("there is no session "+asked))
				return
			}
			for line := range strings.Lines(recordedLines) {
				if !yield([]byte(strings.TrimSpace(line)), nil) {
					return
				}
			}
		}
	}})
}

// "replay:<session id>" and "replay:<file>", which is "relative to the project's folder or absolute".
func TestResolve_Replays(t *testing.T) {
	t.Parallel()
	const id = "ses_01J00000000000000000000000"
	dir := t.TempDir()
	file := filepath.Join(dir, "rec.ndjson")
	if err := os.WriteFile(file, []byte(recordedLines), 0o600); err != nil {
		t.Fatal(err)
	}
	r := withSessions(id)
	for _, name := range []string{id, "rec.ndjson", file} {
		got, err := r.Resolve(model.Ref{ID: "replay:" + name, ProjectDir: dir})
		if err != nil || got.Name != "replay" || got.Window != 0 {
			t.Fatalf("%s: got %+v, %v", name, got, err)
		}
		again, _ := r.Resolve(model.Ref{ID: "replay:" + name, ProjectDir: dir})
		if again.Model != got.Model {
			t.Errorf("%s is loaded again", name)
		}
		res, err := got.Model.Stream(t.Context(), &model.Request{SessionID: id, TurnID: "turn_1", Step: 1}, func(model.Delta) {})
		if err != nil || res.Text != "Hello." {
			t.Errorf("%s: got %+v, %v", name, res, err)
		}
		if price, ok := model.ListPrices().Price(got.Name, *res.Usage); price != 0 || !ok {
			t.Errorf("a replay costs %d, %t", price, ok)
		}
		if params := r.UnknownParams(model.Ref{ID: "replay:" + name, ProjectDir: dir}, map[string]any{"effort": 1}); params != nil {
			t.Errorf("params %v are unknown", params)
		}
	}
}

func TestResolve_ReplaysThatCannotBe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.ndjson"), []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := withSessions("")
	for name, want := range map[string]string{
		"replay:":           "names no recording; write replay:<id of a session> or replay:<file with its events>",
		"replay:ses_1":      "that is no id of a session, and the file " + filepath.Join(dir, "ses_1") + " does not exist",
		"replay:bad.ndjson": "bad.ndjson:1: this is no event of a session",
		"replay:.":          "is no file",
	} {
		err := r.Check(model.Ref{ID: name, ProjectDir: dir})
		var e *model.Error
		if !errors.As(err, &e) || e.Code != events.FailModel || !strings.Contains(e.Message, want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// A file that was recorded anew is read anew.
func TestResolve_AChangedRecording(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "rec.ndjson")
	r := withSessions("")
	for _, text := range []string{recordedLines, recordedLines + "\n", recordedLines + "{}"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Check(model.Ref{ID: "replay:" + file}); (err != nil) != strings.HasSuffix(text, "{}") {
			t.Errorf("%.9q at the end: %v", text[len(text)-9:], err)
		}
	}
}
