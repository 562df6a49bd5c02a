package transport

import "github.com/gobdk/bdk/internal/eval"

// evalRunRow is an eval run as replies show it: as it is, with instants in their one form.
type evalRunRow struct {
	*eval.Run
	StartedAt  Instant         `json:"startedAt"`
	FinishedAt *Instant        `json:"finishedAt,omitempty"`
	Results    []evalResultRow `json:"results,omitempty"`
	// Idempotency is nobody's but the caller's that sent it.
	Idempotency *struct{} `json:"idempotency,omitempty"`
}

type evalResultRow struct {
	*eval.Result
	StartedAt Instant `json:"startedAt"`
}

func newEvalRunRow(r *eval.Run) evalRunRow {
	row := evalRunRow{Run: r, StartedAt: Instant(r.StartedAt), FinishedAt: (*Instant)(r.FinishedAt)}
	for _, res := range r.Results {
		row.Results = append(row.Results, evalResultRow{res, Instant(res.StartedAt)})
	}
	return row
}
