package github_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/github"
	"github.com/gobdk/bdk/actors/github/githubtest"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// A hurry is a clock on which every wait is over at once, and is kept.
type hurry struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

func newHurry() *hurry { return &hurry{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func (h *hurry) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hurry) AfterFunc(d time.Duration, f func()) clock.Timer {
	h.mu.Lock()
	h.waits = append(h.waits, d)
	h.now = h.now.Add(d)
	h.mu.Unlock()
	go f()
	return over{}
}

func (h *hurry) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

type over struct{}

func (over) Stop() bool { return false }

// A memoryKV is a store of one test.
type memoryKV struct {
	mu      sync.Mutex
	entries map[string]agent.KVEntry
}

func (m *memoryKV) Get(_ context.Context, key string) (agent.KVEntry, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.entries[key]
	return e, ok, nil
}

func (m *memoryKV) Put(_ context.Context, key string, value json.RawMessage, o agent.PutOptions) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[key]
	if o.IfVersion != nil && *o.IfVersion != e.Version {
		return 0, agent.ErrVersionConflict
	}
	m.entries[key] = agent.KVEntry{Key: key, Value: slices.Clone(value), Version: e.Version + 1}
	return e.Version + 1, nil
}

func (m *memoryKV) Delete(context.Context, string) (bool, error) { return false, errors.ErrUnsupported }

func (m *memoryKV) List(context.Context, agent.ListOptions) ([]agent.KVEntry, string, error) {
	return nil, "", errors.ErrUnsupported
}

// A diary is a log that a test reads.
type diary struct {
	mu   sync.Mutex
	text strings.Builder
}

func (d *diary) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// A send is a message that the channel gave to a session.
type send struct {
	text string
	o    agent.SendOptions
}

// A rig is a channel with what a host would give it.
type rig struct {
	t       *testing.T
	api     *githubtest.Server
	clock   *hurry
	channel *agent.Channel
	kv      *memoryKV
	log     *diary

	mu    sync.Mutex
	sends []send
	// state is that of the one conversation.
	state json.RawMessage
	// lines are the session's log.
	lines []*events.Event
}

const secret = "It's a Secret to Everybody"

// newRig makes a channel as the account "keeper"; change may set options.
func newRig(t *testing.T, change func(o *github.Options)) *rig {
	t.Helper()
	r := &rig{t: t, api: githubtest.Start(t, "keeper"), clock: newHurry(), kv: &memoryKV{entries: map[string]agent.KVEntry{}}, log: &diary{}}
	o := github.Options{BotName: "reviewer", WebhookSecret: secret, Client: r.client(github.ClientOptions{Token: "ghp_canary_0123456789abcdef"})}
	if change != nil {
		change(&o)
	}
	var err error
	if r.channel, err = github.Channel(o); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) client(o github.ClientOptions) *github.Client {
	r.t.Helper()
	o.APIURL, o.Clock = r.api.URL, r.clock
	c, err := github.NewClient(o)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (r *rig) Send(_ context.Context, text string, o agent.SendOptions) (agent.Sent, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sends = append(r.sends, send{text, o})
	return agent.Sent{SessionID: "ses_" + o.ContinuationToken, ContinuationToken: o.ContinuationToken}, nil
}

func (r *rig) Find(_ context.Context, id string) (agent.Sent, bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return agent.Sent{SessionID: id}, slices.ContainsFunc(r.sends, func(s send) bool { return "ses_"+s.o.ContinuationToken == id }), nil
}

func (r *rig) Wait(context.Context, agent.Sent) (agent.Completion, error) {
	return agent.Completion{}, errors.ErrUnsupported
}

func (r *rig) call(req *agent.Request) *agent.Call {
	return &agent.Call{Agent: "Shop reviewer", Request: req, Sessions: r, KV: r.kv, Now: r.clock.Now, Log: zerolog.New(r.log)}
}

// webhook is a request as GitHub sends it, signed.
func webhook(event, delivery, body string) *agent.Request {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set(github.HeaderEvent, event)
	h.Set(github.HeaderDelivery, delivery)
	h.Set(github.HeaderSignature, github.Sign(secret, []byte(body)))
	return &agent.Request{Method: "POST", URL: "http://127.0.0.1/v1/channels/github", Header: h, Body: []byte(body), Remote: "140.82.115.1:443"}
}

// verify gives the status of what the route says before anything is recorded, 0 where
// it lets the request in.
func (r *rig) verify(req *agent.Request) int {
	r.t.Helper()
	out, err := r.channel.Routes[0].Verify(r.t.Context(), req)
	switch {
	case errors.Is(err, agent.ErrUnauthorized):
		return http.StatusUnauthorized
	case err != nil:
		r.t.Fatal(err)
	case out != nil:
		return out.Status
	}
	return 0
}

// receive brings an event in as a host does, and gives what was sent to sessions for it.
func (r *rig) receive(event, delivery, body string) []send {
	r.t.Helper()
	req := webhook(event, delivery, body)
	if status := r.verify(req); status != 0 {
		r.t.Fatalf("the event %s was answered %d", event, status)
	}
	before := len(r.sends)
	if _, err := r.channel.Routes[0].Handle(r.t.Context(), r.call(req)); err != nil {
		r.t.Fatal(err)
	}
	return r.sends[before:]
}

// conversation is a session's place in the channel.
type conversation struct {
	r     *rig
	token string
}

func (c conversation) ContinuationToken() string { return c.token }

func (c conversation) State() json.RawMessage { return c.r.state }

func (c conversation) SetState(_ context.Context, state json.RawMessage) error {
	c.r.state = state
	return nil
}

func (c conversation) SetContinuationToken(context.Context, string) error {
	return errors.ErrUnsupported
}

// happen records an event in the session's log.
func (r *rig) happen(turn string, data events.Payload) *agent.HookEvent {
	e := events.New(turn, r.clock.Now(), data)
	e.SessionID, e.Index = "ses_1", uint64(len(r.lines))
	r.lines = append(r.lines, &e)
	return &agent.HookEvent{Event: &e}
}

// deliver brings an event of the session to the channel.
func (r *rig) deliver(e *agent.HookEvent, token string) error {
	r.t.Helper()
	f := r.channel.On[e.Type]
	if f == nil {
		return nil
	}
	call := r.call(nil)
	call.Session = agent.Session{ID: "ses_1", Mode: events.ModeChat, Purpose: events.PurposeLive}
	call.Conversation, call.DeliveryID = conversation{r, token}, fmt.Sprintf("ses_1:%d", e.Index)
	call.History = func(from uint64) iter.Seq2[*events.Event, error] {
		return func(yield func(*events.Event, error) bool) {
			for _, e := range r.lines[min(from, uint64(len(r.lines))):] {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
	return f(r.t.Context(), e, call)
}

// turn has a turn begin, say something and end, and delivers each of its events.
func (r *rig) turn(token, turn, reply string) error {
	return errors.Join(
		r.deliver(r.happen(turn, &events.TurnStarted{}), token),
		r.deliver(r.happen(turn, &events.MessageCompleted{Text: "Looking.", FinishReason: events.FinishToolCalls}), token),
		r.deliver(r.happen(turn, &events.MessageCompleted{Text: reply, FinishReason: events.FinishStop}), token),
		r.deliver(r.happen(turn, &events.TurnCompleted{}), token),
	)
}

// Events as GitHub sends them, cut to what matters.
const repository = `"repository":{"name":"shop","full_name":"octo/shop","html_url":"https://github.com/octo/shop","owner":{"login":"octo"}}`

func pullEvent(action, sender string) string {
	return fmt.Sprintf(`{"action":%q,"number":7,%s,"sender":{"login":%q,"type":"User"},"pull_request":{"number":7,"html_url":"https://github.com/octo/shop/pull/7",
	"title":"Add a cart 😊","body":"Please look.","state":"open","draft":false,"user":{"login":"alice"},"author_association":"MEMBER",
	"head":{"ref":"cart","sha":"h1","repo":{"full_name":"alice/shop"}},"base":{"ref":"main","sha":"b0"},"labels":[{"name":"ui"}]}}`, action, repository, sender)
}

func commentEvent(id int, login, kind, text string) string {
	body, _ := json.Marshal(text)
	return fmt.Sprintf(`{"action":"created",%s,"sender":{"login":%q,"type":%q},"issue":{"number":7,"title":"Add a cart","pull_request":{"url":"x"}},
	"comment":{"id":%d,"html_url":"https://github.com/octo/shop/pull/7#issuecomment-%d","body":%s,"user":{"login":%q,"type":%q}}}`, repository, login, kind, id, id, body, login, kind)
}
