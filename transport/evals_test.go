package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// knownRun is a run that fakeEvals has.
const knownRun = "20260131-120000-x7ab"

// fakeEvals has one run that goes on for ever, and starts as many as it is asked to.
type fakeEvals struct {
	mu      sync.Mutex
	started []eval.StartOptions
	limits  []int
	// startErr and cancelErr are what those answer with.
	startErr, cancelErr error
}

func (f *fakeEvals) List(context.Context) (*eval.Listing, error) {
	return &eval.Listing{Cases: []eval.ListedCase{}, Diagnostics: []agent.Diagnostic{{Rule: "evals/config", Severity: agent.SeverityError, Message: "there is no evals.config.ts"}}}, nil
}

func (f *fakeEvals) Start(_ context.Context, o eval.StartOptions) (*eval.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.startErr != nil {
		return nil, f.startErr
	}
	f.started = append(f.started, o)
	return f.made("20260131-130000-abcd"), nil
}

func (f *fakeEvals) Runs(limit int) ([]*eval.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limits = append(f.limits, limit)
	return []*eval.Run{f.made(knownRun)}, nil
}

func (f *fakeEvals) Run(id string) (*eval.Run, error) {
	if id != knownRun {
		return nil, fmt.Errorf("run %s: %w", id, eval.ErrUnknownRun)
	}
	r := f.made(id)
	r.Results = []*eval.Result{{ID: "smoke", Verdict: eval.Passed, StartedAt: r.StartedAt}}
	return r, nil
}

func (f *fakeEvals) Cancel(id string) (*eval.Run, error) {
	if f.cancelErr != nil {
		return nil, f.cancelErr
	}
	r := f.made(id)
	r.Status = eval.RunCancelled
	return r, nil
}

func (f *fakeEvals) made(id string) *eval.Run {
	at := time.Date(2026, 1, 31, 13, 0, 0, 120_000_000, time.FixedZone("CET", 3600))
	return &eval.Run{ID: id, Status: eval.RunRunning, Agent: "bot", StartedAt: at, Running: []string{"smoke"}}
}

// withEvals serves a world whose agent "bot" has evals, and "other" has none.
func withEvals(t *testing.T, f *fakeEvals) *client {
	t.Helper()
	return newWorld(t).serve(func(o *Options) {
		o.Evals = func(slug string) Evals {
			if slug != "bot" {
				return nil
			}
			return f
		}
	})
}

// http.md: "eval routes exist whenever the project has `evals/`", not only with --dev.
func TestEvals_RoutesExistWithTheFolder(t *testing.T) {
	t.Parallel()
	c := withEvals(t, &fakeEvals{})
	none := newWorld(t).serve(func(o *Options) { o.Dev = true })
	for _, rt := range evalRoutes() {
		path := strings.ReplaceAll(rt.path, "{runId}", knownRun)
		for _, method := range []string{rt.method, "DELETE", "OPTIONS"} {
			c.do(method, "/other"+path, "").want(t, 404, "not_found")
			none.do(method, "/bot"+path, "").want(t, 404, "not_found")
		}
		if a := c.do(rt.method, "/bot"+path, ""); a.status >= 300 {
			t.Errorf("%s %s: %d %s", rt.method, rt.path, a.status, a.body)
		}
	}
	c.do("DELETE", "/bot/v1/dev/evals", "").want(t, 405, "method_not_allowed")
}

// "GET /v1/dev/evals | List discovered cases and eval config": what is wrong with them is
// shown, and is no error.
func TestEvals_ListShowsDiagnostics(t *testing.T) {
	t.Parallel()
	a := withEvals(t, &fakeEvals{}).do("GET", "/bot/v1/dev/evals", "")
	a.want(t, 200, "")
	for _, want := range []string{`"ok":true`, `"cases":[]`, `"message":"there is no evals.config.ts"`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("no %s in %s", want, a.body)
		}
	}
}

// "GET /v1/dev/evals/runs | List recent run snapshots, newest first".
func TestEvals_Runs(t *testing.T) {
	t.Parallel()
	f := &fakeEvals{}
	c := withEvals(t, f)
	a := c.do("GET", "/bot/v1/dev/evals/runs", "")
	a.want(t, 200, "")
	if !strings.Contains(a.body, `{"ok":true,"runs":[{"runId":"`+knownRun+`"`) || !strings.Contains(a.body, `"startedAt":"2026-01-31T12:00:00.120Z"`) {
		t.Error(a.body)
	}
	c.do("GET", "/bot/v1/dev/evals/runs?limit=3", "").want(t, 200, "")
	for _, q := range []string{"limit=0", "limit=1001", "limit=x", "limit=1&limit=2", "n=1"} {
		c.do("GET", "/bot/v1/dev/evals/runs?"+q, "").want(t, 400, "invalid_query")
	}
	if fmt.Sprint(f.limits) != "[100 3]" {
		t.Error(f.limits)
	}
}

// "POST /v1/dev/evals/runs | Start { filterIds?, tags?, timeoutMs?, verbose? }; return 202":
// in the name of whoever asks.
func TestEvals_Start(t *testing.T) {
	t.Parallel()
	f := &fakeEvals{}
	c := withEvals(t, f)
	a := c.do("POST", "/bot/v1/dev/evals/runs", `{"filterIds":["a","b/c"],"tags":["smoke"],"timeoutMs":86400000,"verbose":true}`, "Idempotency-Key", "k")
	a.want(t, 202, "")
	if !strings.Contains(a.body, `{"ok":true,"runId":"20260131-130000-abcd","run":{"runId":"20260131-130000-abcd","status":"running"`) {
		t.Error(a.body)
	}
	c.do("POST", "/bot/v1/dev/evals/runs", "").want(t, 202, "")
	c.do("POST", "/bot/v1/dev/evals/runs", "{}").want(t, 202, "")
	o := f.started[0]
	if fmt.Sprint(o.FilterIDs, o.Tags, o.Timeout, o.Verbose, o.By) != fmt.Sprint([]string{"a", "b/c"}, []string{"smoke"}, 24*time.Hour, true, localPrincipal) || o.Idempotency.Key != "k" {
		t.Errorf("%+v", o)
	}
	if o := f.started[1]; o.FilterIDs != nil || o.Tags != nil || o.Timeout != 0 || o.Verbose || o.Idempotency != nil {
		t.Errorf("%+v", o)
	}
}

// "`400` | Invalid body, query, tool input, or request shape", with the paths of the faults.
func TestEvals_BadBodies(t *testing.T) {
	t.Parallel()
	f := &fakeEvals{}
	c := withEvals(t, f)
	for body, want := range map[string]string{
		`{"filterIds":"a"}`:     "filterIds: must be a list of strings",
		`{"filterIds":{}}`:      "filterIds: must be a list of strings",
		`{"filterIds":["a",1]}`: "filterIds[1]: must be a string",
		`{"filterIds":[["a"]]}`: "filterIds[0]: must be a string",
		`{"tags":[" "]}`:        "tags[0]: must not be blank",
		`{"tags":["\ud800"]}`:   "tags[0]: has half of a surrogate pair",
		`{"tags":null}`:         "tags: must be a list of strings",
		`{"tags":[` + strings.Repeat(`"x",`, 1000) + `"x"]}`: "tags: must have at most 1000 elements",
		`{"timeoutMs":0}`:        "timeoutMs: must be an integer from 1 to 86400000",
		`{"timeoutMs":-5}`:       "timeoutMs: must be an integer from 1 to 86400000",
		`{"timeoutMs":1.5}`:      "timeoutMs: must be an integer from 1 to 86400000",
		`{"timeoutMs":86400001}`: "timeoutMs: must be an integer from 1 to 86400000",
		`{"timeoutMs":"1000"}`:   "timeoutMs: must be an integer from 1 to 86400000",
		`{"verbose":1}`:          "verbose: must be true or false",
		`{"verbose":true} x`:     "byte 17: something follows the object",
		`[]`:                     "the body must be a JSON object",
	} {
		m := c.do("POST", "/bot/v1/dev/evals/runs", body).want(t, 400, "invalid_body")
		if m["message"] != want {
			t.Errorf("%.60s: %v, want %s", body, m["message"], want)
		}
	}
	m := c.do("POST", "/bot/v1/dev/evals/runs", `{"filterIds":[1],"tags":[2]}`).want(t, 400, "invalid_body")
	if n := len(m["issues"].([]any)); n != 2 {
		t.Errorf("%d issues, want one for each fault", n)
	}
	for _, body := range []string{`{"filterIDs":["a"]}`, `{"maxConcurrency":2}`, `{"principal":{"kind":"local","id":"x"}}`} {
		c.do("POST", "/bot/v1/dev/evals/runs", body).want(t, 400, "unknown_field")
	}
	c.do("POST", "/bot/v1/dev/evals/runs", "{}", "Content-Type", "text/plain").want(t, 415, "unsupported_media_type")
	c.do("POST", "/bot/v1/dev/evals/runs", "{}", "Idempotency-Key", "a b").want(t, 400, "invalid_idempotency_key")
	if len(f.started) != 0 {
		t.Errorf("%d runs were started", len(f.started))
	}
}

// "return `202`, `404` for no match, or `409` while another run is active".
func TestEvals_StartIsRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		err    error
		status int
		code   string
		says   string
	}{
		{fmt.Errorf("no case matches nope: %w", eval.ErrNoCases), 404, "no_cases", "nope"},
		{fmt.Errorf("run %s: %w", knownRun, eval.ErrRunning), 409, "run_active", knownRun},
		{fmt.Errorf("there is no evals/evals.config.ts: %w", eval.ErrNoConfig), 400, "invalid_evals", "there is no evals/evals.config.ts"},
		{eval.ErrClosed, 503, "draining", ""},
		{errors.New("the disk is gone"), 500, "internal", ""},
	} {
		m := withEvals(t, &fakeEvals{startErr: tc.err}).do("POST", "/bot/v1/dev/evals/runs", "{}").want(t, tc.status, tc.code)
		if text, _ := m["message"].(string); !strings.Contains(text, tc.says) {
			t.Errorf("%v: %q", tc.err, text)
		}
	}
}

// "GET /v1/dev/evals/runs/:runId | Return progress and the final snapshot".
func TestEvals_Show(t *testing.T) {
	t.Parallel()
	c := withEvals(t, &fakeEvals{})
	a := c.do("GET", "/bot/v1/dev/evals/runs/"+knownRun, "")
	a.want(t, 200, "")
	var got struct{ Run eval.Run }
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	if r := got.Run; r.ID != knownRun || r.Running[0] != "smoke" || len(r.Results) != 1 || r.Results[0].ID != "smoke" || r.Results[0].Verdict != eval.Passed {
		t.Errorf("%+v", r)
	}
	if strings.Count(a.body, `"startedAt":"2026-01-31T12:00:00.120Z"`) != 2 || strings.Count(a.body, `"startedAt"`) != 2 {
		t.Errorf("instants have another form than everywhere: %s", a.body)
	}
	for _, id := range []string{"none", "20260131-120000-zzzz"} {
		c.do("GET", "/bot/v1/dev/evals/runs/"+id, "").want(t, 404, "unknown_run")
	}
	c.do("GET", "/bot/v1/dev/evals/runs/..%2f"+knownRun, "").want(t, 404, "not_found")
	c.do("GET", "/bot/v1/dev/evals/runs/"+knownRun+"?x=1", "").want(t, 400, "invalid_query")
}

// "Cancel an active run; return `404` when unknown or `409` when no longer running".
func TestEvals_Cancel(t *testing.T) {
	t.Parallel()
	f := &fakeEvals{}
	c := withEvals(t, f)
	path := "/bot/v1/dev/evals/runs/" + knownRun + "/cancel"
	if a := c.do("POST", path, ""); a.status != 200 || !strings.Contains(a.body, `"status":"cancelled"`) {
		t.Error(a.status, a.body)
	}
	c.do("POST", "/bot/v1/dev/evals/runs/none/cancel", "").want(t, 404, "unknown_run")
	c.do("POST", path, `{"force":true}`).want(t, 400, "unknown_field")
	f.cancelErr = fmt.Errorf("run %s: %w", knownRun, eval.ErrNotRunning)
	c.do("POST", path, "").want(t, 409, "not_running")
}

// http.md: "Host-level routes (logs, dev, evals, …) always use the chain of the command
// line", whatever the agent's own is.
func TestEvals_HostsOwnChain(t *testing.T) {
	t.Parallel()
	f := &fakeEvals{}
	c := newChannelWorld(t).serve(func(o *Options) { o.Evals = func(string) Evals { return f } })
	c.do("GET", "/own/v1/info", "").want(t, 401, "unauthorized")
	c.do("POST", "/own/v1/dev/evals/runs", "").want(t, 202, "")
	if f.started[0].By != (events.Principal{Kind: "local", ID: "local"}) {
		t.Errorf("%+v", f.started[0].By)
	}
}
