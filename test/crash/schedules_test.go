//go:build failpoints

package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// "One instant fires once, over restarts too": the host is killed at the instant, when
// that is recorded and nothing of it happened.
func TestCrash_ScheduleFiresOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"markdown", "run"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, lateFile), []byte(mode), 0o600); err != nil {
				t.Fatal(err)
			}
			if s, err := launch(dir, "schedule.recorded:1"); err == nil { // it may die before it serves
				<-s.exit
			}
			if err := os.WriteFile(filepath.Join(dir, lateFile), []byte(mode), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := launch(dir, "")
			if err != nil {
				t.Fatal(err)
			}
			var open string
			if mode == "markdown" {
				open = waitForTask(t, s.url)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
			told := toldOf(t, dir, "agt_bot")
			first := told[0].Data.(*events.ScheduleFired)
			if mode == "markdown" && (len(first.SessionIDs) != 1 || first.SessionIDs[0] != open) {
				t.Errorf("it was recorded with %v, and opened %s", first.SessionIDs, open)
			}
			if mode == "run" {
				failed, ok := told[min(1, len(told)-1)].Data.(*events.ScheduleFailed)
				if !ok || !failed.Instant.Equal(first.Instant) || !strings.Contains(failed.Message, "the host stopped while it ran") {
					t.Errorf("what follows the firing is %+v", told)
				}
			}
			fired := map[time.Time]int{}
			for _, e := range told {
				if d, ok := e.Data.(*events.ScheduleFired); ok {
					fired[d.Instant]++
				}
			}
			if fired[first.Instant] != 1 {
				t.Errorf("fired: %v", fired)
			}
			if b, err := os.ReadFile(filepath.Join(dir, "effects.runs")); mode == "run" && !errors.Is(err, fs.ErrNotExist) && strings.Contains(string(b), first.Instant.Format(time.RFC3339)) {
				t.Errorf("it ran again: %s", b)
			}
		})
	}
}

// waitForTask gives the first session that a schedule opened, once it has ended.
func waitForTask(t *testing.T, base string) string {
	t.Helper()
	var list struct {
		Sessions []struct{ SessionID, ID, ChannelID, Status string }
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if err := getJSON(base+"/v1/sessions", &list); err != nil {
			t.Fatal(err)
		}
		if n := len(list.Sessions); n > 0 && list.Sessions[n-1].Status == "completed" {
			return list.Sessions[n-1].SessionID + list.Sessions[n-1].ID
		}
	}
	t.Fatalf("no session came: %+v", list)
	return ""
}

// toldOf reads a log of a host that has stopped.
func toldOf(t *testing.T, dir, stream string) (out []*events.Event) {
	t.Helper()
	j, err := openRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	lines, err := j.Read(stream, 0, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		e, err := events.Decode(l.Data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		t.Fatalf("the log %s is empty", stream)
	}
	return out
}

// "`reminder.fired` and its message are one append": the host is killed when that is
// on disk, and the turn goes on at the next start.
func TestCrash_ReminderFiresOnce(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), newSession()
	s, err := launch(dir, "reminder.recorded:1")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.talk(s.url, "hello there"); err != nil {
		t.Fatal(err)
	}
	if status, answer, err := post(s.url+"/v1/tools/remind", map[string]string{"sessionId": c.id}); err != nil || status != 200 {
		t.Fatal(status, string(answer), err)
	}
	<-s.exit
	c.tried["hello again"], c.acked["hello again"] = true, true // the reminder says it
	finish(t, scenario{"reminder", func(c *session, base string) error { return c.follow(base) }}, c, dir, "reminder.recorded")
	fired, messages := 0, 0
	for _, e := range toldOf(t, dir, c.id) {
		switch d := e.Data.(type) {
		case *events.ReminderFired:
			fired++
		case *events.MessageReceived:
			if d.From == events.FromReminder {
				messages++
			}
		}
	}
	if fired != 1 || messages != 1 {
		t.Error(fmt.Sprint(fired, " firings with ", messages, " messages"))
	}
}
