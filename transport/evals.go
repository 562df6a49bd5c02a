package transport

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// Evals are the eval runs of one agent. They are asked from any goroutine.
type Evals interface {
	// List loads what there is.
	List(ctx context.Context) (*eval.Listing, error)
	// Start begins a run. Its errors are those of package eval, eval.ErrNoCases,
	// eval.ErrRunning and eval.ErrNoConfig among them.
	Start(ctx context.Context, o eval.StartOptions) (*eval.Run, error)
	// Runs gives the newest, without their results.
	Runs(limit int) ([]*eval.Run, error)
	// Run gives one as it stands, or eval.ErrUnknownRun.
	Run(id string) (*eval.Run, error)
	// Cancel ends one, or says eval.ErrUnknownRun or eval.ErrNotRunning.
	Cancel(id string) (*eval.Run, error)
}

var _ Evals = (*eval.Service)(nil)

const (
	// maxEvalTimeout bounds the timeoutMs of a run.
	maxEvalTimeout = 24 * time.Hour
	// maxSelectors is how many filterIds, or tags, a run may have.
	maxSelectors = 1000
)

// evalRoutes exist for agents that have evals. They are the host's, whatever the agent's
// own chain is, and show each caller the runs of all.
func evalRoutes() []route {
	return []route{
		{method: "GET", path: "/v1/dev/evals", access: byHost, evals: true, serve: (*call).listEvals, about: "Lists the eval cases and their configuration"},
		{method: "GET", path: "/v1/dev/evals/runs", access: byHost, evals: true, query: []string{"limit"}, serve: (*call).evalRuns, about: "Lists recent eval runs"},
		{method: "POST", path: "/v1/dev/evals/runs", access: byHost, evals: true, work: true, serve: (*call).startEvals, about: "Starts an eval run"},
		{method: "GET", path: "/v1/dev/evals/runs/{runId}", access: byHost, evals: true, serve: (*call).showEvalRun, about: "Shows an eval run as it stands"},
		{method: "POST", path: "/v1/dev/evals/runs/{runId}/cancel", access: byHost, evals: true, serve: (*call).cancelEvals, about: "Cancels an eval run"},
	}
}

// findEvals gives the evals of the agent that the path names; nil when it has none.
func (c *call) findEvals() Evals {
	if c.h.o.Evals == nil || c.agent == nil {
		return nil
	}
	return c.h.o.Evals(c.agent.Slug)
}

type evalsReply struct {
	OK bool `json:"ok"`
	*eval.Listing
}

// listEvals shows what is wrong with the evals too, as far as there is.
func (c *call) listEvals() error {
	l, err := c.evals.List(c.r.Context())
	if err != nil {
		return err
	}
	return c.reply(http.StatusOK, evalsReply{OK: true, Listing: l})
}

type evalRunsReply struct {
	OK   bool         `json:"ok"`
	Runs []evalRunRow `json:"runs"`
}

// evalRuns lists them newest first.
func (c *call) evalRuns() error {
	q := c.query()
	limit := q.between("limit", 1, 1000, 100)
	if err := q.err(); err != nil {
		return err
	}
	runs, err := c.evals.Runs(int(limit))
	if err != nil {
		return err
	}
	reply := evalRunsReply{OK: true, Runs: make([]evalRunRow, len(runs))}
	for i, r := range runs {
		reply.Runs[i] = newEvalRunRow(r)
	}
	return c.reply(http.StatusOK, reply)
}

// An evalStartReply has the id beside the run, as replies to other starts have.
type evalStartReply struct {
	OK    bool       `json:"ok"`
	RunID string     `json:"runId"`
	Run   evalRunRow `json:"run"`
}

type evalRunReply struct {
	OK  bool       `json:"ok"`
	Run evalRunRow `json:"run"`
}

// startEvals answers when the run is recorded, and does not wait for its cases.
func (c *call) startEvals() error {
	o, err := c.evalRun()
	if err != nil {
		return err
	}
	run, err := c.evals.Start(c.r.Context(), o)
	if err != nil {
		return problemOfStart(err)
	}
	return c.reply(http.StatusAccepted, evalStartReply{OK: true, RunID: run.ID, Run: newEvalRunRow(run)})
}

// evalRun reads the body of a start.
func (c *call) evalRun() (eval.StartOptions, error) {
	o := eval.StartOptions{By: c.principal}
	f, body, err := c.readForm("filterIds", "tags", "timeoutMs", "verbose")
	if err != nil {
		return o, err
	}
	o.FilterIDs = f.names("filterIds", maxSelectors)
	o.Tags = f.names("tags", maxSelectors)
	o.Timeout = time.Duration(f.between("timeoutMs", 1, uint64(maxEvalTimeout.Milliseconds()))) * time.Millisecond
	o.Verbose = f.boolean("verbose")
	if err := f.err(); err != nil {
		return o, err
	}
	o.Idempotency, err = c.idempotency(body)
	return o, err
}

// showEvalRun gives a run with what has ended of it.
func (c *call) showEvalRun() error {
	return c.reply(http.StatusOK, evalRunReply{OK: true, Run: newEvalRunRow(c.run)})
}

// cancelEvals answers when the run is told to end; its cases may take a moment.
func (c *call) cancelEvals() error {
	if _, _, err := c.readForm(); err != nil {
		return err
	}
	run, err := c.evals.Cancel(c.run.ID)
	if err != nil {
		return err
	}
	return c.reply(http.StatusOK, evalRunReply{OK: true, Run: newEvalRunRow(run)})
}

// startCodes are for what keeps a run from starting. What it says is for whoever asked.
var startCodes = []struct {
	err  error
	code string
}{
	{eval.ErrNoCases, "no_cases"}, {eval.ErrRunning, "run_active"}, {eval.ErrNoConfig, "invalid_evals"}, {eval.ErrOptions, "invalid_evals"},
}

// problemOfStart gives why a run did not start, in its own words.
func problemOfStart(err error) error {
	for _, s := range startCodes {
		if errors.Is(err, s.err) {
			return &problem{code: s.code, message: strings.ReplaceAll(err.Error(), "evals: ", "")}
		}
	}
	return err
}
