package hosted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// Bounds of one judgement.
const (
	// judgeTokens is how much a judge may say.
	judgeTokens = 4096
	// judgeTries is how often it is asked when its stream breaks.
	judgeTries = 3
)

// judges are what the judges of a case used. They are safe for concurrent use.
type judges struct {
	mu    sync.Mutex
	calls int
	usage events.Usage
	cost  bill
}

// Judge is eval.Driver's. config is {"model": "<id>"} or {"model": {"id", "params"}} with
// further settings beside it, which are params as well, and the last word where both have
// one. The model is asked once, without tools, in a request of its own: it is no part of
// the session, and the model of the run never takes its place. A reply that is empty, or
// that a limit or a filter cut off, is an error.
func (s *session) Judge(ctx context.Context, prompt string, config json.RawMessage) (*eval.Judgement, error) {
	m, err := judgeOf(config)
	if err != nil {
		return nil, err
	}
	ref := model.Ref{ID: m.id, ProjectDir: s.t.dir()}
	found, err := s.t.o.Models.Resolve(ref)
	if err == nil {
		err = m.check(s.t.o.Models, ref)
	}
	if err != nil {
		return nil, &unresolvedError{m.id, err}
	}
	req := &model.Request{
		Purpose: model.PurposeJudge, Model: found.Request, Params: m.params, MaxOutputTokens: judgeTokens,
		Messages: []model.Message{{Role: model.RoleUser, Text: prompt}}, SessionID: s.sessionID(),
	}
	res, err := ask(ctx, found.Model, req)
	if err != nil {
		return nil, fmt.Errorf("the judge %s: %w", found.Name, err)
	}
	out := &eval.Judgement{Text: res.Text, Model: found.Name}
	var cost bill
	if cost.add(s.t.o.Prices, found.Name, res.Usage); res.Usage != nil {
		out.Usage = *res.Usage
	}
	out.CostUSD = cost.usd()
	s.judges.add(out.Usage, cost)
	return out, verdict(found.Name, res)
}

// An unresolvedError says that there is no such judge.
type unresolvedError struct {
	id    string
	cause error
}

// Error says how a judge is set, where the cause says how an agent's model is.
func (e *unresolvedError) Error() string {
	cause := strings.ReplaceAll(e.cause.Error(), "--model scripted", `judge: { model: "scripted" }`)
	return fmt.Sprintf("the judge's model %q: %s", e.id, cause)
}

// Unwrap gives the cause.
func (e *unresolvedError) Unwrap() error { return e.cause }

// ask streams a reply, from the start again where the stream breaks.
func ask(ctx context.Context, m model.Model, req *model.Request) (*model.Response, error) {
	for try := 1; ; try++ {
		res, err := m.Stream(ctx, req, func(model.Delta) {})
		var failed *model.Error
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.As(err, &failed) && failed.Broken && try < judgeTries:
			continue
		}
		return res, err
	}
}

// verdict says why a reply cannot be one.
func verdict(name string, res *model.Response) error {
	switch {
	case res.FinishReason == events.FinishLength:
		return fmt.Errorf("the judge %s: its reply was cut off at %d tokens", name, judgeTokens)
	case res.FinishReason == events.FinishContentFilter:
		return fmt.Errorf("the judge %s: the provider's content filter stopped its reply", name)
	case strings.TrimSpace(res.Text) == "":
		return fmt.Errorf("the judge %s: its reply is empty", name)
	}
	return nil
}

func (j *judges) add(u events.Usage, cost bill) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls++
	j.usage.Add(u)
	j.cost.join(cost)
}

// dir is the folder of the agent's project; empty: it has none.
func (t *Target) dir() string {
	if a := t.host.Agent(t.slug); a != nil {
		return a.Dir
	}
	return ""
}
