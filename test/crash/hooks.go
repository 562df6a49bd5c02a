//go:build failpoints

package crash

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gobdk/bdk/events"
)

// given reads the events that hooks were given, in their order.
func given(dir string) (all []*events.Event, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "effects.hooks"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(bytes.NewReader(b))
	for in.Scan() {
		e, err := events.Decode(in.Bytes())
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, in.Err()
}

// checkHooks: hooks were given events of the log alone, those of a session in the
// order of their indexes and none of them twice, also over restarts.
func (c *checker) checkHooks() error {
	all, err := given(c.dir)
	next := map[string]uint64{}
	for _, e := range all {
		if log := c.logs[e.SessionID]; e.Index >= uint64(len(log)) || log[e.Index].Type != e.Type || log[e.Index].TurnID != e.TurnID {
			c.fail("%s: a hook was given event %d, %s, which is not in the log", e.SessionID, e.Index, e.Type)
		}
		if e.Index < next[e.SessionID] {
			c.fail("%s: a hook was given event %d after event %d", e.SessionID, e.Index, next[e.SessionID]-1)
		}
		next[e.SessionID] = e.Index + 1
	}
	return err
}
