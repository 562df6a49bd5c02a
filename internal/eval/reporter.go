package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gobdk/bdk/internal/clock"
)

// String is what messages call a reporter.
func (r *Reporter) String() string {
	switch r.Kind {
	case ReporterJUnit:
		return fmt.Sprintf("the reporter JUnit(%q)", r.FilePath)
	case ReporterArtifacts:
		return fmt.Sprintf("the reporter Artifacts(%q)", r.Dir)
	}
	return fmt.Sprintf("the reporter %d of %s", r.Index+1, r.Ref.Module)
}

// key tells reporters apart: those that write files by what they write, objects of the
// author's by where they stand.
func (r Reporter) key() Reporter {
	if r.Kind != ReporterCustom {
		r.Ref, r.Index = Ref{}, 0
	}
	return r
}

// Bounds of one call of an author's reporter.
const (
	reporterLimit = time.Minute
	reporterGrace = 10 * time.Second
)

// custom tells an object of the author's. A method whose time was over, or that had to be
// stopped, is not called again, so that a run waits for it once and not for each case;
// one that did not come back is told nothing more.
type custom struct {
	ctx     context.Context
	program Program
	rep     Reporter
	clock   clock.Clock
	lost    bool
	stuck   map[string]bool
}

// RunStarted calls onRunStart with the run.
func (c *custom) RunStarted(r *Run) error { return c.call(OnRunStart, r) }

// CaseStarted has no method.
func (c *custom) CaseStarted(*Case) error { return nil }

// CaseEnded calls onEvalComplete with the result.
func (c *custom) CaseEnded(r *Result) error { return c.call(OnEvalComplete, r) }

// RunEnded calls onRunComplete with the run and its results.
func (c *custom) RunEnded(r *Run) error { return c.call(OnRunComplete, r) }

func (c *custom) call(method string, argument any) error {
	if c.lost || c.stuck[method] {
		return nil // which has been said
	}
	b, err := json.Marshal(argument)
	if err != nil {
		return fmt.Errorf("encoding for %s: %w", method, err)
	}
	_, err = within(c.ctx, c.clock, reporterLimit, reporterGrace, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.program.Report(ctx, c.rep, method, b)
	})
	if err == nil {
		return nil
	}
	more := c.givenUp(method, err)
	if up := (*timeUp)(nil); more != "" && errors.As(err, &up) {
		err = up // it names the limit
	}
	return fmt.Errorf("%s: %w%s", method, err, more)
}

// givenUp says what is not called any more after an error.
func (c *custom) givenUp(method string, err error) string {
	if late := (*overdueError)(nil); errors.As(err, &late) {
		c.lost = true
		return ""
	}
	var up *timeUp
	if !errors.As(err, &up) && !errors.Is(err, ErrStopped) {
		return ""
	}
	if c.stuck == nil {
		c.stuck = map[string]bool{}
	}
	c.stuck[method] = true
	return "; it was not called again"
}
