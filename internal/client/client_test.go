package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// serve answers each "METHOD path" with a reply and remembers what was asked.
func serve(t *testing.T, replies map[string]string) (*Client, *[]string) {
	t.Helper()
	var asked []string
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
		reply, ok := replies[r.Method+" "+r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			reply = `{"ok":false,"error":"not_found","message":"no such route"}`
		}
		if status, rest, found := strings.Cut(reply, "|"); found {
			w.Header().Set("Retry-After", "7")
			code := map[string]int{"401": 401, "409": 409, "500": 500}[status]
			w.WriteHeader(code)
			reply = rest
		}
		_, _ = io.WriteString(w, reply)
	})
	return New("http://host/bot/", &Options{Transport: InProcess(http.StripPrefix("/bot", h))}), &asked
}

// http.md: "POST /v1/session | 202 {ok, sessionId, continuationToken, …}".
func TestClient_DrivesASession(t *testing.T) {
	t.Parallel()
	c, asked := serve(t, map[string]string{
		"POST /v1/session":            `{"ok":true,"sessionId":"ses_1","continuationToken":"http:1"}`,
		"POST /v1/session/ses_1":      `{"ok":true,"sessionId":"ses_1","continuationToken":"http:2"}`,
		"POST /v1/session/ses_1/stop": `{"ok":true,"sessionId":"ses_1","stopped":true}`,
		"GET /v1/session/ses_1":       `{"ok":true,"session":{"id":"ses_1","status":"parked","turns":2,"continuationToken":"http:2"}}`,
		"GET /v1/sessions":            `{"ok":true,"sessions":[{"id":"ses_1"}],"cursor":"c"}`,
	})
	ctx := context.Background()
	started, err := c.Start(ctx, Start{Message: "hi", DryRun: true})
	if err != nil || started != (Accepted{"ses_1", "http:1"}) {
		t.Fatalf("started %+v, %v", started, err)
	}
	if sent, err := c.Send(ctx, "ses_1", "http:1", "more"); err != nil || sent.ContinuationToken != "http:2" {
		t.Errorf("sent %+v, %v", sent, err)
	}
	if stopped, err := c.Stop(ctx, "ses_1"); err != nil || !stopped {
		t.Errorf("stopped %v, %v", stopped, err)
	}
	row, token, err := c.Session(ctx, "ses_1")
	if err != nil || row.Status != "parked" || row.Turns != 2 || token != "http:2" {
		t.Errorf("session %+v %q, %v", row, token, err)
	}
	rows, cursor, err := c.Sessions(ctx, Query{Text: "a b", Limit: 5})
	if err != nil || len(rows) != 1 || cursor != "c" {
		t.Errorf("sessions %+v %q, %v", rows, cursor, err)
	}
	want := []string{
		`POST /v1/session {"message":"hi","dryRun":true}`,
		`POST /v1/session/ses_1 {"continuationToken":"http:1","message":"more"}`,
		`POST /v1/session/ses_1/stop`, `GET /v1/session/ses_1`, `GET /v1/sessions?limit=5&q=a+b`,
	}
	if got := strings.Join(*asked, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("asked\n%s", got)
	}
}

func TestClient_ApprovalsToolsAndLogs(t *testing.T) {
	t.Parallel()
	c, asked := serve(t, map[string]string{
		"GET /v1/session/ses_1/approvals":         `{"ok":true,"approvals":[{"requestId":"req_1","callId":"call_1","toolName":"merge","args":{"n":12345678901234567890}}]}`,
		"POST /v1/session/ses_1/approvals/call_1": `{"ok":true,"callId":"call_1","decision":"deny"}`,
		"POST /v1/tools/add":                      `{"ok":true,"toolName":"add","callId":"tool_add_1","isError":false,"result":{"n":12345678901234567890},"durationMs":3}`,
		"GET /v1/logs":                            `{"ok":true,"lines":[{"n":8,"level":"info","message":"m","fields":{"a":1}}],"next":8}`,
	})
	ctx := context.Background()
	list, err := c.Approvals(ctx, "ses_1")
	if err != nil || len(list) != 1 || string(list[0].Args) != `{"n":12345678901234567890}` {
		t.Fatalf("approvals %+v, %v", list, err)
	}
	if err := c.Resolve(ctx, "ses_1", "call_1", "deny", "no"); err != nil {
		t.Error(err)
	}
	// tools.md: "Big integers keep their digits".
	reply, err := c.CallTool(ctx, "add", json.RawMessage(`{"a":1}`))
	if err != nil || string(reply.Result) != `{"n":12345678901234567890}` || reply.DurationMS != 3 {
		t.Errorf("reply %+v, %v", reply, err)
	}
	lines, next, err := c.Logs(ctx, 7)
	if err != nil || len(lines) != 1 || lines[0].Message != "m" || next != 8 {
		t.Errorf("logs %+v %d, %v", lines, next, err)
	}
	if got := (*asked)[1]; got != `POST /v1/session/ses_1/approvals/call_1 {"decision":"deny","reason":"no"}` {
		t.Errorf("asked %s", got)
	}
}

// http.md: "Errors after routing are {ok: false, error, message, …} in JSON".
func TestClient_ErrorsCarryCodeMessageAndRetryAfter(t *testing.T) {
	t.Parallel()
	c, _ := serve(t, map[string]string{
		"GET /v1/logs":           `500|{"ok":false,"error":"internal","requestId":"r7"}`,
		"POST /v1/session/ses_1": `409|{"ok":false,"error":"stale_token","message":"the token is not the newest"}`,
		"POST /v1/tools/x":       `409|{"ok":false,"error":"invalid_input","message":"does not fit","issues":[{"path":"a.b","message":"must be a string"}]}`,
		"GET /v1/info":           `500|<html>a proxy's page</html>`,
	})
	_, err := c.Send(context.Background(), "ses_1", "t", "m")
	var e *Error
	if !errors.As(err, &e) || e.Status != 409 || !HasCode(err, "stale_token") || e.RetryAfter.Seconds() != 7 {
		t.Fatalf("error %#v", err)
	}
	if err.Error() != "the token is not the newest (stale_token)" {
		t.Errorf("message %q", err)
	}
	if _, err = c.CallTool(context.Background(), "x", nil); err.Error() != "does not fit: must be a string (at a.b) (invalid_input)" {
		t.Errorf("message %q", err)
	}
	if _, _, err = c.Logs(context.Background(), 0); err.Error() != "Internal Server Error (internal): the host's log says more under request r7" {
		t.Errorf("message %q", err)
	}
	if _, err = c.Info(context.Background()); err.Error() != "Internal Server Error (status 500)" {
		t.Errorf("message %q", err)
	}
}

func TestClient_SendsItsToken(t *testing.T) {
	t.Parallel()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t0ken" || r.RemoteAddr != "127.0.0.1:0" || r.Host != "host" || r.URL.Host != "" {
			t.Errorf("header %v from %s", r.Header, r.RemoteAddr)
		}
		_, _ = io.WriteString(w, `{}`)
	})
	c := New("http://host", &Options{Token: "t0ken", Transport: InProcess(h)})
	if _, err := c.Info(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestClient_NobodyAnswers(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close()
	_, err := New(s.URL, nil).Info(context.Background())
	var e *UnreachableError
	if !errors.As(err, &e) || e.URL != s.URL || !strings.Contains(err.Error(), "refused") {
		t.Errorf("error %v", err)
	}
}
