package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
)

// evalStart is what the runner of cases is told.
type evalStart struct {
	Index      int             `json:"index"`
	Case       int             `json:"case"`
	ID         string          `json:"id"`
	Iteration  int             `json:"iteration"`
	Iterations int             `json:"iterations"`
	Judge      json.RawMessage `json:"judge,omitempty"`
}

// RunEval runs the test of a case, in the one VM that all cases share, to its end, or
// until timeout has passed (0: never) or ctx ends: then t.signal is aborted, and the
// record says what was asserted until there. What the test throws, a time that is over,
// and a driver that fails are in the record; an error is the cause of ctx, or one of the
// runtime. judge is the nearest judge's configuration, or nil.
func (r *Runtime) RunEval(ctx context.Context, c *eval.Case, judge json.RawMessage, timeout time.Duration, d eval.Driver) (*eval.Record, error) {
	text, err := json.Marshal(evalStart{c.Ref.Index, c.Ref.Case, c.ID, c.Iteration, c.Iterations, judge})
	if err != nil {
		return nil, fmt.Errorf("describing the case %s: %w", c.ID, err)
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, timeout)
	}
	defer cancel()
	run := newEvalRun(d)
	run.id = c.ID
	k := &call{call: &agent.Call{}, module: c.Ref.Module, eval: run}
	_, err = r.runCall(limited, k, "eval", string(text))
	record := run.end()
	record.HeldBy = k.heldBy()
	var thrown *Error
	switch {
	case err == nil:
		return record, nil
	case ctx.Err() != nil:
		return record, context.Cause(ctx)
	case limited.Err() != nil:
		record.Error = &eval.Fault{Kind: eval.FaultTimeout, Message: fmt.Sprintf("the case was stopped: it ran for more than %v", timeout)}
		return record, nil
	case errors.As(err, &thrown):
		if record.Error == nil {
			record.Error = faultOf(eval.FaultTest, thrown)
		}
		return record, nil
	}
	return record, err
}

// heldBy names what held the loop when the case's time was over: a case, or the file of
// anything else; empty for nothing.
func (c *call) heldBy() string {
	switch {
	case c.holder == nil:
		return ""
	case c.holder.eval != nil:
		return c.holder.eval.id
	}
	return c.holder.module
}

// faultOf puts what was thrown into a record. The end of memory is nobody's own fault.
func faultOf(kind string, e *Error) *eval.Fault {
	if e.Code == CodeMemory {
		kind = eval.FaultHost
	}
	return &eval.Fault{Kind: kind, Message: e.Message, Place: e.Place(), Stack: e.Stack}
}

// ReportEval calls a method of a custom reporter with one argument, and waits for what
// it gives. A reporter without that method is fine; what it throws is *Error.
func (r *Runtime) ReportEval(ctx context.Context, rep eval.Reporter, method string, argument json.RawMessage) error {
	text, err := json.Marshal(struct {
		Index    int             `json:"index"`
		Case     int             `json:"case"`
		Reporter int             `json:"reporter"`
		Method   string          `json:"method"`
		Argument json.RawMessage `json:"argument"`
	}{rep.Ref.Index, rep.Ref.Case, rep.Index, method, argument})
	if err != nil {
		return fmt.Errorf("describing what %s is told: %w", method, err)
	}
	_, err = r.run(ctx, &agent.Call{}, "eval:report", rep.Ref.Module, string(text))
	return err
}

// stub answers a call of a tool by a function of the test, in the VM of the test.
func (er *evalRun) stub(c *call, tool string) agent.Stub {
	v := er.v
	return func(ctx context.Context, k *agent.Call) (json.RawMessage, error) {
		if er.ended() {
			return nil, errEvalEnded
		}
		text, err := json.Marshal(struct {
			Run   int             `json:"run"`
			Tool  string          `json:"tool"`
			Input json.RawMessage `json:"input,omitempty"`
		}{c.id, tool, k.Args})
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		answer := &call{ctx: ctx, call: k, module: c.module, done: make(chan outcome, 1)}
		if !v.queue.post(func() { v.begin(answer, "eval:stub", c.module, string(text)) }) {
			return nil, ErrClosed
		}
		out, err := v.await(ctx, answer)
		var thrown *Error
		if errors.As(err, &thrown) && (thrown.Code == CodeInterrupted || thrown.Code == CodeMemory) {
			er.fault(faultOf(eval.FaultTest, thrown))
		}
		return out, err
	}
}
