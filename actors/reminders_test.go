package actors_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A ward is a house whose agent has tools for reminders, on a clock that jumps.
type ward struct {
	*house
	clock *jumpClock
}

func newWard(t *testing.T, o actors.Options) *ward {
	t.Helper()
	w := &ward{clock: newJumpClock("2026-12-01T08:00:00Z")}
	o.Clock = w.clock
	set := newTool(t, "remind", func(ctx context.Context, in agent.Reminder, c *agent.Call) (string, error) {
		if in.Message == "in ten" {
			in.In = 10 * time.Minute
		}
		return c.Reminders.Set(ctx, in)
	}, &agent.ToolOptions[agent.Reminder]{InputSchema: []byte(`{"type":"object"}`)})
	list := newTool(t, "reminders", func(ctx context.Context, _ map[string]any, c *agent.Call) ([]agent.Reminder, error) {
		return c.Reminders.List(ctx)
	}, nil)
	cancel := newTool(t, "forget", func(ctx context.Context, in struct {
		ID string `json:"id"`
	}, c *agent.Call) (bool, error) {
		return c.Reminders.Cancel(ctx, in.ID)
	}, nil)
	w.house = newShapedHouse(t, o, script, func(a *agent.Agent) { a.Tools = append(a.Tools, set, list, cancel) })
	return w
}

// chat opens a session that came to rest.
func (w *ward) chat() string {
	w.t.Helper()
	a := w.start("hello")
	w.rest(a.SessionID, "waiting")
	return a.SessionID
}

// call runs a tool in the session and gives its output.
func (w *ward) call(session, tool, input string) string {
	w.t.Helper()
	got, err := w.host.CallTool(w.t.Context(), actors.ToolCall{Agent: "tester", Name: tool, Input: []byte(input), SessionID: session, Principal: local})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(got.Result.Output)
}

// reminded lists the messages that reminders sent, once the session rests.
func (w *ward) reminded(session string) (texts []string) {
	w.t.Helper()
	w.rest(session, "waiting")
	fired := 0
	for _, e := range w.log(session) {
		switch d := e.Data.(type) {
		case *events.ReminderFired:
			fired++
		case *events.MessageReceived:
			if d.From == events.FromReminder {
				texts = append(texts, d.Text)
			}
		}
	}
	if fired != len(texts) {
		w.t.Errorf("%d reminders fired with %d messages", fired, len(texts))
	}
	return texts
}

// comes waits until the session was reminded of n things.
func (w *ward) comes(session string, n int) []string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 60*time.Second)
	defer cancel()
	for lines, err := range w.journal.Follow(ctx, session, 0) {
		if err != nil {
			w.t.Fatalf("%v:\n%s", err, w.story(session))
		}
		for _, l := range lines {
			if events.TypeOf(l.Data) == "reminder.fired" {
				n--
			}
		}
		if n <= 0 {
			break
		}
	}
	return w.reminded(session)
}

// "At its time the session gets the message as a turn (`from: "reminder"`)": at a jump
// of the clock, at the latest 30 s after it, and once.
func TestReminders_FireOnceWhateverTheClockDoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		jumps []time.Duration
		after time.Duration // the longest that it takes
	}{
		"as it should":     {nil, 10 * time.Minute},
		"a day ahead":      {[]time.Duration{24 * time.Hour}, 30 * time.Second},
		"half an hour":     {[]time.Duration{30 * time.Minute}, 30 * time.Second},
		"two hours back":   {[]time.Duration{-2 * time.Hour}, 2*time.Hour + 10*time.Minute},
		"there and back":   {[]time.Duration{-2 * time.Hour, 2 * time.Hour}, 10 * time.Minute},
		"ahead, then back": {[]time.Duration{24 * time.Hour, -24 * time.Hour}, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWard(t, actors.Options{})
			id := w.chat()
			w.call(id, "remind", `{"message":"in ten"}`)
			for _, j := range c.jumps {
				w.clock.jump(j)
			}
			w.clock.pass(c.after)
			if got := w.comes(id, 1); !slices.Equal(got, []string{"in ten"}) {
				t.Fatalf("reminded of %q", got)
			}
			w.clock.jump(-24 * time.Hour)
			w.clock.pass(48 * time.Hour)
			if got := w.reminded(id); len(got) != 1 {
				t.Errorf("reminded of %q", got)
			}
		})
	}
}

// "Due while down: fires once at start", asleep or awake; "cron" repeats, each firing once.
func TestReminders_OverRestarts(t *testing.T) {
	t.Parallel()
	w := newWard(t, actors.Options{})
	id := w.chat()
	w.call(id, "remind", `{"at":"2026-12-01T09:00:00Z","message":"once"}`)
	w.call(id, "remind", `{"cron":"0 9 * * *","timeZone":"Europe/Berlin","message":"daily"}`)
	w.restart()
	if w.host.Awake(id) {
		t.Error("a session whose reminders are not due was woken")
	}
	w.clock.pass(5 * time.Minute) // 8:05 UTC; 9:00 in Berlin is 8:00 UTC: of tomorrow
	w.close()
	w.clock.jump(72 * time.Hour)
	w.open()
	w.clock.pass(0)
	if got := w.comes(id, 2); !slices.Equal(got, []string{"once", "daily"}) {
		t.Fatalf("reminded of %q", got)
	}
	w.clock.pass(24 * time.Hour)
	if got := w.comes(id, 3); !slices.Equal(got, []string{"once", "daily", "daily"}) {
		t.Errorf("reminded of %q", got)
	}
	w.restart()
	w.clock.pass(time.Minute)
	if got := w.reminded(id); len(got) != 3 {
		t.Errorf("reminded of %q", got)
	}
}

// A sleeping session is woken; "queued if it runs".
func TestReminders_WakeAndQueue(t *testing.T) {
	t.Parallel()
	w := newWard(t, actors.Options{IdleAfter: time.Minute})
	id := w.chat()
	w.call(id, "remind", `{"at":"2026-12-01T12:00:00Z","message":"wake up"}`)
	for w.host.Awake(id) {
		w.clock.pass(time.Minute)
	}
	w.clock.pass(4 * time.Hour)
	if got := w.comes(id, 1); !slices.Equal(got, []string{"wake up"}) {
		t.Fatalf("reminded of %q", got)
	}

	if _, err := w.host.Send(t.Context(), id, actors.Message{Text: "slow"}); err != nil {
		t.Fatal(err)
	}
	<-w.started
	w.call(id, "remind", `{"at":"2026-12-01T08:00:00Z","message":"at once"}`)
	w.clock.pass(time.Second)
	if w.host.Running() == 0 {
		t.Error("the turn that ran was ended")
	}
	close(w.gate)
	if got := w.comes(id, 2); !slices.Equal(got, []string{"wake up", "at once"}) {
		t.Errorf("reminded of %q", got)
	}
	for _, e := range w.log(id) {
		if d, ok := e.Data.(*events.TurnFailed); ok {
			t.Errorf("%s: %s", e.TurnID, d.Message)
		}
	}
}

// `list()`, `cancel(idOrKey)`; "The same `key` replaces"; a bounded number per session.
func TestReminders_ListCancelReplace(t *testing.T) {
	t.Parallel()
	w := newWard(t, actors.Options{MaxReminders: 2})
	id := w.chat()
	w.call(id, "remind", `{"at":"2026-12-05T09:00:00Z","message":"later","data":{"n":1}}`)
	w.call(id, "remind", `{"at":"2026-12-02T09:00:00Z","message":"old","key":"k"}`)
	w.call(id, "remind", `{"cron":"0 9 * * MON","message":"new","key":"k"}`)
	if out := w.call(id, "remind", `{"at":"2026-12-05T09:00:00Z","message":"too many"}`); !strings.Contains(out, "--limit reminders") {
		t.Error(out)
	}
	list := w.call(id, "reminders", `{}`)
	for _, want := range []string{`"at":"2026-12-05T09:00:00Z"`, `"data":{"n":1}`, `"cron":"0 9 * * MON"`, `"at":"2026-12-07T09:00:00Z"`} {
		if !strings.Contains(list, want) || strings.Contains(list, "old") {
			t.Errorf("no %s in %s", want, list)
		}
	}
	if out := w.call(id, "forget", `{"id":"k"}`) + w.call(id, "forget", `{"id":"k"}`); out != "truefalse" {
		t.Error(out)
	}
	all, err := w.host.Reminders(t.Context(), "tester")
	if err != nil || len(all) != 1 || all[0].Message != "later" || all[0].SessionID != id {
		t.Fatalf("%+v, %v", all, err)
	}
	if got, err := w.host.FireReminder(t.Context(), "tester", all[0].ID); err != nil || got != id {
		t.Errorf("%s, %v", got, err)
	}
	if got := w.comes(id, 1); !slices.Equal(got, []string{"later"}) {
		t.Errorf("reminded of %q", got)
	}
	if _, err := w.host.FireReminder(t.Context(), "tester", all[0].ID); !errors.Is(err, actors.ErrUnknownReminder) {
		t.Error(err)
	}
}

// "throws in a task; never fires in an eval session"; unbound calls have none.
func TestReminders_WhereThereAreNone(t *testing.T) {
	t.Parallel()
	w := newWard(t, actors.Options{})
	task := w.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "x", Mode: events.ModeTask, ChannelID: "schedule"})
	w.rest(task.SessionID, "completed")
	if out := w.call(task.SessionID, "remind", `{"message":"in ten"}`); !strings.Contains(out, "a task ends by itself") {
		t.Error(out)
	}
	eval := w.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "x", Purpose: events.PurposeEval})
	w.rest(eval.SessionID, "waiting")
	w.call(eval.SessionID, "remind", `{"message":"in ten"}`)
	if out := w.call(eval.SessionID, "reminders", `{}`); !strings.Contains(out, "in ten") {
		t.Error(out)
	}
	w.clock.pass(time.Hour)
	w.restart()
	w.clock.pass(time.Hour)
	if got := w.reminded(eval.SessionID); len(got) > 0 {
		t.Errorf("reminded of %q", got)
	}
}

func TestReminders_Refusals(t *testing.T) {
	t.Parallel()
	w := newWard(t, actors.Options{})
	id := w.chat()
	for in, want := range map[string]string{
		`{"message":" ","cron":"* * * * *"}`:                           "message: is required",
		`{"message":"x"}`:                                              "give one of at, in and cron",
		`{"message":"in ten","cron":"* * * * *"}`:                      "give one of at, in and cron",
		`{"message":"x","cron":"* * *"}`:                               "cron: a cron expression has five fields",
		`{"message":"x","cron":"0 0 31 2 *"}`:                          "never fires",
		`{"message":"x","cron":"* * * * *","timeZone":"Mars"}`:         "timeZone: there is no time zone",
		`{"message":"x","at":"2027-01-01T00:00:00Z","timeZone":"UTC"}`: "timeZone: goes with cron alone",
		`{"message":"x","cron":"* * * * *","key":"a\nb"}`:              "key: has a control character",
	} {
		if out := w.call(id, "remind", in); !strings.Contains(out, want) {
			t.Errorf("%s: %s, want %s", in, out, want)
		}
	}
}

// "In `--dev` nothing fires by itself".
func TestReminders_ByHandAlone(t *testing.T) {
	t.Parallel()
	w := newWard(t, actors.Options{Manual: true})
	id := w.chat()
	w.call(id, "remind", `{"message":"in ten"}`)
	w.call(id, "remind", `{"cron":"0 9 * * *","message":"daily"}`)
	w.clock.pass(2 * time.Hour)
	w.restart()
	w.clock.pass(2 * time.Hour)
	if got := w.reminded(id); len(got) > 0 {
		t.Fatalf("reminded of %q", got)
	}
	list, err := w.host.Reminders(t.Context(), "tester")
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, r := range list {
		if _, err := w.host.FireReminder(t.Context(), "tester", r.ID); err != nil {
			t.Error(err)
		}
	}
	if got := w.comes(id, 2); !slices.Equal(got, []string{"in ten", "daily"}) {
		t.Errorf("reminded of %q", got)
	}
	if list, err := w.host.Reminders(t.Context(), "tester"); err != nil || len(list) != 1 || list[0].Message != "daily" {
		t.Errorf("%+v, %v", list, err)
	}
}

// "Close takes no new work": what comes due while the host drains fires at the next start.
func TestReminders_NotWhileTheHostDrains(t *testing.T) {
	t.Parallel()
	w := newWard(t, actors.Options{})
	id := w.chat()
	w.call(id, "remind", `{"message":"in ten"}`)
	w.host.Drain()
	w.clock.pass(11 * time.Minute)
	w.finish()
	w.openAgain()
	w.clock.pass(time.Second)
	if got := w.comes(id, 1); len(got) != 1 || got[0] != "in ten" {
		t.Errorf("%q", got)
	}
	if n := strings.Count(w.trace(id), "reminder.fired"); n != 1 {
		t.Errorf("it fired %d times", n)
	}
}
