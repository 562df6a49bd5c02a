package transport

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// "`POST …/compact` (ours) compacts an idle session's context now";
// "`200 {ok, sessionId, compacted}`".
func TestCompact_Replies(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, token := c.started(strings.Repeat("long ", 100))
	path := "/bot/v1/session/" + id + "/compact"
	for body, code := range map[string]string{`{"x":1}`: "unknown_field", `[]`: "invalid_body", `null`: "invalid_body", `{`: "invalid_body", `{} x`: "invalid_body"} {
		c.do("POST", path, body).want(t, 400, code)
	}
	c.do("POST", path, "{}", "Content-Type", "-", "Content-Type", "text/plain").want(t, 415, "unsupported_media_type")
	c.do("POST", path, "{"+strings.Repeat(" ", 1<<20)+"}").want(t, 413, "body_too_large")
	c.do("POST", path+"?x=1", "").want(t, 400, "invalid_query")
	a := c.do("POST", path, "{}")
	m := a.want(t, 200, "")
	before, _ := m["tokensBefore"].(float64)
	after, _ := m["tokensAfter"].(float64)
	if want := fmt.Sprintf("{\"ok\":true,\"sessionId\":%q,\"compacted\":true,\"tokensBefore\":%v,\"tokensAfter\":%v}\n", id, before, after); a.body != want || after >= before || after == 0 {
		t.Errorf("the answer is %s", a.body)
	}
	lines := strings.Split(strings.TrimSpace(c.do("GET", "/bot/v1/session/"+id+"/events", "").body), "\n")
	e, err := events.Decode([]byte(lines[len(lines)-1]))
	if err != nil {
		t.Fatal(err)
	}
	if d, ok := e.Data.(*events.ContextCompacted); !ok || e.TurnID != "" || float64(d.TokensBefore) != before || float64(d.TokensAfter) != after {
		t.Errorf("the log ends with %s", lines[len(lines)-1])
	}
	if a := c.do("POST", path, ""); a.body != fmt.Sprintf("{\"ok\":true,\"sessionId\":%q,\"compacted\":false,\"message\":\"there is nothing to sum up\"}\n", id) {
		t.Errorf("again: %d %s", a.status, a.body)
	}
	// "Money and tokens are folded from step.completed and context.compacted alone"
	cost := c.do("GET", "/bot/v1/session/"+id+"/cost", "").want(t, 200, "")
	if used := cost["total"].(map[string]any)["usage"].(map[string]any); used["inputTokens"].(float64) <= 125 {
		t.Errorf("the cost is %v", cost)
	}
	c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": "and now?"}), "Accept", ndjson).want(t, 200, "")
}

// A session "with an open turn", parked included, is `409 session_busy`; a deleted one
// is `410 deleted`, and one that nobody knows `404 unknown_session`.
func TestCompact_Refusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	parked, _ := c.parked()
	c.do("POST", parked+"/compact", "").want(t, 409, "session_busy")
	running := c.do("POST", "/bot/v1/session", `{"message":"/call hold {}"}`).want(t, 202, "")["sessionId"].(string)
	c.waitFor(running, "actions.requested")
	c.do("POST", "/bot/v1/session/"+running+"/compact", "").want(t, 409, "session_busy")
	close(w.release)
	w.settled(running)
	c.do("POST", "/bot/v1/session/"+running+"/compact", "").want(t, 200, "")
	c.do("POST", "/bot/v1/session/ses_01J0000000000000000000000A/compact", "").want(t, 404, "unknown_session")
	c.do("POST", "/bot/v1/session/"+w.deleted()+"/compact", "").want(t, 410, "deleted")
}

// deleted is the caller's session, whose "contents are purged".
func (w *world) deleted() string {
	w.t.Helper()
	const id = "ses_01J0000000000000000000000B"
	now := time.Now()
	started := events.New("", now, &events.SessionStarted{Agent: "bot", ChannelID: "http", Mode: events.ModeChat, Purpose: events.PurposeLive, Principal: localPrincipal})
	gone := events.New("", now, &events.SessionDeleted{})
	gone.Index = 1
	if _, err := w.journal.Append(w.t.Context(), journal.Append{Stream: id, Events: []events.Event{started, gone}, Now: now}); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// "Checks come in the order: … 503 `draining`, 507, body …": a compaction is new work.
func TestCompact_NoNewWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	h.host = fullHost{w.host}
	c, roomy := w.serveHandler(h), w.serve(nil)
	id, _ := roomy.started("x")
	theirs := w.foreign("bot", "x")
	c.do("POST", "/bot/v1/session/"+id+"/compact", "x").want(t, 507, "insufficient_storage")
	c.do("POST", "/bot/v1/session/"+theirs+"/compact", "x").want(t, 403, "forbidden")
	w.host.Drain()
	roomy.do("POST", "/bot/v1/session/"+id+"/compact", "x").want(t, 503, "draining")
}
