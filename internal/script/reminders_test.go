package script

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// A pad keeps reminders.
type pad struct{ list []agent.Reminder }

func (p *pad) Set(_ context.Context, r agent.Reminder) (string, error) {
	p.list = append(p.list, r)
	return "rem_1", nil
}

func (p *pad) List(context.Context) ([]agent.Reminder, error) {
	at := time.Date(2027, 1, 2, 9, 0, 0, 0, time.UTC)
	return []agent.Reminder{{ID: "rem_1", Key: "k", At: &at, Cron: "0 9 * * *", TimeZone: "Asia/Tokyo", Message: "m", Data: json.RawMessage(`{"n":1}`)}}, nil
}

func (p *pad) Cancel(_ context.Context, idOrKey string) (bool, error) { return idOrKey == "k", nil }

func withPad(p *pad) func(*agent.Call) { return func(c *agent.Call) { c.Reminders = p } }

// `host.reminders.set({at | in | cron, timeZone?, message, key?, data?})` → `{id}`; `list()`, `cancel(idOrKey)`.
func TestReminders_Host(t *testing.T) {
	t.Parallel()
	p := &pad{}
	out, err := tool(t, `
  const { reminders } = ctx.host;
  const set = await reminders.set({ in: "1d12h", message: "a", key: "k", data: { n: [1] } });
  await reminders.set({ in: 1500.5, message: "b" });
  await reminders.set({ at: new Date(Date.UTC(2027, 0, 2)), message: "c" });
  await reminders.set({ at: "2027-01-02T09:00:00+09:00", message: "d" });
  await reminders.set({ cron: "0 9 * * 1", timeZone: "Europe/Berlin", message: "e" });
  return [set, await reminders.list(), await reminders.cancel("k"), await reminders.cancel("x")];`, withPad(p))
	want := `[{"id":"rem_1"},[{"id":"rem_1","key":"k","at":"2027-01-02T09:00:00Z","cron":"0 9 * * *","timeZone":"Asia/Tokyo","message":"m","data":{"n":1}}],true,false]`
	if err != nil || out != want {
		t.Fatalf("%v\n got %s\nwant %s", err, out, want)
	}
	l := p.list
	if l[0].In != 36*time.Hour || l[0].Key != "k" || string(l[0].Data) != `{"n":[1]}` || l[1].In != 1500500*time.Microsecond {
		t.Errorf("%+v", l[:2])
	}
	if !l[2].At.Equal(time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)) || !l[3].At.Equal(*l[2].At) || l[4].Cron != "0 9 * * 1" || l[4].TimeZone != "Europe/Berlin" {
		t.Errorf("%+v", l[2:])
	}
}

func TestReminders_Faults(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		`set()`:                                           "reminders.set needs {at | in | cron",
		`set({ in: "soon", message: "x" })`:               `in of reminders.set is "soon": make it milliseconds`,
		`set({ in: -1, message: "x" })`:                   "in of reminders.set must be how long from now",
		`set({ in: "0s", message: "x" })`:                 "make it milliseconds",
		`set({ in: "9999999w", message: "x" })`:           "make it milliseconds",
		`set({ at: "tomorrow", message: "x" })`:           "make it an ISO 8601 instant with a zone",
		`set({ at: "2027-01-02T09:00:00", message: "x"})`: "make it an ISO 8601 instant with a zone",
		`set({ at: 7, message: "x" })`:                    "at of reminders.set must be an instant",
		`set({ in: 1, text: "x" })`:                       `reminders.set has no option "text"`,
		`set({ in: 1, message: 1 })`:                      "message of reminders.set must be a string",
		`set({ in: 1, message: "x", data: NaN })`:         "the data",
		`cancel()`: "reminders.cancel needs the id or the key",
	} {
		if _, err := tool(t, "await ctx.host.reminders."+call, withPad(&pad{})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
}
