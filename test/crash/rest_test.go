//go:build failpoints

package crash

import (
	"errors"
	"testing"

	core "github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// heads are the lengths of the open sessions' logs at the last kill.
var heads = map[string]uint64{}

// running lists the sessions whose turn a restart takes up: started and not parked.
func running(dir string) (ids []string, err error) {
	j, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	for m, err := range j.Marks() {
		if err != nil {
			return nil, err
		}
		if !events.IsSessionID(m.Stream) {
			continue
		}
		s, err := fold(j, m.Stream)
		if err != nil {
			return nil, err
		}
		if s.Turn != nil && !s.Parked() {
			ids = append(ids, m.Stream)
			heads[m.Stream] = s.Next
		}
	}
	return ids, nil
}

func fold(j *journal.Journal, id string) (*core.Session, error) {
	s := core.New(core.Config{})
	lines, err := j.Read(id, 0, 1<<40)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if err := s.Fold(l.Data); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// settle starts the host once more, lets everything end, and checks for the last
// time: nothing but parked sessions may be open.
func settle(t *testing.T, dir string, all []*session) {
	t.Helper()
	s, err := launch(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.id == "" {
			continue
		}
		if err := c.follow(s.url); err != nil {
			t.Errorf("%s: %v", c.id, err)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	violations, err := check(dir, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Errorf("at the end: %s", v)
	}
	open, err := running(dir)
	if err != nil || len(open) > 0 {
		t.Errorf("after a quiet start these are still running: %v, %v", open, err)
	}
}
