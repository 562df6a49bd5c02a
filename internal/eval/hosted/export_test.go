package hosted

import (
	"context"

	"github.com/gobdk/bdk/actors"
)

// Before has the target do something before it opens a session.
func (t *Target) Before(f func()) {
	start := t.start
	t.start = func(ctx context.Context, n actors.NewSession) (actors.Accepted, error) {
		f()
		return start(ctx, n)
	}
}
