package transport

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// timed gives the agent schedules, and a tool that sets a reminder far away.
func (w *world) timed() {
	w.t.Helper()
	agents := w.host.Agents()
	bot := *agents[0]
	bot.Schedules = []*agent.Schedule{
		{ID: "bad", Cron: "0 9 * * *", Source: "project", Run: func(context.Context, *agent.Call) error { return errors.New("no news") }},
		{ID: "daily", Cron: "0 9 * * MON", TimeZone: "Europe/Berlin", Source: "project", Markdown: "What is open?"},
	}
	bot.Tools = append(append([]*agent.Tool{}, bot.Tools...), tool("remind", agent.EffectRead, agent.ApprovalNever, func(ctx context.Context, c *agent.Call) (agent.Result, error) {
		id, err := c.Reminders.Set(ctx, agent.Reminder{Cron: "0 0 1 1 *", Message: "a new year"})
		return agent.Result{Output: json.RawMessage(encode(id))}, err
	}))
	if err := w.host.Reload(w.t.Context(), []*agent.Agent{&bot, agents[1]}); err != nil {
		w.t.Fatal(err)
	}
}

// "In `--dev` nothing fires by itself: `POST /v1/dev/schedules/:id`" → {scheduleId, sessionIds}.
func TestDev_Schedules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.timed()
	plain := w.serve(nil)
	dev := w.serve(func(o *Options) { o.Dev = true })
	plain.do("POST", "/bot/v1/dev/schedules/daily", "").want(t, 404, "not_found")
	dev.do("POST", "/bot/v1/dev/schedules/dayly", "").want(t, 404, "unknown_schedule")
	dev.do("POST", "/bot/v1/dev/schedules/daily", `{"x":1}`).want(t, 400, "unknown_field")
	failed := dev.do("POST", "/bot/v1/dev/schedules/bad", "")
	failed.want(t, 500, "schedule_failed")
	if !strings.Contains(failed.body, "no news") {
		t.Error(failed.body)
	}

	var first, again firedReply
	send := func(into *firedReply) {
		a := dev.do("POST", "/bot/v1/dev/schedules/daily", "", "Idempotency-Key", "k1")
		if err := json.Unmarshal([]byte(a.body), into); err != nil || a.status != 200 {
			t.Fatal(a.status, a.body)
		}
	}
	send(&first)
	send(&again)
	if first.ScheduleID != "daily" || len(first.SessionIDs) != 1 || again.SessionIDs[0] != first.SessionIDs[0] {
		t.Errorf("%+v, then %+v", first, again)
	}
	dev.do("GET", "/bot/v1/session/"+first.SessionIDs[0], "").want(t, 200, "")
	plain.do("GET", "/bot/v1/session/"+first.SessionIDs[0], "").want(t, 403, "forbidden")

	info := dev.do("GET", "/bot/v1/info", "").body
	for _, want := range []string{`"id":"daily","cron":"0 9 * * MON","timeZone":"Europe/Berlin"`, `"next":"`, `"lastFired":"`, `"rule":"schedule/failed"`, "schedule bad failed at "} {
		if !strings.Contains(info, want) {
			t.Errorf("no %s in %s", want, info)
		}
	}
}

// "`schedule` (the id of the schedule that owns them)", whatever they are called and for
// those who may see them.
func TestSessions_OfASchedule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.timed()
	plain := w.serve(nil)
	dev := w.serve(func(o *Options) { o.Dev = true })
	plain.started("daily")
	id := dev.do("POST", "/bot/v1/dev/schedules/daily", "").want(t, 200, "")["sessionIds"].([]any)[0].(string)
	w.settled(id)
	dev.do("PATCH", "/bot/v1/session/"+id, `{"title":"the news"}`).want(t, 200, "")
	for query, want := range map[string]int{"schedule=daily": 1, "schedule=daily&q=NEWS": 1, "schedule=daily&q=old": 0, "schedule=dail": 0, "schedule=": 0} {
		rows := dev.do("GET", "/bot/v1/sessions?"+query, "").want(t, 200, "")["sessions"].([]any)
		if len(rows) != want || want == 1 && rows[0].(map[string]any)["id"] != id {
			t.Errorf("%s: %v, want %d", query, rows, want)
		}
	}
	if rows := plain.do("GET", "/bot/v1/sessions?schedule=daily", "").want(t, 200, "")["sessions"].([]any); len(rows) != 0 {
		t.Errorf("who does not own them sees %v", rows)
	}
	dev.do("GET", "/bot/v1/sessions?schedule=a&schedule=b", "").want(t, 400, "invalid_query")
}

// `GET /v1/dev/reminders` → {ok, reminders: [{id, sessionId, at, message}]}; firing one → {ok, sessionId}.
func TestDev_Reminders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.timed()
	plain := w.serve(nil)
	dev := w.serve(func(o *Options) { o.Dev = true })
	id, _ := plain.started("mine")
	plain.do("POST", "/bot/v1/tools/remind", `{"sessionId":"`+id+`"}`).want(t, 200, "")
	plain.do("GET", "/bot/v1/dev/reminders", "").want(t, 404, "not_found")
	var list struct {
		OK        bool
		Reminders []map[string]string
	}
	a := dev.do("GET", "/bot/v1/dev/reminders", "")
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || len(list.Reminders) != 1 {
		t.Fatal(a.body)
	}
	r := list.Reminders[0]
	if len(r) != 4 || r["sessionId"] != id || r["message"] != "a new year" || !strings.HasSuffix(r["at"], "-01-01T00:00:00Z") {
		t.Error(a.body)
	}
	if a := dev.do("POST", "/bot/v1/dev/reminders/"+r["id"], ""); a.status != 200 || !strings.Contains(a.body, `"sessionId":"`+id+`"`) {
		t.Error(a.status, a.body)
	}
	dev.do("POST", "/bot/v1/dev/reminders/rem_1", "").want(t, 404, "unknown_reminder")
	dev.do("POST", "/other/v1/dev/reminders/"+r["id"], "").want(t, 404, "unknown_reminder")
	dev.do("GET", "/bot/v1/dev/reminders?x=1", "").want(t, 400, "invalid_query")
}

// The routes of dev ask whoever calls as every route of the agent does.
func TestDev_Callers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.timed()
	c := w.serve(func(o *Options) { o.Dev, o.BearerToken = true, "a-long-enough-secret" })
	for _, rt := range devRoutes() {
		path := "/bot" + strings.NewReplacer("{scheduleId}", "daily", "{reminderId}", "rem_1").Replace(rt.path)
		c.do(rt.method, path, "").want(t, 401, "unauthorized")
		if rt.changes() {
			c.do(rt.method, path, "", "Authorization", "Bearer a-long-enough-secret", "Origin", "https://evil.test").want(t, 403, "cross_origin")
		}
	}
}

// http.md: "Host-level routes (logs, dev, …) always use the chain of the command line",
// whatever the agent's own is.
func TestDev_HostsOwnChain(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(func(o *Options) { o.Dev = true })
	c.do("GET", "/own/v1/info", "").want(t, 401, "unauthorized")
	c.do("GET", "/own/v1/dev/reminders", "").want(t, 200, "")
	c.do("POST", "/own/v1/dev/schedules/none", "").want(t, 404, "unknown_schedule")
}
