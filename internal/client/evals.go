package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// Codes of an Error about eval runs.
const (
	CodeInvalidBody  = "invalid_body"
	CodeNoCases      = "no_cases"
	CodeInvalidEvals = "invalid_evals"
	CodeUnknownRun   = "unknown_run"
	CodeRunActive    = "run_active"
	CodeNotRunning   = "not_running"
)

// StartEvals selects the cases of a run and says how they are run. Zero fields are not sent.
type StartEvals struct {
	FilterIDs []string `json:"filterIds,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	TimeoutMs int64    `json:"timeoutMs,omitempty"`
	Verbose   bool     `json:"verbose,omitempty"`
}

// Evals lists the eval cases of the agent.
func (c *Client) Evals(ctx context.Context) (*eval.Listing, error) {
	out := &eval.Listing{}
	err := c.call(ctx, request{method: http.MethodGet, path: evalsPath}, out)
	return out, err
}

// StartEvals starts a run on the host, which goes on without this client.
func (c *Client) StartEvals(ctx context.Context, s StartEvals) (*eval.Run, error) {
	return c.evalRun(ctx, request{method: http.MethodPost, path: runsPath(""), body: s})
}

// EvalRuns lists the newest runs, without their results; 0: as many as the host gives.
func (c *Client) EvalRuns(ctx context.Context, limit int) ([]*eval.Run, error) {
	r := request{method: http.MethodGet, path: runsPath("")}
	if limit > 0 {
		r.query = url.Values{"limit": {strconv.Itoa(limit)}}
	}
	var out struct{ Runs []*eval.Run }
	err := c.call(ctx, r, &out)
	return out.Runs, err
}

// EvalRun gives a run as it stands.
func (c *Client) EvalRun(ctx context.Context, id string) (*eval.Run, error) {
	return c.evalRun(ctx, request{method: http.MethodGet, path: runsPath("/" + url.PathEscape(id))})
}

// CancelEvals tells a run to end, and gives it as it stands.
func (c *Client) CancelEvals(ctx context.Context, id string) (*eval.Run, error) {
	return c.evalRun(ctx, request{method: http.MethodPost, path: runsPath("/" + url.PathEscape(id) + "/cancel")})
}

func (c *Client) evalRun(ctx context.Context, r request) (*eval.Run, error) {
	var out struct{ Run eval.Run }
	err := c.call(ctx, r, &out)
	return &out.Run, err
}

const evalsPath = "/v1/dev/evals"

// runsPath is the path of a route of runs.
func runsPath(rest string) string { return evalsPath + "/runs" + rest }

// How often FollowEvals asks: at first often, then less often while nothing changes.
const (
	soonestPoll = 100 * time.Millisecond
	latestPoll  = 2 * time.Second
	// breaths is how many times as long as an answer took it waits at least: each has all
	// results so far, which of a large run is much.
	breaths = 4
	// patience is how long a host may be out of reach.
	patience = 30 * time.Second
)

// FollowEvals asks for a run until it has ended, and gives it then. Each snapshot is
// handed to seen, the last one too. It spends most of its time waiting, also where a
// snapshot takes long. A host that does not answer is asked again for
// half a minute.
func (c *Client) FollowEvals(ctx context.Context, id string, seen func(*eval.Run)) (*eval.Run, error) {
	wait, done := soonestPoll, -1
	var lost time.Duration
	for {
		asked := time.Now()
		run, err := c.EvalRun(ctx, id)
		took := time.Since(asked)
		switch {
		case err != nil && (!mayComeBack(err) || lost >= patience):
			return nil, err
		case err != nil:
			lost += max(wait, took)
		default:
			lost = 0
			seen(run)
			if run.Status != eval.RunRunning {
				return run, nil
			}
			if run.Totals.Done != done {
				wait, done = soonestPoll, run.Totals.Done
			}
		}
		if err := sleep(ctx, max(wait, breaths*took)); err != nil {
			return nil, err
		}
		wait = min(2*wait, latestPoll)
	}
}

// mayComeBack says whether an error is of the moment: the host is being started again,
// or has too much to do.
func mayComeBack(err error) bool {
	var unreachable *UnreachableError
	var answer *Error
	return errors.As(err, &unreachable) || errors.As(err, &answer) && (answer.Status == http.StatusTooManyRequests || answer.Status >= 502)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
