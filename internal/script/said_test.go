package script

import (
	"errors"
	"fmt"
	"testing"
)

// Authors' errors are sentences: no mark of a Go package reaches TypeScript, wherever in
// the chain it is, and what authors say themselves stays as it is.
func TestSaid(t *testing.T) {
	t.Parallel()
	draining := errors.New("actors: host is draining")
	for want, err := range map[string]error{
		"host is draining":                            draining,
		"receive: host is draining":                   fmt.Errorf("receive: %w", draining),
		"host is draining\nthe log is full":           errors.Join(draining, errors.New("journal: the log is full")),
		"my actors: are many":                         errors.New("my actors: are many"),
		"reading the log: stream has moved on: again": fmt.Errorf("actors: reading the log: %w: again", errors.New("journal: stream has moved on")),
	} {
		if got := said(err); got != want {
			t.Errorf("%q is said as %q, expected %q", err, got, want)
		}
	}
}
