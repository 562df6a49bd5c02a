package slack_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/slack"
)

func down(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }

func limited(wait string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", wait)
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

// "apiCall(method, params)": params as a form, since some methods take nothing else.
func TestClient_Call(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	out, err := r.options.Client.Call(t.Context(), "chat.postMessage", json.RawMessage(`{"channel":"C1","text":"é & <x>","blocks":[{"type":"divider"}],"reply_broadcast":true,"n":12345678901234567890,"none":null}`))
	if err != nil || !strings.Contains(string(out), `"ok":true`) {
		t.Fatalf("it gives %s, %v", out, err)
	}
	q := r.api.Requests("chat.postMessage")[0]
	if q.Authorization != "Bearer xoxb-canary-0123456789" || q.Form.Encode() != "blocks=%5B%7B%22type%22%3A%22divider%22%7D%5D&channel=C1&n=12345678901234567890&reply_broadcast=true&text=%C3%A9+%26+%3Cx%3E" {
		t.Errorf("it asked %+v", q)
	}
	for method, params := range map[string]string{"../x": "{}", "chat": "{}", "chat.postMessage?x": "{}", "chat.update": "[]", "chat.delete": `{"token":"x"}`} {
		if _, err := r.options.Client.Call(t.Context(), method, json.RawMessage(params)); err == nil {
			t.Errorf("%s %s is asked", method, params)
		}
	}
}

// An answer that is not ok is an Error that names what Slack says; "errors carry .data.error".
func TestClient_Error(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	_, err := r.options.Client.Call(t.Context(), "chat.postMessage", json.RawMessage(`{"channel":"CNONE"}`))
	var e *slack.Error
	if !errors.As(err, &e) || e.Code != "channel_not_found" || err.Error() != "Slack answered channel_not_found to chat.postMessage" || !strings.Contains(string(e.AnswerData()), "channel_not_found") {
		t.Errorf("it gives %v", err)
	}
	r.api.Close()
	if _, err = r.options.Client.Call(t.Context(), "chat.postMessage", nil); err == nil || strings.Contains(err.Error(), "canary") || !strings.HasPrefix(err.Error(), "no answer from Slack to chat.postMessage: ") {
		t.Errorf("a Slack that is away gives %v", err)
	}
}

// Passing faults are waited for where doing it twice is doing it once; a rate limit always.
func TestClient_Retries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method string
		fault  http.HandlerFunc
		ok     bool
	}{
		"reading, Slack is down": {"users.info", down, true},
		"editing, Slack is down": {"chat.update", down, false}, // the message is not there
		"posting, Slack is down": {"chat.postMessage", down, false},
		"posting, too often":     {"chat.postMessage", limited("3"), true},
		"posting, far too often": {"chat.postMessage", limited("300"), false},
		"reading, an odd refusal": {"users.info", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"ok":false,"error":"internal_error"}`))
		}, true},
		"posting, no JSON": {"chat.postMessage", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, false},
	} {
		r := newRig(t, nil)
		r.api.Fault(c.method, c.fault)
		if _, err := r.options.Client.Call(t.Context(), c.method, json.RawMessage(`{"channel":"C1","user":"U1"}`)); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(r.api.Messages("C1")); strings.HasPrefix(name, "posting") && (n == 1) != c.ok {
			t.Errorf("%s: %d messages", name, n)
		}
	}
}

func TestNewClient_Refusals(t *testing.T) {
	t.Parallel()
	for _, o := range []slack.ClientOptions{{}, {Token: "xapp-canary"}, {Token: "xoxb canary"}, {Token: "xoxb-canary", APIURL: "slack.com"}, {Token: "xoxb-canary", APIURL: "https://u:p@slack.com/api"}} {
		if _, err := slack.NewClient(o); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%+v gives %v", o, err)
		}
	}
}
