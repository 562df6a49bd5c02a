package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// "JSON: depth 64, duplicate keys at any depth, unknown or wrong-case keys of the
// body itself …, trailing data, invalid UTF-8: 400. `message` without a non-space
// character, `title` over 200 characters: 400."
func TestStart_BadBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	for body, want := range map[string]string{
		`{}`: "invalid_body message", `[]`: "invalid_body ", `null`: "invalid_body ", `"x"`: "invalid_body ", `{`: "invalid_body ", `{"message":"x"} x`: "invalid_body ",
		`{"message":"x","message":"y"}`: "invalid_body message", "{\"message\":\"\xff\"}": "invalid_body ", `{"message":null}`: "invalid_body message", `{"message":1}`: "invalid_body message",
		`{"message":""}`: "invalid_body message", `{"message":" \t\n\u00a0\u2003"}`: "invalid_body message", `{"message":["x"]}`: "invalid_body message",
		`{"Message":"x"}`: "unknown_field Message", `{"mesſage":"x"}`: "unknown_field mesſage", `{"message":"x","MESSAGE":"y"}`: "unknown_field MESSAGE", `{"message":"x","model":"gpt"}`: "unknown_field model", `{"message":"x","":1}`: `unknown_field [""]`, `{"message":"x","a.b\n":1}`: `unknown_field ["a.b\n"]`,
		`{"message":"x","sessionId":"ses_1"}`: "unknown_field sessionId", `{"message":"x","principal":{"kind":"local"}}`: "unknown_field principal",
		`{"message":"x","title":null}`: "invalid_body title", `{"message":"x","title":"` + strings.Repeat("é", 201) + `"}`: "invalid_body title",
		`{"message":"x","dryRun":"true"}`: "invalid_body dryRun", `{"message":"x","dryRun":null}`: "invalid_body dryRun", `{"message":"x","dryRun":1}`: "invalid_body dryRun",
		`{"message":"x","purpose":"test"}`: "invalid_body purpose", `{"message":"x","purpose":""}`: "invalid_body purpose", `{"message":"x","purpose":"LIVE"}`: "invalid_body purpose",
		`{"message":"x","asOf":"2026-02-30T00:00:00Z"}`: "invalid_as_of", `{"message":"x","asOf":"2026-01-01T25:00:00Z"}`: "invalid_as_of", `{"message":"x","asOf":"2026-01-01T00:00:00"}`: "invalid_as_of",
		`{"message":"x","asOf":1767225600}`: "invalid_as_of", `{"message":"x","asOf":null}`: "invalid_as_of", `{"message":"x","asOf":""}`: "invalid_as_of",
		`{"message":"x","workspaceFiles":[]}`: "invalid_body workspaceFiles", `{"message":"x","workspaceFiles":{"a":1}}`: "invalid_body workspaceFiles.a", `{"message":"x","workspaceFiles":{"a":{"base64":"x"}}}`: "invalid_body workspaceFiles.a",
		`{"message":"x","workspaceFiles":{"a":{"base64":"AAA=","b":1}}}`: "invalid_body workspaceFiles.a", `{"message":"x","workspaceFiles":{"a":{"filepath":"/etc/passwd"}}}`: "invalid_body workspaceFiles.a", // S11
		`{"message":"x","workspaceFiles":{"a":{}}}`: "invalid_body workspaceFiles.a", `{"message":"x","workspaceFiles":{"a":"1","a":"2"}}`: "invalid_body workspaceFiles.a", `{"message":"x","workspaceFiles":{"\ud83d":"1"}}`: "invalid_body workspaceFiles",
		`{"message":"x","workspaceFiles":{"a/b.txt":1}}`: `invalid_body workspaceFiles["a/b.txt"]`, `{"message":"x","workspaceFiles":{"../a":"1"}}`: `invalid_path workspaceFiles["../a"]`, `{"message":"x","workspaceFiles":{"/etc/x":"1"}}`: `invalid_path workspaceFiles["/etc/x"]`, `{"message":"x","workspaceFiles":{"a\u0000b":"1"}}`: `invalid_path workspaceFiles["a\u0000b"]`, `{"message":"x","workspaceFiles":{"a":"1","a/b":"2"}}`: `invalid_path workspaceFiles["a/b"]`,
	} {
		m := c.do("POST", "/bot/v1/session", body)
		code, path, hasPath := strings.Cut(want, " ")
		got := m.want(t, 400, code)
		if !hasPath {
			continue
		}
		issues, _ := got["issues"].([]any)
		if len(issues) != 1 || issues[0].(map[string]any)["path"] != path {
			t.Errorf("%s: issues %v, want one at %q", body, issues, path)
		}
		if message, _ := got["message"].(string); !strings.HasPrefix(message, path) {
			t.Errorf("%s: %q does not name %q", body, message, path)
		}
	}
	if n := len(c.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)); n != 0 {
		t.Errorf("a refused body opened %d sessions", n)
	}
}

// "lone surrogates → 400 for identifiers and U+FFFD for message text by rule".
func TestStart_Texts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	for sent, want := range map[string]string{`a\ud83dz`: "a\ufffdz", `\ud83d\ude00`: "😀", `x\n{\"type\":\"turn.completed\"}\u2028\u0000`: "x\n{\"type\":\"turn.completed\"}\u2028\x00"} {
		m := c.do("POST", "/bot/v1/session", `{"message":"`+sent+`"}`).want(t, 202, "")
		lines := strings.Split(c.do("GET", "/bot/v1/session/"+m["sessionId"].(string)+"/events", "").body, "\n")
		e, err := events.Decode([]byte(lines[1]))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Data.(*events.MessageReceived).Text; got != want {
			t.Errorf("%s became %q", sent, got)
		}
	}
	c.do("POST", "/bot/v1/tools/echo", `{"sessionId":"\ud83d"}`).want(t, 400, "invalid_body")
	id, _ := c.started("x")
	c.do("POST", "/bot/v1/session/"+id, `{"message":"x","continuationToken":"\ud83d"}`).want(t, 400, "invalid_body")
	c.do("POST", "/bot/v1/session/"+id, `{"message":"x"}`).want(t, 400, "invalid_body")
	c.do("POST", "/bot/v1/session/"+id, `{"continuationToken":"http:x"}`).want(t, 400, "invalid_body")
	c.do("POST", "/bot/v1/session/"+id, `{"message":"x","token":"http:x"}`).want(t, 400, "unknown_field")
	c.do("POST", "/bot/v1/session/"+id, "").want(t, 400, "invalid_body")
}

// "require Content-Type application/json (415 otherwise) so no “simple” request
// works" (S03), and "gzip request bodies refused (415)" (S21).
func TestBody_MediaTypes(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, _ := c.started("x")
	for contentType, want := range map[string]int{
		"application/json": 202, "application/json; charset=utf-8": 202, "Application/JSON;charset=UTF-8": 202,
		"-": 415, "text/plain": 415, "application/x-www-form-urlencoded": 415, "multipart/form-data; boundary=x": 415, "application/json; charset=latin1": 415, "application/ld+json": 415, "application/json, text/plain": 415, "json": 415,
	} {
		a := c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Content-Type", "-", "Content-Type", contentType)
		if a.status != want {
			t.Errorf("%s: %d", contentType, a.status)
		}
	}
	c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Content-Encoding", "gzip").want(t, 415, "unsupported_media_type")
	c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Content-Encoding", "identity").want(t, 202, "")
	// "`unsupported_media_type` (only when there is a body)"
	c.do("POST", "/bot/v1/session/"+id+"/stop", "").want(t, 200, "")
	c.raw("POST /bot/v1/session/"+id+"/stop", "Content-Type: text/plain").want(t, 200, "")
	c.raw("POST /bot/v1/session/"+id+"/stop", "Transfer-Encoding: chunked", "", "0", "").want(t, 200, "")
	c.raw("POST /bot/v1/session/"+id+"/stop", "Transfer-Encoding: chunked", "", "2", "{}", "0", "").want(t, 415, "unsupported_media_type")
	c.raw("POST /bot/v1/session/"+id+"/stop", "Content-Type: application/json", "Transfer-Encoding: chunked", "", "1", "{", "1", "}", "0", "").want(t, 200, "")
}

// "Body 1 MiB (`workspaceFiles` 10 MiB): 413."
func TestBody_Sizes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	body := func(size int) string { return `{"message":"` + strings.Repeat("x", size-14) + `"}` }
	for size, want := range map[int]int{1 << 20: 202, 1<<20 + 1: 413, 9 << 20: 413, 11 << 20: 413} {
		if a := c.do("POST", "/bot/v1/session", body(size)); a.status != want {
			t.Errorf("%d bytes: %d %.200s", size, a.status, a.body)
		}
	}
	files := func(size int) string {
		return fmt.Sprintf(`{"message":"x","workspaceFiles":{"a":%q}}`, strings.Repeat("x", size-len(`{"message":"x","workspaceFiles":{"a":""}}`)))
	}
	c.do("POST", "/bot/v1/session", files(10<<20)).want(t, 202, "")
	c.do("POST", "/bot/v1/session", files(10<<20+1)).want(t, 413, "body_too_large")
	id, token := c.started("x")
	c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": strings.Repeat("x", 1<<20)})).want(t, 413, "body_too_large")
	c.do("POST", "/bot/v1/tools/echo", `{"input":{"x":"`+strings.Repeat("x", 1<<20)+`"}}`).want(t, 413, "body_too_large")
	small := w.serve(func(o *Options) { o.Limits.BodyBytes, o.Limits.FilesBodyBytes = 100, 200 })
	small.do("POST", "/bot/v1/session", body(100)).want(t, 202, "")
	small.do("POST", "/bot/v1/session", body(101)).want(t, 413, "body_too_large")
	small.raw("POST /bot/v1/session", "Content-Type: application/json", "Transfer-Encoding: chunked", "", "1f4", strings.Repeat(" ", 500), "0", "").want(t, 413, "body_too_large")
}

// "Checks come in the order: …": each request has everything wrong from a step on,
// and is answered for that step.
func TestChecks_InOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	mine, _ := c.started("x")
	theirs := w.foreign("bot", "x")
	page := []string{"Origin", "https://page.test"}
	evil := []string{"Host", "evil.test"}
	text := []string{"Content-Type", "-", "Content-Type", "text/plain"}
	key := []string{"Idempotency-Key", "a b"}
	steps := func(headers ...[]string) (all []string) {
		for _, h := range headers {
			all = append(all, h...)
		}
		return all
	}
	big := strings.Repeat("x", 2<<20)
	c.do("POST", "/nobody/v1/session/x", big, steps(page, evil, text, key)...).want(t, 404, "unknown_agent")
	c.do("PUT", "/bot/v1/session", big, steps(page, evil, text, key)...).want(t, 405, "method_not_allowed")
	c.do("POST", "/bot/v1/session/none", big, steps(page, evil, text, key)...).want(t, 403, "cross_origin")
	c.do("POST", "/bot/v1/session/none", big, steps(evil, text, key)...).want(t, 401, "unauthorized")
	c.do("POST", "/bot/v1/session/none?x=1", big, steps(text, key)...).want(t, 404, "unknown_session")
	c.do("POST", "/bot/v1/session/"+theirs+"?x=1", big, steps(text, key)...).want(t, 403, "forbidden")
	c.do("POST", "/bot/v1/tools/none?x=1", big, steps(text, key)...).want(t, 404, "unknown_tool")
	c.do("POST", "/bot/v1/session/"+mine, big, steps(text, key)...).want(t, 415, "unsupported_media_type")
	c.do("POST", "/bot/v1/session/"+mine, big, key...).want(t, 413, "body_too_large")
	c.do("POST", "/bot/v1/session/"+mine, "x", key...).want(t, 400, "invalid_body")
	c.do("POST", "/bot/v1/tools/echo", `{"sessionId":"`+theirs+`","input":{"bad":1}}`, key...).want(t, 400, "invalid_idempotency_key")
	c.do("POST", "/bot/v1/tools/echo", `{"sessionId":"ses_none","input":{"bad":1}}`).want(t, 404, "unknown_session")
	c.do("POST", "/bot/v1/tools/echo", `{"sessionId":"`+theirs+`","input":{"bad":1}}`).want(t, 403, "forbidden")
	c.do("POST", "/bot/v1/session/"+mine, `{"message":"x","continuationToken":"stale"}`, key...).want(t, 400, "invalid_idempotency_key")
	c.do("POST", "/bot/v1/session/"+mine, `{"message":"x","continuationToken":"stale"}`).want(t, 409, "stale_token")
}

// "503 `draining`" comes before the body, after what the path names; reads go on.
func TestDraining(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, token := c.started("x")
	theirs := w.foreign("bot", "x")
	w.host.Drain()
	c.do("POST", "/bot/v1/session", "x").want(t, 503, "draining")
	c.do("POST", "/bot/v1/session/none", "x").want(t, 404, "unknown_session")
	c.do("POST", "/bot/v1/session/"+theirs, "x").want(t, 403, "forbidden")
	c.do("POST", "/bot/v1/tools/echo", "").want(t, 503, "draining")
	c.do("GET", "/bot/v1/session/"+id, "").want(t, 200, "")
	m := c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": "x"}))
	m.want(t, 503, "draining")
	for _, path := range []string{"/v1/health", "/bot/v1/health"} {
		a := c.do("GET", path, "")
		var h map[string]any
		if err := json.Unmarshal([]byte(a.body), &h); err != nil || a.status != http.StatusServiceUnavailable || h["status"] != "draining" || h["ok"] != false {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// A fullHost takes no new work.
type fullHost struct{ *actors.Host }

func (fullHost) Admit() error { return actors.ErrNoSpace }

// "Checks come in the order: … 404 then 403 of what the path names, 503 `draining`,
// 507, body (415, 413, 400), 404 then 403 of what the body names". Reads go on, and
// what ends work is no new work.
func TestNoSpace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	h.host = fullHost{w.host}
	c, roomy := w.serveHandler(h), w.serve(nil)
	id, token := roomy.started("x")
	theirs := w.foreign("bot", "x")
	base, call := roomy.parked()
	text := []string{"Content-Type", "-", "Content-Type", "text/plain", "Idempotency-Key", "a b"}
	for _, path := range []string{"/bot/v1/session", "/bot/v1/session?x=1", "/bot/v1/session/" + id, "/bot/v1/tools/echo"} {
		for _, body := range []string{"", "x", strings.Repeat("x", 2<<20), `{"sessionId":"` + theirs + `"}`} {
			c.do("POST", path, body, text...).want(t, 507, "insufficient_storage")
		}
	}
	c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": "x"})).want(t, 507, "insufficient_storage")
	c.do("POST", "/bot/v1/session/none", "x").want(t, 404, "unknown_session")
	c.do("POST", "/bot/v1/session/"+theirs, "x").want(t, 403, "forbidden")
	c.do("POST", "/bot/v1/tools/none", "x").want(t, 404, "unknown_tool")
	c.do("POST", "/bot/v1/session", "x", "Origin", "https://page.test").want(t, 403, "cross_origin")
	c.do("GET", "/bot/v1/session/"+id, "").want(t, 200, "")
	c.do("GET", "/v1/health", "").want(t, 200, "")
	c.do("POST", "/bot/v1/session/"+id+"/stop", "").want(t, 200, "")
	c.do("POST", base+"/approvals/"+call, `{"decision":"deny"}`).want(t, 200, "")
}

// A faultyHost answers every start with an error.
type faultyHost struct {
	*actors.Host
	err error
}

func (f faultyHost) StartSession(context.Context, actors.NewSession) (actors.Accepted, error) {
	return actors.Accepted{}, fmt.Errorf("starting: %w", f.err)
}

// What a command comes back with has its code and, where there is one, its words.
func TestStart_HostErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for err, want := range map[error]struct {
		status        int
		code, message string
	}{
		actors.ErrFault: {500, "internal", ""},
		journal.ErrFull: {507, "insufficient_storage", "the host has too little free disk space for new work"},
		&actors.ConversationError{SessionID: "ses_1"}: {409, "session_busy", "this conversation is that of session ses_1"},
		actors.ErrDecision:                            {400, "invalid_body", "decision: must be approve or deny"},
	} {
		h := w.handler(nil)
		h.host = faultyHost{w.host, err}
		a := w.serveHandler(h).do("POST", "/bot/v1/session", `{"message":"x"}`)
		m := a.want(t, want.status, want.code)
		if message, _ := m["message"].(string); message != want.message || (m["requestId"] != nil) != (want.status == 500) {
			t.Errorf("%v: %s", err, a.body)
		}
	}
}

// "Nothing that a caller sends may make a 500": odd but valid requests.
func TestStart_OddButValid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	for _, message := range []string{"/call", "/call none {}", "/call echo {bad", "/call merge []", "/call hold null", "/call echo {\"bad\":1}", "\x00", strings.Repeat("\n", 10) + "x", "/call __proto__ {}"} {
		a, err := w.host.StartSession(t.Context(), actors.NewSession{Agent: "bot", Principal: localPrincipal, Message: "first"})
		if err != nil {
			t.Fatal(err)
		}
		w.settled(a.SessionID)
		token := w.host.Token(a.SessionID, a.FollowUps)
		if r := c.do("POST", "/bot/v1/session/"+a.SessionID, encode(map[string]string{"continuationToken": token, "message": message}), "Accept", ndjson); r.status != 200 {
			t.Errorf("%q: %d %s", message, r.status, r.body)
		}
	}
}
