package projects

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/project"
	"github.com/gobdk/bdk/transport"
)

// serveAll serves every agent of a host for its developer and gives the address before
// their slugs.
func (h *host) serveAll(t *testing.T) string {
	t.Helper()
	handler, err := transport.NewHandler(&transport.Options{Host: h.Host, Views: h.views, Dev: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// rests waits until a session has nothing to do and gives what it said last.
func (h *host) rests(t *testing.T, sessionID string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := h.Wait(ctx, sessionID)
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Result)
}

// sessionOf reads the session's id in a reply.
func sessionOf(t *testing.T, reply string) string {
	t.Helper()
	var r struct{ SessionID string }
	if err := json.Unmarshal([]byte(reply[4:]), &r); err != nil || r.SessionID == "" {
		t.Fatalf("%s: %v", reply, err)
	}
	return r.SessionID
}

// "GET /pending → {ok:true,pending:[]}; POST /approve unknown id → 409; /report without subject → 400"
func TestHarbourDesk_TakesReports(t *testing.T) {
	t.Parallel()
	h := newHost(t, load(t, "harbour-desk"), load(t, "yard"))
	root := h.serveAll(t) + "/harbour-desk/v1"
	at := root + "/channels/reports"
	if got := ask(t, at+"/pending", ""); got != `200 {"ok":true,"pending":[]}` {
		t.Error(got)
	}
	if got := ask(t, at+"/approve", `{"repairId":"R-9","warden":"ada"}`); got != `409 {"ok":false,"error":"no such repair waits"}` {
		t.Error(got)
	}
	if got := ask(t, at+"/report", `{"ticketId":"T-1","message":"the lamp"}`); !strings.HasPrefix(got, `400 {"ok":false,"error":"invalid_body"`) || !strings.Contains(got, `{"path":"subject","message":"is required"}`) {
		t.Error(got)
	}
	first := sessionOf(t, ask(t, at+"/report", `{"ticketId":"T-1","subject":"Lamp","message":"the lamp","reporter":"Zoë"}`))
	if got := h.rests(t, first); got != `"Queued as R-1."` {
		t.Error(got)
	}
	// "The same token is the same conversation."
	if again := sessionOf(t, ask(t, at+"/followup", `{"ticketId":"T-1","message":"It smokes."}`)); again != first || h.rests(t, first) != `"Noted."` {
		t.Errorf("a follow-up is in %s, the report in %s", again, first)
	}
	const waits = `{"id":"R-1","ticketId":"T-1","place":"the lamp","status":"pending"}`
	if got := ask(t, at+"/pending", ""); got != `200 {"ok":true,"pending":[`+waits+`]}` {
		t.Error(got)
	}
	h.sweeps(t, root)
	// The peer beside it mends what a warden approved, once.
	approved := ask(t, at+"/approve", `{"repairId":"R-1","warden":"ada"}`)
	if sessionOf(t, approved) != first || h.rests(t, first) != `"The yard says: Mended: the lamp."` {
		t.Errorf("%s: %s", approved, h.rests(t, first))
	}
	if got := ask(t, at+"/approve", `{"repairId":"R-1","warden":"ada"}`); !strings.HasPrefix(got, "409 ") {
		t.Error(got)
	}
}

// sweeps fires the schedule of a file in TypeScript, which wins over the Markdown one
// of its name: it chases each repair once.
func (h *host) sweeps(t *testing.T, root string) {
	t.Helper()
	for n, want := range []int{1, 0} {
		got := ask(t, root+"/dev/schedules/sweep", "{}")
		var r struct{ SessionIDs []string }
		if err := json.Unmarshal([]byte(got[4:]), &r); err != nil || len(r.SessionIDs) != want {
			t.Fatalf("sweep %d: %s %v", n, got, err)
		}
		for _, id := range r.SessionIDs {
			if got := h.rests(t, id); got != `"I will ask a warden again."` {
				t.Error(got)
			}
		}
	}
	handover := ask(t, root+"/dev/schedules/handover", "{}")
	if !strings.HasPrefix(handover, `200 {"ok":true,"scheduleId":"handover","sessionIds":["ses_`) {
		t.Error(handover)
	}
}

// "X-Hub-Signature-256 over the raw bytes"; a handler that gives null starts nothing.
func TestHarbourDesk_HearsOfPullRequests(t *testing.T) {
	t.Parallel()
	h := newHost(t, load(t, "harbour-desk"), load(t, "yard"))
	root := h.serveAll(t) + "/harbour-desk/v1"
	const event = `{"action":"closed","number":7,"pull_request":{"number":7,"draft":false},"repository":{"full_name":"harbour/lamps"}}`
	sum := hmac.New(sha256.New, []byte("of-the-harbour-and-its-hook"))
	sum.Write([]byte(event))
	headers := []string{"X-GitHub-Event", "pull_request", "X-GitHub-Delivery", "d-1"}
	if got := ask(t, root+"/channels/github", event, headers...); !strings.HasPrefix(got, "401 ") {
		t.Error(got)
	}
	signed := append(headers, "X-Hub-Signature-256", "sha256="+hex.EncodeToString(sum.Sum(nil)))
	if got := ask(t, root+"/channels/github", event, signed...); got != "202 " {
		t.Error(got)
	}
	if got := ask(t, root+"/sessions", ""); got != `200 {"ok":true,"sessions":[]}` {
		t.Error(got)
	}
}

// "chosen at module load from env"
func TestHarbourDesk_ReachesAYardElsewhere(t *testing.T) {
	t.Parallel()
	agents, err := project.Load(t.Context(), "harbour-desk", &project.Options{
		Env: []string{"YARD_URL=https://yard.example/v1/mcp", "YARD_TOKEN=x"}, CheckOnly: true,
	})
	if err != nil || len(agents) != 1 || len(agents[0].Connections) != 1 {
		t.Fatal(agents, err)
	}
	c := agents[0].Connections[0]
	if c.Name != "yard" || c.Agent != "" || c.URL != "https://yard.example/v1/mcp" || c.Headers["X-Yard-Token"] != "x" || !c.Advertise {
		t.Errorf("%+v", c)
	}
}

// "Missing env variable throws at module load": one diagnostic names the file, and the
// other slots are still listed.
func TestNightBell_WithoutItsCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env      []string
		rule, of string
	}{
		{nil, "module/load", "Set BELL_CODE to the code of the bell."},
		{[]string{"BELL_CODE=no"}, "extension/settings", "code: must have at least 4 characters"},
	} {
		agents, err := project.Load(t.Context(), "night-bell", &project.Options{Env: c.env, CheckOnly: true})
		if err != nil || len(agents) != 1 {
			t.Fatal(agents, err)
		}
		a := agents[0]
		if len(a.Diagnostics) != 1 || a.Diagnostics[0].Rule != c.rule || a.Diagnostics[0].File != "bot/extensions/bell.ts" || !strings.Contains(a.Diagnostics[0].Message, c.of) || a.Diagnostics[0].Severity != agent.SeverityError {
			t.Errorf("%+v", a.Diagnostics)
		}
		if len(a.Tools) != 1 || a.Tools[0].Name != "hours" || len(a.Skills) != 1 || len(a.Mounts) != 0 {
			t.Errorf("%+v %+v %+v", a.Tools, a.Skills, a.Mounts)
		}
	}
}
