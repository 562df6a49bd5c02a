package slack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/slack"
	"github.com/gobdk/bdk/actors/slack/slacktest"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// A dial is a clock that a test turns. Waits of the client are over at once.
type dial struct {
	mu    sync.Mutex
	now   time.Time
	rings []ring
	armed chan struct{}
	// still keeps waits until the dial is turned.
	still bool
}

type ring struct {
	at time.Time
	f  func()
}

func newDial() *dial {
	return &dial{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), armed: make(chan struct{}, 100)}
}

func (d *dial) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *dial) AfterFunc(after time.Duration, f func()) clock.Timer {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.still || after == 0 {
		d.now = d.now.Add(after)
		go f()
		return over{}
	}
	d.rings = append(d.rings, ring{d.now.Add(after), f})
	d.armed <- struct{}{}
	return over{}
}

// turn lets time pass; what is due rings.
func (d *dial) turn(by time.Duration) {
	d.mu.Lock()
	d.now = d.now.Add(by)
	var due []func()
	d.rings = slices.DeleteFunc(d.rings, func(r ring) bool {
		if !r.at.After(d.now) {
			due = append(due, r.f)
		}
		return !r.at.After(d.now)
	})
	d.mu.Unlock()
	for _, f := range due {
		f()
	}
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

func (m *memoryKV) List(_ context.Context, o agent.ListOptions) (list []agent.KVEntry, _ string, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, e := range m.entries {
		if strings.HasPrefix(key, o.Prefix) {
			list = append(list, e)
		}
	}
	return list, "", nil
}

// A send is a message that the channel gave to a session.
type send struct {
	text string
	o    agent.SendOptions
}

// A rig is a channel with what a host would give it.
type rig struct {
	t       *testing.T
	api     *slacktest.Server
	clock   *dial
	options slack.Options
	channel *agent.Channel
	kv      *memoryKV
	log     *strings.Builder

	mu        sync.Mutex
	sends     []send
	sent      chan struct{}
	decisions []agent.Decision
	decided   error
	token     string // of the one conversation
	state     json.RawMessage
	lines     []*events.Event
}

const secret = "8f742231b10e8888abcd99yyyzzz85a5"

// newRig makes a channel; change may set options.
func newRig(t *testing.T, change func(o *slack.Options)) *rig {
	t.Helper()
	r := &rig{
		t: t, api: slacktest.Start(t), clock: newDial(), kv: &memoryKV{entries: map[string]agent.KVEntry{}}, log: &strings.Builder{},
		token: thread, sent: make(chan struct{}, 100),
	}
	client, err := slack.NewClient(slack.ClientOptions{Token: "xoxb-canary-0123456789", APIURL: r.api.URL, Clock: r.clock})
	if err != nil {
		t.Fatal(err)
	}
	r.options = slack.Options{SigningSecret: secret, Client: client, Clock: r.clock, Reply: slack.Reply{Status: slack.Status{Off: true}}}
	if change != nil {
		change(&r.options)
	}
	r.again()
	return r
}

// again makes the channel anew, as a restart does.
func (r *rig) again() {
	r.t.Helper()
	var err error
	if r.channel, err = slack.Channel(r.options); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) Send(_ context.Context, text string, o agent.SendOptions) (agent.Sent, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sends = append(r.sends, send{text, o})
	r.sent <- struct{}{}
	return agent.Sent{SessionID: "ses_" + o.ContinuationToken, ContinuationToken: o.ContinuationToken}, nil
}

func (r *rig) Find(_ context.Context, id string) (agent.Sent, bool, error) {
	return agent.Sent{SessionID: id, ContinuationToken: r.token}, id == "ses_1", nil
}

func (r *rig) Wait(context.Context, agent.Sent) (agent.Completion, error) {
	return agent.Completion{}, errors.ErrUnsupported
}

func (r *rig) Decide(_ context.Context, session, call string, d agent.Decision) error {
	if session != "ses_1" || call != "call_1" {
		return errors.New("another call")
	}
	r.decisions = append(r.decisions, d)
	return r.decided
}

func (r *rig) call(req *agent.Request) *agent.Call {
	return &agent.Call{Agent: "Helper", Request: req, Sessions: r, KV: r.kv, Now: r.clock.Now, Log: zerolog.New(zerolog.SyncWriter(r.log))}
}

// signed is a request as Slack sends it now.
func (r *rig) signed(kind, body string) *agent.Request {
	at := strconv.FormatInt(r.clock.Now().Unix(), 10)
	h := http.Header{}
	h.Set("Content-Type", kind)
	h.Set(slack.HeaderTimestamp, at)
	h.Set(slack.HeaderSignature, slack.Sign(secret, at, []byte(body)))
	return &agent.Request{Method: "POST", URL: "http://127.0.0.1/v1/channels/slack", Header: h, Body: []byte(body)}
}

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
)

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

// receive brings a request in as a host does, and gives what was sent to sessions for it.
func (r *rig) receive(kind, body string) []send {
	r.t.Helper()
	req := r.signed(kind, body)
	if status := r.verify(req); status != 0 {
		r.t.Fatalf("%s was answered %d", body, status)
	}
	before := len(r.sends)
	if _, err := r.channel.Routes[0].Handle(r.t.Context(), r.call(req)); err != nil {
		r.t.Fatal(err)
	}
	return r.sends[before:]
}

// event is an event as Slack sends it.
func event(id string, fields map[string]any) string {
	b, _ := json.Marshal(map[string]any{
		"type": "event_callback", "event_id": id, "team_id": "T1", "api_app_id": slacktest.AppID, "event": fields,
		"authorizations": []any{map[string]any{"team_id": "T1", "user_id": slacktest.BotUser, "is_bot": true}},
	})
	return string(b)
}

// message is an event of a message; more replaces its fields.
func message(id, kind, channel, ts, text string, more map[string]any) string {
	fields := map[string]any{"type": kind, "channel": channel, "user": "UANN", "text": text, "ts": ts}
	for name, value := range more {
		fields[name] = value
	}
	return event(id, fields)
}

const thread = "T1:C1:1700000000.000100"

// conversation is the session's place in the channel.
type conversation struct{ r *rig }

func (c conversation) ContinuationToken() string { return c.r.token }

func (c conversation) State() json.RawMessage { return c.r.state }

func (c conversation) SetState(_ context.Context, state json.RawMessage) error {
	c.r.state = state
	return nil
}

func (c conversation) SetContinuationToken(_ context.Context, token string) error {
	c.r.token = token
	return nil
}

// happen records an event in the session's log.
func (r *rig) happen(turn string, data events.Payload) *agent.HookEvent {
	e := events.New(turn, r.clock.Now(), data)
	e.SessionID, e.Index = "ses_1", uint64(len(r.lines))
	r.lines = append(r.lines, &e)
	return &agent.HookEvent{Event: &e}
}

// deliver brings an event of the session to the channel.
func (r *rig) deliver(e *agent.HookEvent) error {
	r.t.Helper()
	f := r.channel.On[e.Type]
	if f == nil {
		return nil
	}
	call := r.call(nil)
	call.Session = agent.Session{ID: "ses_1", Mode: events.ModeChat, Purpose: events.PurposeLive}
	call.Conversation, call.DeliveryID = conversation{r}, fmt.Sprintf("ses_1:%d", e.Index)
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

// tell records an event and delivers it.
func (r *rig) tell(turn string, data events.Payload) {
	r.t.Helper()
	if err := r.deliver(r.happen(turn, data)); err != nil {
		r.t.Fatal(err)
	}
}

// turn has a turn begin, say something and end.
func (r *rig) turn(turn, reply string) {
	r.t.Helper()
	r.tell(turn, &events.TurnStarted{})
	r.tell(turn, &events.MessageCompleted{Text: "Looking.", FinishReason: events.FinishToolCalls})
	r.tell(turn, &events.MessageCompleted{Text: reply, FinishReason: events.FinishStop})
	r.tell(turn, &events.TurnCompleted{})
}

// click is a click on a button.
func click(channel, user, action, value string) string {
	b, _ := json.Marshal(map[string]any{
		"type": "block_actions", "trigger_id": "tr1", "team": nil, "user": map[string]any{"id": user, "team_id": "T1"},
		"channel": map[string]any{"id": channel}, "actions": []any{map[string]any{"action_id": action, "value": value, "action_ts": "1.1"}},
	})
	return url.Values{"payload": {string(b)}}.Encode()
}
