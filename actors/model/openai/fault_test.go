package openai_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/fakemodel"
	"github.com/gobdk/bdk/actors/model/openai"
	"github.com/gobdk/bdk/events"
)

const good = "delta ok\nfinish stop\ndone\n"

// A fault is what a provider does, and what must come of it.
type fault struct {
	name, script string
	// text is what comes in the end; empty when the step fails.
	text string
	// requests is how many were made; 0 means one.
	requests int
	// of the error:
	message, code string
	status        int
	broken        bool
}

// P38: "Model stream faults (cut, error frame, stall, empty, garbage) end in
// turn.failed with a stated reason"; retried "only before output".
var faults = []fault{
	{name: "cut before anything, then well", script: "cut\n---\n" + good, text: "ok", requests: 2},
	{name: "reset before anything, then well", script: "reset\n---\n" + good, text: "ok", requests: 2},
	{name: "500 then well", script: "status 500\nbody oops\n---\n" + good, text: "ok", requests: 2},
	{name: "529 then well", script: "status 529\nbody {}\n---\n" + good, text: "ok", requests: 2},
	{name: "408, 409, 502 then well", script: "status 408\n---\nstatus 409\n---\nstatus 502\n---\n" + good, text: "ok", requests: 4},
	{name: "429 for ever", script: "status 429\nbody {\"error\":{\"message\":\"slow down\"}}", requests: 4, message: "slow down", status: 429},
	{name: "503 in HTML for ever", script: "status 503\nheader Content-Type: text/html\nbody <html>down</html>", requests: 4, message: "Service Unavailable", status: 503},
	{name: "no quota", script: `status 429` + "\n" + `body {"error":{"message":"you exceeded your quota","code":"insufficient_quota"}}`, message: "exceeded your quota", status: 429},
	{name: "bad request", script: `status 400` + "\n" + `body {"error":{"message":"bad tool"}}`, message: "bad tool", status: 400},
	{name: "wrong key", script: `status 401` + "\n" + `body {"error":{"message":"Incorrect API key: k3y-s3cret"}}`, message: "Incorrect API key: [key]", status: 401},
	{name: "wrong path", script: "status 404\nheader Content-Type: text/plain\nbody 404 page not found", message: "Not Found", status: 404},
	{name: "error as a text", script: `status 400` + "\n" + `body {"error":"model is required"}`, message: "model is required", status: 400},
	{name: "huge error", script: `status 400` + "\n" + `body {"error":{"message":"` + strings.Repeat("я", 2000) + `"}}`, message: "яя…", status: 400},
	{name: "context too long", script: `status 400` + "\n" + `body {"error":{"message":"too much","code":"context_length_exceeded"}}`, message: "too much", code: events.FailContextOverflow, status: 400},
	{name: "context too long in words", script: `status 400` + "\n" + `body {"error":{"message":"This model's maximum context length is 10 tokens"}}`, message: "maximum context length", code: events.FailContextOverflow, status: 400},
	{name: "filtered prompt", script: `status 400` + "\n" + `body {"error":{"message":"filtered","code":"content_filter"}}`, message: "filtered", code: events.FailContentFilter, status: 400},
	{name: "HTML with 200", script: "header Content-Type: text/html; charset=utf-8\nbody <html>hello</html>", message: "text/html instead of a stream"},
	{name: "a whole answer in JSON", script: `body {"choices":[{"message":{"content":"hi"}}]}`, message: "application/json instead of a stream"},
	{name: "an error in JSON with 200", script: `body {"error":{"message":"busy","code":503}}` + "\n---\n" + good, text: "ok", requests: 2},
	{name: "empty body", script: "end\n---\n" + good, text: "ok", requests: 2},
	{name: "empty for ever", script: "end", requests: 4, message: "ended before its end"},
	{name: "only [DONE]", script: "done", requests: 4, message: "ended before its end"},
	{name: "empty answer", script: "finish stop\ndone", requests: 4, message: "the answer is empty"},
	{name: "says calls, has none", script: "finish tool_calls\ndone\n---\n" + good, text: "ok", requests: 2},
	{name: "no finish_reason", script: "delta half\ndone", message: "ended before its end", broken: true},
	{name: "no [DONE]", script: "delta half\nfinish stop\nend", message: "ended before its end", broken: true},
	{name: "clean end in the middle", script: "delta half\nend", message: "ended before its end", broken: true},
	{name: "cut in the middle", script: "delta half\ncut", message: "connection failed", broken: true},
	{name: "reset in the middle", script: "delta half\nreset", message: "connection failed", broken: true},
	{name: "cut inside a line", script: "delta half\nraw \"data: {\\\"choi\"\ncut", message: "connection failed", broken: true},
	{name: "cut inside a character", script: "delta half\nraw \"data: \\xd0\"\nend", message: "no chunk", broken: true},
	{name: "error frame before output", script: `frame {"message":"overloaded","type":"server_error"}` + "\n---\n" + good, text: "ok", requests: 2},
	{name: "error frame of ours", script: `frame {"message":"bad image","type":"invalid_request_error"}`, message: "bad image"},
	{name: "error frame with a status", script: `frame {"message":"no credits","code":402}`, message: "no credits", status: 402},
	{name: "error frame after output", script: "delta half\nframe {\"message\":\"overloaded\"}", message: "overloaded", broken: true},
	{name: "finish_reason error", script: "delta half\nfinish error\ndone", message: "broke off the answer", broken: true},
	{name: "garbage before output", script: "raw \"data: }{\\n\\n\"\n---\n" + good, text: "ok", requests: 2},
	{name: "garbage after output", script: "delta half\nraw \"data: not json\\n\\n\"\ndone", message: "no chunk", broken: true},
	{name: "a number for a chunk", script: "chunk 5\n---\n" + good, text: "ok", requests: 2},
	{name: "glued calls", script: "call 0 - f {\"u\":\"a\"}\nargs 0 {\"u\":\"b\"}\nfinish tool_calls\ndone", requests: 4, message: "glued"},
	{name: "too many calls", script: strings.Repeat("call 0 - f {}\n", 200) + "finish tool_calls\ndone", requests: 4, message: "too many calls"},
}

// In a bubble the waits between attempts take no time.
func TestStream_Faults(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, err := fakemodel.New(f.script, nil)
				if err != nil {
					t.Fatal(err)
				}
				m := openai.New(&openai.Options{BaseURL: "http://fake/v1", APIKey: "k3y-s3cret", HTTPClient: &http.Client{Transport: s.Transport()}})
				f.check(t, s, m)
			})
		})
	}
}

// Faults that end in one attempt need no clock, and show the same on a real connection.
func TestStream_FaultsOverTCP(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		if f.requests > 1 {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			s, url := fakemodel.Run(t, f.script)
			f.check(t, s, openai.New(&openai.Options{BaseURL: url, APIKey: "k3y-s3cret"}))
		})
	}
}

func (f *fault) check(t *testing.T, s *fakemodel.Server, m *openai.Model) {
	t.Helper()
	var said strings.Builder
	resp, err := m.Stream(t.Context(), says("go"), func(d model.Delta) { said.WriteString(d.Text) })
	if n := len(s.Requests()); n != max(1, f.requests) {
		t.Errorf("%d requests, want %d", n, max(1, f.requests))
	}
	if f.text != "" {
		if err != nil || resp.Text != f.text || said.String() != f.text {
			t.Errorf("got %+v, %v after %q", resp, err, said.String())
		}
		return
	}
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %+v, %v", resp, err)
	}
	code := f.code
	if code == "" {
		code = events.FailModel
	}
	if !strings.Contains(e.Message, f.message) || !strings.HasPrefix(e.Message, "openai: ") || e.Status != f.status || e.Code != code || e.Broken != f.broken {
		t.Errorf("got %+v, want %+v", e, f)
	}
	if strings.Contains(err.Error(), "k3y-s3cret") || len(e.Message) > 600 {
		t.Errorf("the message holds a secret or is too long: %s", e.Message)
	}
	if f.broken != (said.Len() > 0) {
		t.Errorf("%q was said", said.String())
	}
}

// "Stall: an idle time limit between chunks"
func TestStream_Stalls(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]struct {
		took     time.Duration
		requests int
		broken   bool
	}{
		"delta half\nstall": {120 * time.Second, 1, true},
		"delta half\nsleep 100s\ncomment alive\nsleep 100s\ndelta more\nstall": {320 * time.Second, 1, true},
		"stall\n---\n" + good:                {5 * time.Minute, 2, false},
		"comment hello\nstall\n---\n" + good: {120 * time.Second, 2, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, err := fakemodel.New(script, nil)
			if err != nil {
				t.Fatal(err)
			}
			m := openai.New(&openai.Options{BaseURL: "http://fake/v1", HTTPClient: &http.Client{Transport: s.Transport()}})
			start := time.Now()
			resp, err := m.Stream(t.Context(), says("go"), func(model.Delta) {})
			took := time.Since(start)
			if took < want.took || took > want.took+time.Second || len(s.Requests()) != want.requests {
				t.Errorf("%q: took %v with %d requests, want %+v", script, took, len(s.Requests()), want)
			}
			var e *model.Error
			if want.broken && (!errors.As(err, &e) || !e.Broken || !strings.Contains(e.Message, "stalled")) {
				t.Errorf("%q: got %v", script, err)
			}
			if !want.broken && (err != nil || resp.Text != "ok") {
				t.Errorf("%q: got %+v, %v", script, resp, err)
			}
		})
	}
}

// "Retry-After honoured (seconds or date, capped at 60 s)" (C58, C59)
func TestStream_RetryAfter(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][2]time.Duration{
		"2":                             {2 * time.Second, 3 * time.Second},
		"999999":                        {36 * time.Second, time.Minute},
		"-5":                            {0, time.Second},
		"2abc":                          {0, time.Second},
		"0":                             {0, time.Second},
		"Sat,_01_Jan_2000_00:00:30_GMT": {30 * time.Second, 42 * time.Second}, // a bubble begins at 2000-01-01
	} {
		synctest.Test(t, func(t *testing.T) {
			s, err := fakemodel.New("status 429\nheader Retry-After: "+strings.ReplaceAll(value, "_", " ")+"\n---\n"+good, nil)
			if err != nil {
				t.Fatal(err)
			}
			m := openai.New(&openai.Options{BaseURL: "http://fake/v1", HTTPClient: &http.Client{Transport: s.Transport()}})
			if _, err := m.Stream(t.Context(), says("go"), func(model.Delta) {}); err != nil {
				t.Fatal(err)
			}
			r := s.Requests()
			if waited := r[1].At.Sub(r[0].At); waited < want[0] || waited > want[1] {
				t.Errorf("%s: waited %v, want %v", value, waited, want)
			}
		})
	}
}

func TestStream_WaitEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := fakemodel.New("status 429 Retry-After=50", nil)
		if err != nil {
			t.Fatal(err)
		}
		m := openai.New(&openai.Options{BaseURL: "http://fake/v1", HTTPClient: &http.Client{Transport: s.Transport()}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err = m.Stream(ctx, says("go"), func(model.Delta) {})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

func TestStream_NobodyListens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		refused := errors.New("connection refused")
		m := openai.New(&openai.Options{BaseURL: "http://fake/v1?key=s3cret", HTTPClient: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, refused })}})
		_, err := m.Stream(t.Context(), says("go"), func(model.Delta) {})
		if err == nil || err.Error() != "openai: the connection failed: connection refused" || !errors.Is(err, refused) {
			t.Errorf("got %v", err)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
