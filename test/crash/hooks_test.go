//go:build failpoints

package crash

import (
	"slices"
	"testing"

	"github.com/gobdk/bdk/events"
)

// hooks.md: "Recorded events are not replayed into hooks". The host is killed
// between an event and its hook: first the message, then the end of its turn.
func TestCrash_HookIsNotRunAgain(t *testing.T) {
	t.Parallel()
	for point, lost := range map[string]string{
		"hook.before:1": "message.received hello there",
		"hook.before:2": `turn.completed "I heard: hello there"`,
	} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			dir, c := t.TempDir(), newSession()
			s, err := launch(dir, point)
			if err != nil {
				t.Fatal(err)
			}
			_ = c.talk(s.url, "hello there") // the kill may come before the answer
			<-s.exit
			if c.id == "" { // nothing was promised
				c = newSession()
			}
			again := scenario{"again", func(c *session, base string) error { return c.talk(base, "hello again") }}
			finish(t, again, c, dir, point)
			all, err := given(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := texts(all)
			if slices.Contains(got, lost) {
				t.Errorf("hooks were given %q, the event at which the host was killed among them", got)
			}
			for _, later := range []string{"message.received hello again", `turn.completed "I heard: hello again"`} {
				if !slices.Contains(got, later) {
					t.Errorf("hooks were given %q, expected %q after the restart", got, later)
				}
			}
		})
	}
}

func texts(all []*events.Event) (out []string) {
	for _, e := range all {
		switch d := e.Data.(type) {
		case *events.MessageReceived:
			out = append(out, e.Type+" "+d.Text)
		case *events.TurnCompleted:
			out = append(out, e.Type+" "+string(d.Result))
		}
	}
	return out
}
