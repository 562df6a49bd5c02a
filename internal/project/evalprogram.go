package project

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/script"
)

// An evalProgram is the runtime of a suite.
type evalProgram struct{ runtime *script.Runtime }

func (p *evalProgram) Run(ctx context.Context, c *eval.Case, judge json.RawMessage, timeout time.Duration, d eval.Driver) (*eval.Record, error) {
	return p.runtime.RunEval(ctx, c, judge, timeout, d)
}

func (p *evalProgram) Report(ctx context.Context, r eval.Reporter, method string, argument json.RawMessage) error {
	return p.runtime.ReportEval(ctx, r, method, argument)
}

func (p *evalProgram) Close() error { return p.runtime.Close() }
