package github_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/github"
)

// The example that GitHub publishes for its signatures.
func TestSign_KnownAnswer(t *testing.T) {
	t.Parallel()
	const want = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	if got := github.Sign("It's a Secret to Everybody", []byte("Hello, World!")); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
}

// "X-Hub-Signature-256 over the raw bytes, constant time, before parsing": the same
// text in other bytes has another signature, and each is taken with its own.
func TestVerify_RawBytes(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for _, body := range []string{
		`{"t":"😊"}`, `{"t":"\u00e9"}`, `{"t":"é"}`, "{\"t\":\"x\"}\n", "{\"t\":\r\n\"x\"}\r\n", `{ "t" : "x" }`,
	} {
		if got := r.verify(webhook("pull_request", "d", body)); got != 0 {
			t.Errorf("%q with its signature is answered %d", body, got)
		}
		other := webhook("pull_request", "d", body)
		other.Body = append([]byte(" "), other.Body...)
		if got := r.verify(other); got != http.StatusUnauthorized {
			t.Errorf("%q with a space before it is answered %d, want 401", body, got)
		}
	}
}

// "require X-Hub-Signature-256 sha256= + 64 hex; ignore SHA-1 header; reject
// form-encoded; 401 on failure before JSON parse".
func TestVerify_Refusals(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	good := github.Sign(secret, []byte("{}"))
	for name, c := range map[string]struct {
		want   int
		change func(q *agent.Request)
	}{
		"signed":       {0, func(*agent.Request) {}},
		"no signature": {401, func(q *agent.Request) { q.Header.Del(github.HeaderSignature) }},
		"SHA-1 alone": {401, func(q *agent.Request) {
			q.Header.Del(github.HeaderSignature)
			q.Header.Set("X-Hub-Signature", "sha1=0000000000000000000000000000000000000000")
		}},
		"SHA-1 in its place": {401, func(q *agent.Request) {
			q.Header.Set(github.HeaderSignature, "sha1=0000000000000000000000000000000000000000")
		}},
		"without its start":   {401, func(q *agent.Request) { q.Header.Set(github.HeaderSignature, strings.TrimPrefix(good, "sha256=")) }},
		"cut":                 {401, func(q *agent.Request) { q.Header.Set(github.HeaderSignature, good[:len(good)-2]) }},
		"longer":              {401, func(q *agent.Request) { q.Header.Set(github.HeaderSignature, good+"00") }},
		"no hex":              {401, func(q *agent.Request) { q.Header.Set(github.HeaderSignature, "sha256="+strings.Repeat("z", 64)) }},
		"two of them":         {401, func(q *agent.Request) { q.Header.Add(github.HeaderSignature, good) }},
		"another secret":      {401, func(q *agent.Request) { q.Header.Set(github.HeaderSignature, github.Sign("other", []byte("{}"))) }},
		"empty secret":        {401, func(q *agent.Request) { q.Header.Set(github.HeaderSignature, github.Sign("", []byte("{}"))) }},
		"unsigned, no JSON":   {401, func(q *agent.Request) { q.Body = []byte("{") }},
		"signed, no JSON":     {400, func(q *agent.Request) { *q = *webhook("issues", "d", "{") }},
		"form":                {415, func(q *agent.Request) { q.Header.Set("Content-Type", "application/x-www-form-urlencoded") }},
		"no content type":     {415, func(q *agent.Request) { q.Header.Del("Content-Type") }},
		"charset":             {0, func(q *agent.Request) { q.Header.Set("Content-Type", "application/json; charset=utf-8") }},
		"no event":            {400, func(q *agent.Request) { q.Header.Del(github.HeaderEvent) }},
		"ping":                {200, func(q *agent.Request) { q.Header.Set(github.HeaderEvent, "ping") }},
		"ping, not signed":    {401, func(q *agent.Request) { q.Header.Set(github.HeaderEvent, "ping"); q.Header.Del(github.HeaderSignature) }},
		"an event like pings": {200, func(q *agent.Request) { q.Header.Set(github.HeaderEvent, "star") }},
	} {
		q := webhook("pull_request", "d", "{}")
		c.change(q)
		if got := r.verify(q); got != c.want {
			t.Errorf("%s: answered %d, want %d", name, got, c.want)
		}
	}
}

// "without a secret the channel does not start, except on loopback in --dev".
func TestChannel_WithoutSecret(t *testing.T) {
	t.Parallel()
	if _, err := github.Channel(github.Options{}); !errors.Is(err, github.ErrNoSecret) {
		t.Fatalf("a channel without a secret gives %v", err)
	}
	r := newRig(t, func(o *github.Options) { o.WebhookSecret, o.AllowUnsigned = "", true })
	if kind := r.channel.Auth[0].Kind; kind != agent.AuthLocalDevStrict || len(r.channel.Auth) != 1 {
		t.Errorf("its policy is %s", kind)
	}
	for name, c := range map[string]struct {
		want   int
		remote string
		header string
	}{
		"this machine":         {0, "127.0.0.1:5000", ""},
		"this machine, IPv6":   {0, "[::1]:5000", ""},
		"IPv4 in IPv6":         {0, "[::ffff:127.0.0.1]:5000", ""},
		"another machine":      {401, "10.0.0.5:5000", ""},
		"nobody knows":         {401, "", ""},
		"forwarded":            {401, "127.0.0.1:5000", "X-Forwarded-For"},
		"forwarded, empty":     {401, "127.0.0.1:5000", "Forwarded"},
		"forwarded for a host": {401, "127.0.0.1:5000", "X-Forwarded-Host"},
	} {
		q := webhook("pull_request", "d", "{}")
		q.Header.Del(github.HeaderSignature)
		q.Remote = c.remote
		if c.header != "" {
			q.Header[c.header] = []string{""}
		}
		if got := r.verify(q); got != c.want {
			t.Errorf("%s: answered %d, want %d", name, got, c.want)
		}
	}
}

// "webhookEvents is an allowlist".
func TestVerify_WebhookEvents(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *github.Options) { o.WebhookEvents = []string{"pull_request"} })
	if got := r.verify(webhook("pull_request", "d", "{}")); got != 0 {
		t.Errorf("an event of the list is answered %d", got)
	}
	if got := r.verify(webhook("issues", "d", "{}")); got != http.StatusOK {
		t.Errorf("an event beside the list is answered %d", got)
	}
	_, err := github.Channel(github.Options{WebhookSecret: "x", WebhookEvents: []string{"pull_requests"}})
	if err == nil || !strings.Contains(err.Error(), `"pull_requests"`) || !strings.Contains(err.Error(), "pull_request,") {
		t.Errorf("an unknown event gives %v", err)
	}
}

// "Dedupe by X-GitHub-Delivery. Acknowledge first."
func TestChannel_Shape(t *testing.T) {
	t.Parallel()
	c := newRig(t, nil).channel
	route := c.Routes[0]
	if !c.Acknowledge || route.Method != "POST" || route.Path != "/" || c.ID != "github" {
		t.Errorf("the channel %s has %s %s, acknowledge %t", c.ID, route.Method, route.Path, c.Acknowledge)
	}
	if got := strings.Join(c.Secrets, " "); !strings.Contains(got, secret) || !strings.Contains(got, "ghp_canary") {
		t.Errorf("its secrets are %q", got)
	}
	if id := route.DeliveryID(webhook("issues", "72d3162e", "{}")); id != "72d3162e" {
		t.Errorf("the delivery is %q", id)
	}
}
