package transport

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

// lastIndex is that of a session's newest event.
func (w *world) lastIndex(id string) uint64 {
	w.t.Helper()
	head, err := w.journal.Head(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return head - 1
}

// "`POST …/fork {index}` → `202 {ok, sessionId, continuationToken, index}`": the fork is
// a session like any other, and is in the list with where it comes from.
func TestFork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("hello")
	last := w.lastIndex(id)
	m := c.do("POST", "/bot/v1/session/"+id+"/fork", fmt.Sprintf(`{"index":%d}`, last)).want(t, 202, "")
	fork, _ := m["sessionId"].(string)
	if m["ok"] != true || len(m) != 4 || fork == id || m["index"] != float64(last-1) {
		t.Fatal(m)
	}
	row := c.do("GET", "/bot/v1/session/"+fork, "").want(t, 200, "")["session"].(map[string]any)
	from, _ := row["forkedFrom"].(map[string]any)
	if row["status"] != "waiting" || row["turns"] != 1.0 || row["continuationToken"] != m["continuationToken"] || from["sessionId"] != id || from["index"] != m["index"] {
		t.Error(row)
	}
	a := c.do("POST", "/bot/v1/session/"+fork, encode(map[string]any{"continuationToken": m["continuationToken"], "message": "more"}), "Accept", "application/x-ndjson")
	if got := types(a.body); a.status != 200 || got[0] != "message.received" || got[len(got)-1] != "session.waiting" {
		t.Error(a.status, got)
	}
	cost := c.do("GET", "/bot/v1/session/"+fork+"/cost", "").want(t, 200, "")
	if turns := cost["turns"].([]any); len(turns) != 1 { // "copied events of a fork are not counted again"
		t.Error(cost)
	}
	if w.lastIndex(id) != last {
		t.Error("the session itself has other events")
	}
}

// "owner = the caller": an operator's fork of another one's session is the operator's.
func TestFork_Owner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.foreign("bot", "theirs")
	w.serve(nil).do("POST", "/bot/v1/session/"+id+"/fork", `{"index":0}`).want(t, 403, "forbidden")
	m := w.serve(func(o *Options) { o.Dev = true }).do("POST", "/bot/v1/session/"+id+"/fork", `{"index":0}`).want(t, 202, "")
	info, err := w.host.Session(t.Context(), m["sessionId"].(string))
	if err != nil || info.Owner.Kind != "local" {
		t.Errorf("%+v, %v", info, err)
	}
}

// "400 `invalid_index`", and the other refusals.
func TestFork_Refused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("hello")
	path := "/bot/v1/session/" + id + "/fork"
	past := fmt.Sprint(w.lastIndex(id) + 1)
	for _, index := range []string{past, "-1", "1.0", "1e1", `"1"`, "null", "[]", "99999999999999999999", "true"} {
		c.do("POST", path, `{"index":`+index+`}`).want(t, 400, "invalid_index")
	}
	for body, code := range map[string]string{"": "invalid_body", "{}": "invalid_body", `{"at":1}`: "unknown_field", `{"index":1,"index":1}`: "invalid_body"} {
		c.do("POST", path, body).want(t, 400, code)
	}
	if n := len(c.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)); n != 1 {
		t.Errorf("%d sessions", n)
	}
	c.do("POST", "/bot/v1/session/ses_01J0000000000000000000000A/fork", `{"index":0}`).want(t, 404, "unknown_session")
	c.do("POST", "/bot/v1/session/"+w.deleted()+"/fork", `{"index":0}`).want(t, 410, "deleted")
	c.do("POST", "/other/v1/session/"+id+"/fork", `{"index":0}`).want(t, 404, "unknown_session")
}

// A repeated key gives the first answer, and makes no second fork.
func TestFork_Idempotency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("hello")
	send := func(body string) answer {
		return c.do("POST", "/bot/v1/session/"+id+"/fork", body, "Idempotency-Key", "k1")
	}
	first := send(`{"index":3}`)
	first.want(t, 202, "")
	if again := send(`{"index":3}`); again.status != 202 || again.body != first.body {
		t.Errorf("%s, the first was %s", again.body, first.body)
	}
	send(`{"index":4}`).want(t, 422, "idempotency_mismatch")
	if n := len(c.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)); n != 2 {
		t.Errorf("%d sessions", n)
	}
}

// "`GET …/state?index=` → `{ok, sessionId, index, status, turnId?, openCalls, approvals,
// usage}`": the session as it was; what it waits for reads as in `GET …/approvals`.
func TestState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id := c.do("POST", "/bot/v1/session", `{"message":"/call merge {\"n\":1}"}`).want(t, 202, "")["sessionId"].(string)
	c.waitFor(id, "input.requested")
	path := "/bot/v1/session/" + id
	listed := c.do("GET", path+"/approvals", "").body
	parked := c.do("GET", path+"/state", "")
	m := parked.want(t, 200, "")
	calls := m["openCalls"].([]any)
	call, _ := calls[0].(map[string]any)
	if m["status"] != "parked" || m["index"] != float64(w.lastIndex(id)) || len(calls) != 1 || call["status"] != "parked" || call["toolName"] != "merge" || call["effect"] != events.EffectWrite || call["turnId"] != m["turnId"] {
		t.Error(m)
	}
	_, approvals, _ := strings.Cut(listed, `"approvals":`)
	if !strings.Contains(parked.body, `"approvals":`+strings.TrimRight(approvals, "}\n")) {
		t.Errorf("%s lacks %s", parked.body, approvals)
	}
	c.do("POST", path+"/stop", "").want(t, 200, "")
	if again := c.do("GET", fmt.Sprintf("%s/state?index=%v", path, m["index"]), ""); again.body != parked.body {
		t.Errorf("it was %s, and is %s", parked.body, again.body)
	}
	for index, want := range map[uint64]string{0: "waiting", 1: "running", w.lastIndex(id): "waiting"} {
		m := c.do("GET", fmt.Sprintf("%s/state?index=%d", path, index), "").want(t, 200, "")
		if m["status"] != want || m["index"] != float64(index) || !slices.Equal(m["approvals"].([]any), []any{}) {
			t.Errorf("at %d: %v", index, m)
		}
	}
	for _, q := range []string{"index=", "index=-1", "index=01", "index=1.5", "index=0x1", "index=1&index=1", "index=99999999999999999999", fmt.Sprintf("index=%d", w.lastIndex(id)+1)} {
		c.do("GET", path+"/state?"+q, "").want(t, 400, "invalid_index")
	}
	c.do("GET", path+"/state?at=1", "").want(t, 400, "invalid_query")
}
