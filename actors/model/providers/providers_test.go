package providers_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/fakemodel"
	"github.com/gobdk/bdk/actors/model/providers"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
)

// with gives a resolver whose environment is these pairs.
func with(pairs ...string) *providers.Resolver {
	env := map[string]string{}
	for _, p := range pairs {
		k, v, _ := strings.Cut(p, "=")
		env[k] = v
	}
	return providers.New(&providers.Options{Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
}

// "A model id is `provider/name`, or a bare name whose provider is known from its prefix."
func TestResolve_Names(t *testing.T) {
	t.Parallel()
	keys := []string{"OPENAI_API_KEY=k", "XAI_API_KEY=k", "OPENROUTER_API_KEY=k", "BDK_PROVIDER_MY_OWN_URL=http://127.0.0.1:1/v1"}
	for id, want := range map[string][2]string{
		"openai/gpt-5":                  {"openai/gpt-5", "gpt-5"},
		"gpt-5-mini":                    {"openai/gpt-5-mini", "gpt-5-mini"},
		"o3":                            {"openai/o3", "o3"},
		"grok-4":                        {"xai/grok-4", "grok-4"},
		"openrouter/anthropic/claude-x": {"openrouter/anthropic/claude-x", "anthropic/claude-x"},
		"ollama/qwen3:8b":               {"ollama/qwen3:8b", "qwen3:8b"},
		"my-own/thing":                  {"my-own/thing", "thing"},
		" OpenAI/any ":                  {"openai/any", "any"},
		"scripted":                      {"scripted", "scripted"},
		"":                              {"openai/gpt-5", "gpt-5"},
	} {
		got, err := with(keys...).Resolve(model.Ref{ID: id})
		if err != nil || got.Name != want[0] || got.Request != want[1] || got.Model == nil {
			t.Errorf("%q: got %+v, %v", id, got, err)
		}
	}
}

// "Without either: the first provider whose key is set, else `scripted`"
func TestResolve_WithoutAnID(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]string{"": "scripted", "XAI_API_KEY=k": "xai/grok-4", "OPENAI_API_KEY=": "scripted", "ANTHROPIC_API_KEY=k": "scripted"} {
		if got, err := with(env).Resolve(model.Ref{}); err != nil || got.Name != want {
			t.Errorf("%q: got %+v, %v", env, got, err)
		}
	}
	if got, err := providers.New(nil).Resolve(model.Ref{}); err != nil || got.Name != "scripted" {
		t.Errorf("no environment: got %+v, %v", got, err)
	}
}

// "A missing key is one clear sentence that names the variable and the offline alternative"
func TestResolve_FailuresAreSentences(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"openai/any":    "OPENAI_API_KEY is not set",
		"gpt-5":         "OPENAI_API_KEY is not set",
		"grok-4":        "XAI_API_KEY is not set",
		"claude-opus":   "provider anthropic is not in this build; set BDK_PROVIDER_ANTHROPIC_URL",
		"google/gemini": "provider google is not in this build",
		"replay:ses_1":  "there are no sessions here that could be replayed",
		"acme/m":        "BDK_PROVIDER_ACME_URL",
		"mystery":       "write it as provider/name",
		"openai/":       "is not provider/name",
	} {
		err := with().Check(model.Ref{ID: id})
		var e *model.Error
		if !errors.As(err, &e) || e.Code != events.FailModel || !strings.Contains(e.Message, want) || strings.Contains(e.Message, "\n") {
			t.Errorf("%q: got %v, want %q", id, err, want)
		}
		if id != "openai/" && !strings.Contains(err.Error(), "--model scripted") {
			t.Errorf("%q: no way offline in %v", id, err)
		}
	}
	for env, want := range map[string]string{
		"OPENAI_BASE_URL=localhost:80":       "OPENAI_BASE_URL is no URL",
		"BDK_PROVIDER_OPENAI_URL=ftp://x/v1": "BDK_PROVIDER_OPENAI_URL is no URL",
		"BDK_OPENAI_API=responses":           "this build speaks chat alone",
	} {
		if err := with(env, "OPENAI_API_KEY=k").Check(model.Ref{ID: "gpt-5"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", env, err)
		}
	}
}

// "with `BDK_MODEL=openai/any`, `OPENAI_BASE_URL` at a loopback server and a key"
func TestResolve_SettingsReachTheServer(t *testing.T) {
	t.Parallel()
	const said = "delta hi\nfinish stop\ndone"
	for _, tt := range []struct {
		id, key string
		env     []string
	}{
		{"openai/any", "Bearer k1", []string{"OPENAI_API_KEY=k1", "OPENAI_BASE_URL="}},
		{"acme/any", "Bearer k2", []string{"BDK_PROVIDER_ACME_KEY=k2", "BDK_PROVIDER_ACME_URL="}},
		{"ollama/any", "", []string{"OLLAMA_BASE_URL="}},
	} {
		s, url := fakemodel.Run(t, said)
		tt.env[len(tt.env)-1] += url
		r := with(tt.env...)
		got, err := r.Resolve(model.Ref{ID: tt.id})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := got.Model.Stream(t.Context(), &model.Request{Model: got.Request, Messages: []model.Message{{Role: model.RoleUser, Text: "x"}}}, func(model.Delta) {})
		if err != nil || resp.Text != "hi" || s.Requests()[0].Header.Get("Authorization") != tt.key {
			t.Errorf("%s: got %+v, %v, %v", tt.id, resp, err, s.Requests()[0].Header)
		}
		if again, _ := r.Resolve(model.Ref{ID: tt.id}); again.Model != got.Model {
			t.Errorf("%s: another model for the same settings", tt.id)
		}
	}
}

func says(t *testing.T, r *providers.Resolver, ref model.Ref) string {
	t.Helper()
	got, err := r.Resolve(ref)
	if err != nil {
		return err.Error()
	}
	resp, err := got.Model.Stream(t.Context(), &model.Request{Messages: []model.Message{{Role: model.RoleUser, Text: "hi"}}}, func(model.Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Text
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// "plays `bot/script.yaml` (or `scripted:<file>`)"
func TestResolve_ScriptsAndTheirFiles(t *testing.T) {
	t.Parallel()
	r, dir := with(), t.TempDir()
	ref := model.Ref{ID: "scripted", ProjectDir: dir}
	if got := says(t, r, ref); got != "I heard: hi" {
		t.Errorf("without a file: %q", got)
	}
	write(t, filepath.Join(dir, "agent", "script.yaml"), `[{when: "", steps: [{say: old}]}]`)
	if got := says(t, r, ref); got != "old" {
		t.Errorf("in agent/: %q", got)
	}
	file := filepath.Join(dir, "bot", "script.yaml")
	write(t, file, `[{when: "", steps: [{say: one}]}]`)
	if got := says(t, r, ref); got != "one" {
		t.Errorf("in bot/: %q", got)
	}
	write(t, file, `[{when: "", steps: [{say: two}]}]`)
	if err := os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got := says(t, r, ref); got != "two" {
		t.Errorf("a changed file: %q", got)
	}
	write(t, filepath.Join(dir, "other.yaml"), `[{when: "", steps: [{say: three}]}]`)
	for _, id := range []string{"scripted:other.yaml", "scripted:" + filepath.Join(dir, "other.yaml")} {
		if got := says(t, r, model.Ref{ID: id, ProjectDir: dir}); got != "three" {
			t.Errorf("%s: %q", id, got)
		}
	}
	if got := says(t, r, model.Ref{ID: "scripted:none.yaml", ProjectDir: dir}); !strings.Contains(got, "none.yaml of model scripted:none.yaml does not exist") {
		t.Errorf("a missing file: %q", got)
	}
	write(t, filepath.Join(dir, "bad.yaml"), "- when: x\n- when: y\n")
	_, err := r.Resolve(model.Ref{ID: "scripted:bad.yaml", ProjectDir: dir})
	var fault *scripted.Fault
	if !errors.As(err, &fault) || fault.Line != 1 || !strings.HasSuffix(err.Error(), "bad.yaml:1: the rule has no steps (and 1 more)") {
		t.Errorf("a bad file: %v", err)
	}
}

// "one the provider does not know is a `validate` warning"
func TestResolver_Params(t *testing.T) {
	t.Parallel()
	r := with("OPENAI_API_KEY=k")
	params := map[string]any{"context": "256k", "colour": "red", "effort": "high", "temperature": "hot"}
	if got := r.UnknownParams(model.Ref{ID: "gpt-5"}, params); len(got) != 1 || got[0] != "colour" {
		t.Errorf("unknown: %v", got)
	}
	if err := r.CheckParams(model.Ref{ID: "gpt-5"}, params); err == nil || !strings.Contains(err.Error(), "temperature") {
		t.Errorf("wrong: %v", err)
	}
	if got := r.UnknownParams(model.Ref{ID: "scripted"}, params); got != nil || r.CheckParams(model.Ref{ID: "scripted"}, params) != nil {
		t.Errorf("scripted: %v", got)
	}
}

// A window comes from the table beside the prices, and the scripted model has its
// own; "a model param `context` such as "256k" overrides it".
func TestResolver_Windows(t *testing.T) {
	t.Parallel()
	r := with("OPENAI_API_KEY=k", "BDK_PROVIDER_ACME_URL=http://127.0.0.1:1/v1")
	for id, want := range map[string]int{"gpt-5": 272_000, "openai/gpt-4o-2024-08-06": 128_000, "acme/m": 0, "scripted": scripted.DefaultWindow} {
		if got, err := r.Resolve(model.Ref{ID: id}); err != nil || got.Window != want {
			t.Errorf("%s: got %d, %v, want %d", id, got.Window, err, want)
		}
	}
	for _, id := range []string{"gpt-5", "scripted"} {
		if err := r.CheckParams(model.Ref{ID: id}, map[string]any{"context": "huge"}); err == nil || !strings.Contains(err.Error(), "context") {
			t.Errorf("%s: %v", id, err)
		}
	}
}
