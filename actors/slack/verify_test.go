package slack_test

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/slack"
)

// The example that Slack publishes for its signatures.
func TestSign_KnownAnswer(t *testing.T) {
	t.Parallel()
	const body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner" +
		"&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	const want = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
	if got := slack.Sign("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", []byte(body)); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
}

// "|now−ts| ≤ 300 s; timestamp integer only": 299 s and 301 s, to both sides, and other
// ways to write a time.
func TestVerify_Time(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	body := event("Ev1", map[string]any{"type": "app_mention"})
	now := r.clock.Now().Unix()
	for at, want := range map[string]int{
		strconv.FormatInt(now, 10):                          0,
		strconv.FormatInt(now-299, 10):                      0,
		strconv.FormatInt(now+299, 10):                      0,
		strconv.FormatInt(now-300, 10):                      0,
		strconv.FormatInt(now-301, 10):                      401,
		strconv.FormatInt(now+301, 10):                      401,
		" " + strconv.FormatInt(now, 10):                    401,
		strconv.FormatInt(now, 10) + " ":                    401,
		"+" + strconv.FormatInt(now, 10):                    401,
		"-" + strconv.FormatInt(now, 10):                    401,
		"1e9":                                               401,
		strconv.FormatInt(now, 10) + ".0":                   401,
		"0x" + strconv.FormatInt(now, 16):                   401,
		strconv.FormatInt(now, 10) + "000":                  401,
		"99999999999999999999999999":                        401,
		"":                                                  401,
		strings.Repeat("0", 3) + strconv.FormatInt(now, 10): 401,
	} {
		q := r.signed(asJSON, body)
		q.Header.Set(slack.HeaderTimestamp, at)
		q.Header.Set(slack.HeaderSignature, slack.Sign(secret, at, []byte(body)))
		if got := r.verify(q); got != want {
			t.Errorf("the time %q is answered %d, want %d", at, got, want)
		}
	}
	q := r.signed(asJSON, body) // replayed later
	r.clock.turn(299 * time.Second)
	if got := r.verify(q); got != 0 {
		t.Errorf("a replay after 299 s is answered %d", got)
	}
	r.clock.turn(2 * time.Second)
	if got := r.verify(q); got != 401 {
		t.Errorf("a replay after 301 s is answered %d", got)
	}
}

// "v0 signature over raw bytes, constant time, before parsing".
func TestVerify_Refusals(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for name, c := range map[string]struct {
		want   int
		change func(q *agent.Request)
	}{
		"signed":         {0, func(*agent.Request) {}},
		"no signature":   {401, func(q *agent.Request) { q.Header.Del(slack.HeaderSignature) }},
		"no time":        {401, func(q *agent.Request) { q.Header.Del(slack.HeaderTimestamp) }},
		"two signatures": {401, func(q *agent.Request) { q.Header.Add(slack.HeaderSignature, q.Header.Get(slack.HeaderSignature)) }},
		"two times":      {401, func(q *agent.Request) { q.Header.Add(slack.HeaderTimestamp, q.Header.Get(slack.HeaderTimestamp)) }},
		"cut":            {401, func(q *agent.Request) { q.Header.Set(slack.HeaderSignature, q.Header.Get(slack.HeaderSignature)[:60]) }},
		"another version": {401, func(q *agent.Request) {
			q.Header.Set(slack.HeaderSignature, strings.Replace(q.Header.Get(slack.HeaderSignature), "v0", "v1", 1))
		}},
		"no hex":            {401, func(q *agent.Request) { q.Header.Set(slack.HeaderSignature, "v0="+strings.Repeat("z", 64)) }},
		"a space more":      {401, func(q *agent.Request) { q.Body = append(q.Body, ' ') }},
		"unsigned, no JSON": {401, func(q *agent.Request) { q.Body = []byte("{") }},
		"signed, no JSON":   {400, func(q *agent.Request) { *q = *r.signed(asJSON, "{") }},
		"form of nothing":   {400, func(q *agent.Request) { *q = *r.signed(asForm, "a=b") }},
		"a command":         {0, func(q *agent.Request) { *q = *r.signed(asForm, "command=%2Fask&text=x") }},
		"payload, no JSON":  {400, func(q *agent.Request) { *q = *r.signed(asForm, "payload=%7B") }},
		"certificate check": {200, func(q *agent.Request) { *q = *r.signed(asForm, "ssl_check=1&token=x") }},
		"text":              {415, func(q *agent.Request) { *q = *r.signed("text/plain", "{}") }},
		"another type":      {200, func(q *agent.Request) { *q = *r.signed(asJSON, `{"type":"app_rate_limited"}`) }},
	} {
		q := r.signed(asJSON, event("Ev1", map[string]any{"type": "app_mention"}))
		c.change(q)
		if got := r.verify(q); got != c.want {
			t.Errorf("%s: answered %d, want %d", name, got, c.want)
		}
	}
}

// "url_verification answered only after the signature check".
func TestVerify_Challenge(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	q := r.signed(asJSON, `{"type":"url_verification","challenge":"3eZbrw1aB"}`)
	out, err := r.channel.Routes[0].Verify(t.Context(), q)
	if err != nil || out == nil || out.Status != http.StatusOK {
		t.Fatalf("the challenge gives %+v, %v", out, err)
	}
	if b, err := io.ReadAll(out.Body); err != nil || string(b) != `{"challenge":"3eZbrw1aB"}` {
		t.Errorf("the challenge is answered %s, %v", b, err)
	}
	q.Header.Del(slack.HeaderSignature)
	if got := r.verify(q); got != http.StatusUnauthorized {
		t.Errorf("an unsigned challenge is answered %d", got)
	}
}

// "without a signing secret the channel does not start", but over a socket, and then no
// request is taken.
func TestChannel_WithoutSecret(t *testing.T) {
	t.Parallel()
	if _, err := slack.Channel(slack.Options{}); !errors.Is(err, slack.ErrNoSecret) {
		t.Fatalf("a channel without a secret gives %v", err)
	}
	r := newRig(t, func(o *slack.Options) { o.SigningSecret, o.AppToken = "", "xapp-1" })
	for _, key := range []string{"", secret} {
		q := r.signed(asJSON, "{}")
		q.Header.Set(slack.HeaderSignature, slack.Sign(key, q.Header.Get(slack.HeaderTimestamp), q.Body))
		if got := r.verify(q); got != http.StatusUnauthorized {
			t.Errorf("a request is answered %d without a secret", got)
		}
	}
}

// "dedupe by event_id", "acknowledged … only when durable"; a click and a command have
// ids of their own.
func TestChannel_Shape(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c, route := r.channel, r.channel.Routes[0]
	if !c.Acknowledge || route.Method != "POST" || route.Path != "/" || c.ID != "slack" || route.Acknowledged != 200 {
		t.Errorf("the channel %s has %s %s, acknowledge %t with %d", c.ID, route.Method, route.Path, c.Acknowledge, route.Acknowledged)
	}
	if got := strings.Join(c.Secrets, " "); !strings.Contains(got, secret) || !strings.Contains(got, "xoxb-canary") {
		t.Errorf("its secrets are %q", got)
	}
	for want, q := range map[string]*agent.Request{
		"Ev1":            r.signed(asJSON, event("Ev1", nil)),
		"action:tr1:1.1": r.signed(asForm, click("C1", "UANN", "x", "{}")),
		"command:tr2":    r.signed(asForm, "command=%2Fask&trigger_id=tr2"),
		"":               r.signed(asJSON, "["),
	} {
		if got := route.DeliveryID(q); got != want {
			t.Errorf("the delivery is %q, want %q", got, want)
		}
	}
	for name, change := range map[string]func(*slack.Options){
		"mode":     func(o *slack.Options) { o.Reply.Mode = "loud" },
		"prompts":  func(o *slack.Options) { o.SuggestedPrompts = make([]slack.Prompt, 5) },
		"idle":     func(o *slack.Options) { o.Reply.Status.Idle = make([]string, 11) },
		"debounce": func(o *slack.Options) { o.Engagement.ChannelPosts.Debounce = time.Hour },
		"token":    func(o *slack.Options) { o.AppToken = "xoxb-1" },
		"client":   func(o *slack.Options) { o.Client = nil },
	} {
		o := r.options
		change(&o)
		if _, err := slack.Channel(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
