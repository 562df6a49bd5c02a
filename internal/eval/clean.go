package eval

import "encoding/json"

// clean gives a result without the secrets in its texts, before anybody is told of it.
// What names it stays as it is: its id, file, tags and session.
func (x *execution) clean(res *Result) *Result {
	if x.r.Redact == nil {
		return res
	}
	out := &Result{}
	b, err := json.Marshal(res)
	if err == nil {
		err = guarded(func() error { return json.Unmarshal(x.r.Redact(b), out) })
	}
	if err != nil { // nothing of it can be told, so that it is no pass either
		x.warn(err).Str("case", res.ID).Msg("taking secrets out of a result")
		out = &Result{
			Verdict: Failed, Error: &Fault{Kind: FaultHost, Message: "the result cannot be told: " + err.Error()},
			Metrics: res.Metrics, Iteration: res.Iteration, Iterations: res.Iterations, StartedAt: res.StartedAt, DurationMs: res.DurationMs,
		}
	}
	out.ID, out.File, out.Tags, out.SessionID = res.ID, res.File, res.Tags, res.SessionID
	return out.whole(res.Order)
}
