package transport

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// "Same key with another body: `422 idempotency_mismatch`"; "the repeated answer is
// the one of then (the token as of that message)".
func TestIdempotency_StartAndFollowUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	key := []string{"Idempotency-Key", `"k-1"`}
	first := c.do("POST", "/bot/v1/session", `{"message":"x"}`, key...)
	m := first.want(t, 202, "")
	id := m["sessionId"].(string)
	w.settled(id)
	follow := encode(map[string]any{"continuationToken": m["continuationToken"], "message": "y"})
	second := c.do("POST", "/bot/v1/session/"+id, follow, key...)
	second.want(t, 202, "")
	w.settled(id)
	for range 2 {
		if again := c.do("POST", "/bot/v1/session", `{"message":"x"}`, key...); again.status != 202 || again.body != first.body {
			t.Errorf("a repeated start: %d %s, want %s", again.status, again.body, first.body)
		}
		if again := c.do("POST", "/bot/v1/session/"+id, follow, key...); again.status != 202 || again.body != second.body {
			t.Errorf("a repeated follow-up: %d %s, want %s", again.status, again.body, second.body)
		}
	}
	c.do("POST", "/bot/v1/session", `{"message":"x" }`, key...).want(t, 422, "idempotency_mismatch")
	// "Checked in the order auth, owner, key, token": a changed token is another body.
	c.do("POST", "/bot/v1/session/"+id, `{"continuationToken":"http:x","message":"y"}`, key...).want(t, 422, "idempotency_mismatch")
	// The scope has the route with its ids, and the agent.
	c.do("POST", "/other/v1/session", `{"message":"x" }`, key...).want(t, 202, "")
	if n := len(c.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)); n != 1 {
		t.Errorf("%d sessions", n)
	}
	if got := strings.Count(c.do("GET", "/bot/v1/session/"+id+"/events", "").body, `"message.received"`); got != 2 {
		t.Errorf("%d messages", got)
	}
}

// "A key is 1–255 visible ASCII characters (`400 invalid_idempotency_key`)."
func TestIdempotency_Keys(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	for _, key := range []string{"a b", "é", strings.Repeat("k", 256), "", "a\tb"} {
		c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Idempotency-Key", key).want(t, 400, "invalid_idempotency_key")
	}
	c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Idempotency-Key", "a", "Idempotency-Key", "b").want(t, 400, "invalid_idempotency_key")
	c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Idempotency-Key", strings.Repeat("~", 255)).want(t, 202, "")
}

// C25: of requests with one key at the same time one opens a session.
func TestIdempotency_Racers(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	var mu sync.Mutex
	ids := map[string]bool{}
	var racers sync.WaitGroup
	for range 16 {
		racers.Go(func() {
			a := c.do("POST", "/bot/v1/session", `{"message":"x"}`, "Idempotency-Key", "one")
			if a.status == 409 {
				a.want(t, 409, "in_flight")
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ids[a.want(t, 202, "")["sessionId"].(string)] = true
		})
	}
	racers.Wait()
	if len(ids) != 1 {
		t.Errorf("%d sessions of one key", len(ids))
	}
}

// parked opens a session whose one call waits for a decision.
func (c *client) parked() (base, callID string) {
	c.t.Helper()
	id, _ := c.started(`/call merge {"n":12345678901234567890}`)
	base = "/bot/v1/session/" + id
	list := c.do("GET", base+"/approvals", "").want(c.t, 200, "")["approvals"].([]any)
	if len(list) != 1 {
		c.t.Fatal(list)
	}
	return base, list[0].(map[string]any)["callId"].(string)
}

// "Again with the same decision: the same 200. With the other: `409
// already_resolved`. Closed by an interrupt: `409 cancelled` … Unknown call: `404 unknown_call`."
func TestApprovals_Decide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	base, call := c.parked()
	a := c.do("GET", base+"/approvals", "")
	for _, want := range []string{`"toolName":"merge"`, `"args":{"n":12345678901234567890}`, `"requestId":"req_`, `"requestedAt":"`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s is not in %s", want, a.body)
		}
	}
	if c.do("GET", base, "").want(t, 200, "")["session"].(map[string]any)["status"] != "parked" {
		t.Error("list status `parked`")
	}
	path := base + "/approvals/" + call
	for _, body := range []string{`{}`, `{"decision":"maybe"}`, `{"decision":null}`, `{"decision":"cancelled"}`, ``, `{"decision":"deny","DECISION":"approve"}`, `{"decision":"deny","decision":"approve"}`, `{"decision":"deny","reason":1}`} {
		if a := c.do("POST", path, body); a.status != 400 {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	for range 2 {
		if a := c.do("POST", path, `{"decision":"approve","reason":"fine"}`); a.status != 200 || a.body != fmt.Sprintf("{\"ok\":true,\"callId\":%q,\"decision\":\"approve\"}\n", call) {
			t.Fatal(a.status, a.body)
		}
	}
	c.do("POST", path, `{"decision":"deny"}`).want(t, 409, "already_resolved")
	c.do("POST", base+"/approvals/call_none", `{"decision":"deny"}`).want(t, 404, "unknown_call")
	w.settled(strings.TrimPrefix(base, "/bot/v1/session/"))
	c.do("POST", path, `{"decision":"deny"}`).want(t, 409, "already_resolved")
	if a := c.do("GET", base+"/approvals", ""); a.body != "{\"ok\":true,\"approvals\":[]}\n" {
		t.Error(a.body)
	}
	base, call = c.parked()
	c.do("POST", base+"/stop", "").want(t, 200, "")
	c.do("POST", base+"/approvals/"+call, `{"decision":"approve"}`).want(t, 409, "cancelled")
}

func TestApprovals_Racers(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	base, call := c.parked()
	counts := map[string]int{}
	var mu sync.Mutex
	var racers sync.WaitGroup
	for i := range 32 {
		racers.Go(func() {
			a := c.do("POST", base+"/approvals/"+call, fmt.Sprintf(`{"decision":%q}`, []string{"approve", "deny"}[i%2]))
			mu.Lock()
			defer mu.Unlock()
			counts[fmt.Sprint(i%2, a.status)]++
		})
	}
	racers.Wait()
	if counts["0 200"] != 16 && counts["1 200"] != 16 || len(counts) != 2 {
		t.Errorf("one decision wins for all who made it: %v", counts)
	}
}

func TestCallTool_Replies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	a := c.do("POST", "/bot/v1/tools/echo", `{"input":{"n": 12345678901234567890, "s":"\ud83d"}}`)
	a.want(t, 200, "")
	if !strings.HasPrefix(a.body, `{"ok":true,"toolName":"echo","callId":"tool_echo_`) || !strings.Contains(a.body, `"isError":false,"result":{"n":12345678901234567890,"s":"\ufffd"},"durationMs":`) {
		t.Error(a.body)
	}
	m := c.do("POST", "/bot/v1/tools/break", "").want(t, 200, "") // "a tool's own failure is `200` with `isError: true` and `message`"
	if m["isError"] != true || !strings.Contains(m["message"].(string), "it broke") || m["code"] != "tool_error" || m["result"] != nil {
		t.Error(m)
	}
	if m := c.do("POST", "/bot/v1/tools/merge", `{}`).want(t, 200, ""); m["isError"] != false { // who calls directly skips the gate
		t.Error(m)
	}
	m = c.do("POST", "/bot/v1/tools/echo", `{"input":{"bad":1}}`).want(t, 400, "invalid_input")
	if issue := m["issues"].([]any)[0].(map[string]any); issue["path"] != "bad" {
		t.Error(m)
	}
	for _, input := range []string{"[]", "null", "1", `"x"`} {
		c.do("POST", "/bot/v1/tools/echo", `{"input":`+input+`}`).want(t, 400, "invalid_input")
	}
	m = c.do("POST", "/bot/v1/tools/none", `{}`).want(t, 404, "unknown_tool")
	if fmt.Sprint(m["available"]) != "[break echo hold merge save tag]" {
		t.Error(m)
	}
	if m := c.do("GET", "/other/v1/tools/none", "").want(t, 404, "unknown_tool"); fmt.Sprint(m["available"]) != "[]" {
		t.Error(m)
	}
}

func TestCallTool_Bound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, token := c.started("x")
	theirs := w.foreign("bot", "x")
	theirToken := w.host.Token(theirs, 0)
	call := func(tool string, fields ...string) answer {
		return c.do("POST", "/bot/v1/tools/"+tool, "{"+strings.Join(fields, ",")+"}")
	}
	bySession, byToken := fmt.Sprintf(`"sessionId":%q`, id), fmt.Sprintf(`"continuationToken":%q`, token)
	call("save", bySession).want(t, 200, "")
	call("save", byToken, `"input":{"a":1}`).want(t, 200, "")
	call("save", bySession, byToken).want(t, 400, "invalid_input") // "both ids given"
	call("echo", `"sessionId":"ses_01J0000000000000000000000A"`).want(t, 404, "unknown_session")
	call("echo", `"sessionId":""`).want(t, 404, "unknown_session")
	call("echo", fmt.Sprintf(`"sessionId":%q`, theirs)).want(t, 403, "forbidden")
	call("echo", fmt.Sprintf(`"continuationToken":%q`, theirToken)).want(t, 403, "forbidden")
	call("echo", `"continuationToken":"http:x"`).want(t, 409, "stale_token")
	if got := strings.Count(c.do("GET", "/bot/v1/session/"+id+"/events", "").body, `"callId":"tool_save_`); got != 4 { // two requested, two results
		t.Errorf("%d lines of bound calls", got)
	}
	c.do("POST", "/bot/v1/session/"+id, fmt.Sprintf(`{"message":"/call hold {}",%s}`, byToken)).want(t, 202, "")
	call("echo", byToken).want(t, 409, "stale_token")
	c.waitFor(id, "actions.requested")
	call("save", bySession).want(t, 409, "session_busy") // "a write … bound to a session with an open turn"
	call("echo", bySession).want(t, 200, "")
	close(w.release)
	for query, want := range map[string]string{"session=" + id: "200 ", "session=" + theirs: "403 forbidden", "session=x": "404 unknown_session", "continuationToken=http:x": "409 stale_token",
		"continuationToken=" + token: "409 stale_token", "session=" + id + "&continuationToken=" + token: "400 invalid_query", "continuationToken=" + theirToken: "403 forbidden"} {
		a := c.do("GET", "/bot/v1/tools?"+query, "")
		if code, _ := a.want(t, a.status, strings.Split(want, " ")[1])["error"].(string); fmt.Sprint(a.status, " ", code) != want {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
}

func TestCallTool_Idempotency(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	key := []string{"Idempotency-Key", "k"}
	one := c.do("POST", "/bot/v1/tools/save", `{"input":{"a":1}}`, key...).want(t, 200, "")
	two := c.do("POST", "/bot/v1/tools/save", `{"input":{"a":1}}`, key...).want(t, 200, "")
	if one["callId"] != two["callId"] || fmt.Sprint(one["result"]) != fmt.Sprint(two["result"]) {
		t.Error(one, two)
	}
	c.do("POST", "/bot/v1/tools/save", `{"input":{"a":2}}`, key...).want(t, 422, "idempotency_mismatch")
}
