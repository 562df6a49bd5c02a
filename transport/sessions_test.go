package transport

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// "Once accepted, the response returns `sessionId` for inspection and
// `continuationToken` for follow-ups".
func TestStart_AnswersAndRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	m := c.do("POST", "/bot/v1/session", `{"message":"hello","title":"Hi"}`).want(t, 202, "")
	id, _ := m["sessionId"].(string)
	if m["ok"] != true || m["traceUrl"] != "http://"+c.addr+"/bot/v1/session/"+id+"/events" || !strings.HasPrefix(m["continuationToken"].(string), "http:") {
		t.Fatal(m)
	}
	if _, ok := m["playgroundUrl"]; ok {
		t.Error("no playgroundUrl without a playground")
	}
	w.settled(id)
	s := c.do("GET", "/bot/v1/session/"+id, "").want(t, 200, "")["session"].(map[string]any)
	if s["id"] != id || s["title"] != "Hi" || s["status"] != "waiting" || s["lastMessage"] != "I heard: hello" || s["continuationToken"] != m["continuationToken"] {
		t.Error(s)
	}
}

// "answered `200` with the `until=idle` stream from its own `message.received` on".
func TestStart_Streams(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	a := c.do("POST", "/bot/v1/session", `{"message":"hello"}`, "Accept", "application/x-ndjson")
	got := types(a.body)
	if a.status != 200 || got[0] != "message.received" || got[len(got)-1] != "session.waiting" || a.header.Get("Content-Type") != ndjson {
		t.Fatal(a.status, a.header, got)
	}
	id, token := a.header.Get("bdk-session-id"), a.header.Get("bdk-continuation-token")
	b := c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": "more"}), "Accept", "text/event-stream")
	if b.status != 200 || b.header.Get("Content-Type") != eventStream || !strings.HasPrefix(b.body, "id: ") || !strings.Contains(b.body, `"text":"more"`) || strings.Contains(b.body, `"text":"hello"`) {
		t.Fatal(b.status, b.body)
	}
	c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": "x"}), "Accept", "text/event-stream").want(t, 409, "stale_token")
}

// "Each accepted follow-up rotates the continuation token and returns the replacement."
func TestFollowUp_RotatesTheToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, first := c.started("one")
	send := func(token string) answer {
		return c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": "two"}))
	}
	m := send(first).want(t, 202, "")
	second, _ := m["continuationToken"].(string)
	if m["sessionId"] != id || second == first || len(m) != 3 {
		t.Fatal(m)
	}
	otherID, otherToken := c.started("another")
	for name, token := range map[string]string{"old": first, "of another session": otherToken, "of a channel": "slack:C1", "empty": "", "malformed": "http:x"} {
		if a := send(token); a.status != 409 || !strings.Contains(a.body, "stale_token") {
			t.Errorf("%s token: %d %s", name, a.status, a.body)
		}
	}
	send(second).want(t, 202, "")
	c.do("POST", "/bot/v1/session/"+otherID, encode(map[string]string{"continuationToken": otherToken, "message": "x"})).want(t, 202, "")
	// "A stale or foreign token never opens a session."
	list := c.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)
	if len(list) != 2 {
		t.Errorf("%d sessions", len(list))
	}
}

// "of many concurrent follow-ups with one token one wins, the others get `409 stale_token`" (P11).
func TestFollowUp_OneOfManyWins(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, token := c.started("one")
	for range 5 {
		const racers = 32
		answers := make(chan answer, racers)
		body := encode(map[string]string{"continuationToken": token, "message": "go"})
		for range racers {
			go func() { answers <- c.do("POST", "/bot/v1/session/"+id, body) }()
		}
		won := 0
		for range racers {
			switch a := <-answers; a.status {
			case 202:
				won++
				token = a.want(t, 202, "")["continuationToken"].(string)
			default:
				a.want(t, 409, "stale_token")
			}
		}
		if won != 1 {
			t.Fatalf("%d of %d won", won, racers)
		}
	}
}

func TestStop_IdleAndRunning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("one")
	m := c.do("POST", "/bot/v1/session/"+id+"/stop", "").want(t, 200, "")
	if m["stopped"] != false || m["sessionId"] != id { // "on an idle session a harmless `200 {stopped: false}`"
		t.Fatal(m)
	}
	m = c.do("POST", "/bot/v1/session", `{"message":"/call hold {}"}`).want(t, 202, "")
	id = m["sessionId"].(string)
	c.waitFor(id, "actions.requested")
	if m := c.do("POST", "/bot/v1/session/"+id+"/stop", "{}").want(t, 200, ""); m["stopped"] != true {
		t.Fatal(m)
	}
	w.settled(id)
	c.do("POST", "/bot/v1/session/"+id+"/stop", `{"now":true}`).want(t, 400, "unknown_field")
}

// waitFor follows a session's stream until an event of a type was seen.
func (c *client) waitFor(id, eventType string) {
	c.t.Helper()
	s := c.stream("/bot/v1/session/" + id + "/stream")
	defer s.close()
	for s.next().Type != eventType {
	}
}

func TestRename_ShowsAtOnce(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, token := c.started("one")
	m := c.do("PATCH", "/bot/v1/session/"+id, `{"title":"Ein Titel ✓"}`).want(t, 200, "")
	s := m["session"].(map[string]any)
	if s["title"] != "Ein Titel ✓" || s["continuationToken"] != token {
		t.Fatal(m)
	}
	// "`session.updated` | `title?`": an empty one clears the title.
	m = c.do("PATCH", "/bot/v1/session/"+id, `{"title":""}`).want(t, 200, "")
	if title, ok := m["session"].(map[string]any)["title"]; ok {
		t.Errorf("a cleared title is %q", title)
	}
	if a := c.do("GET", "/bot/v1/sessions", ""); strings.Contains(a.body, "title") || strings.Contains(a.body, "Titel") {
		t.Errorf("the list has a cleared title: %s", a.body)
	}
	c.do("PATCH", "/bot/v1/session/"+id, encode(map[string]string{"title": strings.Repeat("ü", 200)})).want(t, 200, "")
	c.do("PATCH", "/bot/v1/session/"+id, encode(map[string]string{"title": strings.Repeat("ü", 201)})).want(t, 400, "invalid_body")
	c.do("PATCH", "/bot/v1/session/"+id, `{}`).want(t, 400, "invalid_body")
	c.do("PATCH", "/bot/v1/session/"+id, "").want(t, 400, "invalid_body")
}

// An empty title at the start is none.
func TestStart_EmptyTitle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	m := c.do("POST", "/bot/v1/session", `{"message":"x","title":""}`).want(t, 202, "")
	id := m["sessionId"].(string)
	w.settled(id)
	for _, path := range []string{"/bot/v1/session/" + id, "/bot/v1/sessions", "/bot/v1/session/" + id + "/events"} {
		if a := c.do("GET", path, ""); a.status != 200 || strings.Contains(a.body, `"title"`) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// "newest-updated first; `limit` 1–200 (50), `cursor`, `q` (title or id), `purpose`, `status`".
func TestSessions_ListAndPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	ids := []string{}
	for _, title := range []string{"alpha", "beta", "gamma"} {
		m := c.do("POST", "/bot/v1/session", encode(map[string]string{"message": "x", "title": title})).want(t, 202, "")
		ids = append(ids, m["sessionId"].(string))
		w.settled(m["sessionId"].(string))
	}
	w.foreign("bot", "not yours")
	w.foreign("other", "nor this agent's")
	var seen []string
	path := "/bot/v1/sessions?limit=2"
	for cursor := ""; ; {
		m := c.do("GET", path+cursor, "").want(t, 200, "")
		for _, s := range m["sessions"].([]any) {
			seen = append(seen, s.(map[string]any)["id"].(string))
		}
		next, ok := m["cursor"].(string)
		if !ok {
			break
		}
		cursor = "&cursor=" + next
	}
	slices.Reverse(ids)
	if !slices.Equal(seen, ids) {
		t.Errorf("listed %v, want %v", seen, ids)
	}
	for query, want := range map[string]int{"q=BET": 1, "q=" + ids[0]: 1, "status=waiting": 3, "status=running": 0, "purpose=eval": 0, "purpose=live&limit=200": 3} {
		if got := len(c.do("GET", "/bot/v1/sessions?"+query, "").want(t, 200, "")["sessions"].([]any)); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	for _, query := range []string{"limit=0", "limit=201", "limit=x", "limit=1&limit=2", "status=asleep", "purpose=test", "cursor=nonsense!", "unknown=1", "q=%zz", "token=secret", "a;b"} {
		c.do("GET", "/bot/v1/sessions?"+query, "").want(t, 400, "invalid_query")
	}
	dev := w.serve(func(o *Options) { o.Dev = true })
	if n := len(dev.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)); n != 4 {
		t.Errorf("an operator sees %d sessions of the agent, want 4", n)
	}
}

// "Search by title or identifier", where a session without a title is called by its last
// message, which stands where the title would.
func TestSessions_AreFoundByWhatTheyAreCalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	for body, q := range map[string]string{`{"message":"the Lamp is out"}`: "lamp", `{"message":"the mast fell","title":"Repairs\n of  May"}`: "REPAIRS+of+may"} {
		id := c.do("POST", "/bot/v1/session", body).want(t, 202, "")["sessionId"].(string)
		w.settled(id)
		name := c.do("GET", "/bot/v1/session/"+id, "").want(t, 200, "")["session"].(map[string]any)
		if q == "lamp" {
			q = url.QueryEscape(strings.ToUpper(name["lastMessage"].(string)))
		}
		rows := c.do("GET", "/bot/v1/sessions?q="+q, "").want(t, 200, "")["sessions"].([]any)
		if len(rows) != 1 || rows[0].(map[string]any)["id"] != id {
			t.Errorf("%s finds %v, want %s alone", q, rows, id)
		}
	}
	if rows := c.do("GET", "/bot/v1/sessions?q=mast", "").want(t, 200, "")["sessions"].([]any); len(rows) != 0 {
		t.Errorf("a message of a session that has a title is found: %v", rows)
	}
}

// "list routes see the caller's own last write".
func TestSessions_SeeOwnWrites(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for range 20 {
		id := c.do("POST", "/bot/v1/session", `{"message":"x"}`).want(t, 202, "")["sessionId"].(string)
		if a := c.do("GET", "/bot/v1/sessions?limit=200", ""); !strings.Contains(a.body, id) {
			t.Fatal("the list does not show the session that was just started")
		}
		c.do("GET", "/bot/v1/session/"+id, "").want(t, 200, "")
	}
}

func TestCost_OfASession(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, _ := c.started("hello")
	a := c.do("GET", "/bot/v1/session/"+id+"/cost", "")
	m := a.want(t, 200, "")
	total := m["total"].(map[string]any)
	if m["sessionId"] != id || len(m["turns"].([]any)) != 1 || total["complete"] != false || total["usage"].(map[string]any)["outputTokens"] == 0.0 {
		t.Error(a.body)
	}
}

// "Money and tokens are folded from `step.completed`": what a parked turn used is
// known, and the same is recorded when it ends.
func TestCost_OfATurnThatIsParked(t *testing.T) {
	t.Parallel()
	w := newPricedWorld(t, model.ListPrices())
	c := w.serve(nil)
	base, call := c.parked()
	check := func(when string) {
		t.Helper()
		m := c.do("GET", base+"/cost", "").want(t, 200, "")
		total, turn := m["total"].(map[string]any), m["turns"].([]any)[0].(map[string]any)
		if usd, ok := total["totalUsd"]; !ok || usd != 0.0 || total["complete"] != true {
			t.Errorf("%s the total is %v", when, total)
		}
		row := c.do("GET", base, "").want(t, 200, "")["session"].(map[string]any)
		if want := encode(events.Cost{Model: "scripted"}); encode(turn["cost"]) != encode(row["cost"]) || !strings.Contains(encode(row["cost"]), `"scripted"`) {
			t.Errorf("%s the turn's cost is %v, the row's %v, want %s", when, turn["cost"], row["cost"], want)
		}
	}
	check("while it is parked")
	c.do("POST", base+"/approvals/"+call, `{"decision":"approve"}`).want(t, 200, "")
	w.settled(strings.TrimPrefix(base, "/bot/v1/session/"))
	check("after its end")
}

// "In the default multi-agent layout, each agent uses `/<slug>/v1/*`; `--mode
// single` serves the same routes at `/v1/*`."
func TestModes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("one")
	c.do("GET", "/nobody/v1/info", "").want(t, 404, "unknown_agent")
	c.do("GET", "/other/v1/session/"+id, "").want(t, 404, "unknown_session")
	c.do("GET", "/v1/sessions", "").want(t, 404, "not_found")
	if _, err := NewHandler(&Options{Host: w.host, Views: w.views, Mode: ModeSingle}); err == nil {
		t.Error("single mode took two agents")
	}
	for _, o := range []*Options{nil, {}, {Host: w.host}, {Host: w.host, Views: w.views, Mode: "both"}, {Host: w.host, Views: w.views, CORSOrigins: []string{"*"}},
		{Host: w.host, Views: w.views, BearerToken: "0123456789abcdef", AllowAnonymous: true}} {
		if h, err := NewHandler(o); err == nil {
			t.Errorf("%+v was taken: %v", o, h)
		}
	}
}

func TestStart_Status(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	m := c.do("POST", "/bot/v1/session", `{"message":"x","dryRun":true,"asOf":"2026-03-01T09:00:00+01:00","purpose":"eval","workspaceFiles":{"a/b.txt":"text","c.bin":{"base64":"AAEC"}}}`).want(t, 202, "")
	first, _, _ := strings.Cut(c.do("GET", "/bot/v1/session/"+m["sessionId"].(string)+"/events", "").body, "\n")
	for _, want := range []string{`"dryRun":true`, `"asOf":"2026-03-01T08:00:00Z"`, `"purpose":"eval"`, `"path":"a/b.txt"`, `"size":3`, `"channelId":"http"`, `"kind":"local","id":"local"`} {
		if !strings.Contains(first, want) {
			t.Errorf("%s is not in %s", want, first)
		}
	}
	if c.do("GET", "/bot/v1/health", "").status != http.StatusOK {
		t.Error("unwell")
	}
}
