//go:build failpoints

package crash

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// hookPoints are the fail points that a webhook meets, each with how many of its hits
// are tried.
var hookPoints = map[string]int{
	"append.before": 6, "append.synced": 6, "step.recorded": 1,
	"delivery.received": 1, "delivery.before_handled": 1, "channel.sent_before_mark": 1,
}

// C95, P42, P43: "KILL between receive and admission, then … retry": the webhook's turn
// runs exactly once in all, and its end is delivered at least once, under one id.
func TestCrash_Webhook(t *testing.T) {
	t.Parallel()
	for point, hits := range hookPoints {
		for n := 1; n <= hits; n++ {
			t.Run(fmt.Sprintf("%s:%d", point, n), func(t *testing.T) {
				t.Parallel()
				webhook(t, fmt.Sprintf("%s:%d", point, n))
			})
		}
	}
}

func webhook(t *testing.T, point string) {
	dir := t.TempDir()
	s, err := launch(dir, point)
	if err != nil {
		return // killed before it served: nothing was promised
	}
	acked := hook(s.url, "hello", "d1") == http.StatusAccepted
	select {
	case <-s.exit:
	case <-time.After(5 * time.Second):
		s.kill()
		t.Errorf("a webhook does not meet %s", point)
	}
	s, err = launch(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if !acked || point == "delivery.received:1" { // the sender tries again
		for range 2 {
			if status := hook(s.url, "hello", "d1"); status != http.StatusAccepted {
				t.Errorf("the retry is answered %d", status)
			}
		}
	}
	all := sent(t, dir)
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	c, err := examine(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range c.violations {
		t.Error(v)
	}
	c.checkHook(t, all)
}

// sent waits until something was delivered.
func sent(t *testing.T, dir string) []outgoing {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); <-time.After(5 * time.Millisecond) {
		all, err := delivered(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) > 0 {
			return all
		}
	}
	t.Error("nothing was delivered")
	return nil
}

// checkHook holds the logs: one session, one turn, one outcome of the request or a mark
// that asks for it, and what was delivered is the end of that turn.
func (c *checker) checkHook(t *testing.T, sent []outgoing) {
	t.Helper()
	count := map[string]int{}
	turn := ""
	for _, log := range c.logs {
		for _, e := range log {
			count[e.Type]++
			if e.Type == "turn.completed" {
				turn = e.TurnID
			}
		}
	}
	for _, name := range []string{"session.started", "message.received", "turn.started", "turn.completed", "delivery.received"} {
		if count[name] != 1 {
			t.Errorf("there are %d %s, expected 1", count[name], name)
		}
	}
	mark := c.marks[events.AgentLogPrefix+"bot"]
	if n := count["delivery.handled"]; n > 1 || (mark != "") == (n == 1) {
		t.Errorf("the request was handled %d times, the mark is %q", n, mark)
	}
	for _, o := range sent {
		if o.TurnID != turn || o.DeliveryID != sent[0].DeliveryID {
			t.Errorf("delivered were %+v, the turn is %s", sent, turn)
		}
	}
}
