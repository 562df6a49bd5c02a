//go:build failpoints

package crash

import (
	"errors"
	"time"

	"github.com/gobdk/bdk/events/journal"
)

// openRoot opens the state root of a host that was killed. Where this process starts
// another child at that very moment, the child holds the lock of a root that was just
// closed here until it has become its own program: then it is tried again.
func openRoot(dir string) (*journal.Journal, error) {
	var locked *journal.LockedError
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		j, err := journal.Open(dir, nil)
		if err == nil || !errors.As(err, &locked) || time.Now().After(end) {
			return j, err
		}
	}
}
