//go:build failpoints

package crash

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

var full = flag.Bool("full", false, "kill at every hit of every fail point, and more at random")

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := serve(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// points are the fail points, each with how many of its hits the slice tries.
var points = map[string]int{
	"append.before": 3, "append.synced": 3, "publish.before_ack": 3, "step.recorded": 2, "tool.recorded_before_start": 2,
	"tool.effect_before_result": 2, "approval.recorded_before_resume": 1, "turn.cancel_recorded": 1, "projection.mid_batch": 2,
	"artifact.contents_kept": 2,
	"hook.before":            3,
}

// A scenario drives one conversation as far as it gets. It must be able to go on
// where a kill left it: it is played again after each restart.
type scenario struct {
	name string
	play func(c *session, base string) error
}

var scenarios = []scenario{
	{"plain", func(c *session, base string) error { return c.talk(base, "hello there") }},
	{"three", func(c *session, base string) error { return c.talk(base, "three tools please") }},
	{"artifact", func(c *session, base string) error { return c.talk(base, "two artifacts please") }},
	{"gated", func(c *session, base string) error {
		if err := c.talk(base, "gated please"); err != nil {
			return err
		}
		return c.approveAll(base)
	}},
	{"crew", func(c *session, base string) error {
		if err := c.talk(base, "crew please"); err != nil {
			return err
		}
		return c.approveAll(base)
	}},
	{"interrupt", func(c *session, base string) error {
		if !c.acked["slow please"] {
			if c.say(base, "slow please") == 0 {
				return errNoAnswer
			}
		}
		return c.talk(base, "never mind")
	}},
}

var errNoAnswer = fmt.Errorf("no answer")

// talk sends a text, unless it was acknowledged before, and reads on until the session rests.
func (c *session) talk(base, text string) error {
	if c.id != "" {
		if err := c.refresh(base); err != nil {
			return err
		}
	}
	if !c.acked[text] && !c.landed(base, text) {
		switch status := c.say(base, text); status {
		case 0:
			return errNoAnswer
		case http.StatusAccepted:
		default:
			return fmt.Errorf("%q was answered %d", text, status)
		}
	}
	return c.follow(base)
}

// landed looks whether a message that got no answer is there all the same.
func (c *session) landed(base, text string) bool {
	if c.id == "" || !c.tried[text] {
		return false
	}
	if err := c.follow(base); err != nil {
		return false
	}
	for _, line := range c.seen {
		if strings.HasPrefix(string(line), `{"type":"message.received"`) && strings.Contains(string(line), text) {
			return true
		}
	}
	return false
}

// approveAll approves what is parked, under the id that it had before.
func (c *session) approveAll(base string) error {
	rows, err := c.approvals(base)
	if err != nil {
		return err
	}
	for _, a := range rows {
		if c.approve(base, a.CallID) == 0 {
			return errNoAnswer
		}
	}
	return c.follow(base)
}

// TestCrash_AtEveryPoint kills the host at the n-th hit of a fail point in the
// middle of a scenario, starts it again, plays the scenario to its end and checks.
func TestCrash_AtEveryPoint(t *testing.T) {
	t.Parallel()
	for point, slice := range points {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			hits := 0
			for _, sc := range scenarios {
				for n := 1; n <= slice || *full; n++ {
					if !killOnce(t, sc, point, n) {
						break
					}
					hits++
				}
			}
			if hits == 0 {
				t.Errorf("no scenario meets %s", point)
			}
			t.Logf("%d kills", hits)
		})
	}
}

// killOnce says whether the point was hit n times.
func killOnce(t *testing.T, sc scenario, point string, n int) bool {
	t.Helper()
	dir := t.TempDir()
	c := newSession()
	s, err := launch(dir, fmt.Sprintf("%s:%d", point, n))
	if err != nil {
		return true // killed before it served: nothing was promised
	}
	playErr := sc.play(c, s.url)
	killed := playErr != nil
	select {
	case <-s.exit:
		killed = true
	case <-time.After(map[bool]time.Duration{true: 5 * time.Second, false: 50 * time.Millisecond}[killed]):
		s.kill()
	}
	if playErr != nil && !killed {
		t.Errorf("%s at %s:%d: %v", sc.name, point, n, playErr)
	}
	finish(t, sc, c, dir, fmt.Sprintf("%s at %s:%d", sc.name, point, n))
	return killed
}

// finish starts the host again, plays on, stops it in order and checks everything.
func finish(t *testing.T, sc scenario, c *session, dir, what string) {
	t.Helper()
	s, err := launch(dir, "")
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := sc.play(c, s.url); err != nil {
		t.Errorf("%s: after the restart: %v", what, err)
	}
	if err := s.stop(); err != nil {
		t.Errorf("%s: stopping: %v", what, err)
	}
	violations, err := check(dir, c)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, v := range violations {
		t.Errorf("%s: %s", what, v)
	}
	if n := len(c.seen); n == 0 || !strings.Contains(string(c.seen[n-1]), "session.waiting") {
		t.Errorf("%s: the session did not come to rest", what)
	}
}
