package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/eval"
)

// evalOf finds the case that a host function was asked for.
func (v *vm) evalOf(a args) (*call, *evalRun, error) {
	c := v.calls[a.integer(0)]
	if c == nil || c.eval == nil || c.ctx.Err() != nil || c.eval.ended() {
		return nil, nil, errEvalEnded
	}
	return c, c.eval, nil
}

// evalOps are what the test of a case asks for; record.js and case.js check what they give.
func evalOps(o *ops) {
	o.sync("eval.add", func(v *vm, a args) (any, error) {
		_, er, err := v.evalOf(a)
		if err != nil {
			return nil, err
		}
		return er.add(a)
	})
	o.sync("eval.settle", evalNote(func(er *evalRun, a args) {
		at, n := &er.record.Assertions[a.integer(0)], a.integer(0)
		at.Score, at.Message, at.Judge = a.number(1), a.text(2), a.text(3)
		delete(er.open, n)
	}))
	o.sync("eval.severity", evalNote(func(er *evalRun, a args) {
		at := &er.record.Assertions[a.integer(0)]
		at.Severity, at.Threshold = a.text(1), a.number(2)
	}))
	o.sync("eval.log", evalNote(func(er *evalRun, a args) {
		er.log(a.text(0))
	}))
	o.sync("eval.skip", evalNote(func(er *evalRun, a args) {
		reason := a.text(0)
		er.record.Skip = &reason
	}))
	o.sync("eval.fault", func(v *vm, a args) (any, error) {
		_, er, err := v.evalOf(a)
		if err != nil {
			return nil, nil // nobody asks any more
		}
		e, ok := v.fromThrown(a.text(2)).(*Error)
		if !ok {
			e = &Error{Message: a.text(2)}
		}
		return nil, er.tell(faultOf(a.text(1), e))
	})
	o.sync("eval.types", func(*vm, args) (any, error) { return asJSON(events.Types()) })
	driverOps(o)
}

// evalNote is a host function that writes to the record.
func evalNote(f func(er *evalRun, a args)) syncOp {
	return func(v *vm, a args) (any, error) {
		_, er, err := v.evalOf(a)
		if err != nil {
			return nil, err
		}
		return nil, er.change(func() { f(er, a[1:]) })
	}
}

// add takes an assertion, as JSON, and the stack of who makes it, and gives its number.
func (er *evalRun) add(a args) (any, error) {
	var given struct {
		eval.Assertion
		Pending bool `json:"pending"`
	}
	if err := a.into(1, &given); err != nil {
		return nil, err
	}
	if err := er.room(); err != nil {
		return nil, err
	}
	n := 0
	err := er.change(func() {
		n = len(er.record.Assertions)
		er.record.Assertions = append(er.record.Assertions, given.Assertion)
		er.stacks = append(er.stacks, a.text(2))
		if given.Pending {
			er.open[n] = true
		}
	})
	return n, err
}

// room says that no more assertions are taken, which fails the case.
func (er *evalRun) room() error {
	er.mu.Lock()
	full := len(er.record.Assertions) >= maxAssertions
	er.mu.Unlock()
	if !full {
		return nil
	}
	err := fmt.Errorf("a case records at most %d assertions: make several cases of it", maxAssertions)
	er.fault(&eval.Fault{Kind: eval.FaultTest, Message: err.Error()})
	return err
}

// driverOps reach the case's session and the judge.
func driverOps(o *ops) {
	o.async("eval.send", func(v *vm, a args) (work, error) {
		c, er, err := v.evalOf(a)
		if err != nil {
			return nil, err
		}
		options, err := er.sendOptions(c, a)
		if err != nil {
			return nil, err
		}
		message := a.text(1)
		return er.turn(func(ctx context.Context) (*eval.Turn, error) { return er.d.Send(ctx, message, options) }), nil
	})
	o.async("eval.decide", func(v *vm, a args) (work, error) {
		_, er, err := v.evalOf(a)
		if err != nil {
			return nil, err
		}
		id, approve, reason := a.text(1), a.flag(2), a.text(3)
		return er.turn(func(ctx context.Context) (*eval.Turn, error) { return er.d.Decide(ctx, id, approve, reason) }), nil
	})
	// eval.rest is over when what the test left behind in its last step has been reported.
	o.async("eval.rest", func(*vm, args) (work, error) {
		return func(context.Context) (any, error) { return nil, nil }, nil
	})
	o.async("eval.judge", func(v *vm, a args) (work, error) {
		_, er, err := v.evalOf(a)
		if err != nil {
			return nil, err
		}
		prompt, config := a.text(1), json.RawMessage(a.text(2))
		return func(ctx context.Context) (any, error) {
			j, err := er.d.Judge(ctx, prompt, config)
			if err != nil {
				er.broke(ctx, eval.FaultJudge, fmt.Errorf("a judge could not be asked: %w", err))
				return nil, err
			}
			return asJSON(struct {
				Text  string `json:"text"`
				Model string `json:"model"`
			}{j.Text, j.Model})
		}, nil
	})
}

// broke keeps what a driver failed with, unless it was told to stop, or the test asked for
// what cannot be.
func (er *evalRun) broke(ctx context.Context, kind string, err error) {
	if misuse := (*eval.MisuseError)(nil); ctx.Err() == nil && !errors.As(err, &misuse) {
		er.fault(&eval.Fault{Kind: kind, Message: said(err)})
	}
}

// turn is the work of what runs a turn on.
func (er *evalRun) turn(f func(ctx context.Context) (*eval.Turn, error)) work {
	return func(ctx context.Context) (any, error) {
		t, err := f(ctx)
		if err != nil {
			er.broke(ctx, eval.FaultHost, err)
			return nil, err
		}
		if t.Broken {
			er.broke(ctx, eval.FaultTurn, fmt.Errorf("turn %d failed: %w", t.Index, errors.New(orElse(t.Error, t.Code))))
		}
		return turnText(t)
	}
}

// turnText gives a turn as case.js reads it.
func turnText(t *eval.Turn) (string, error) {
	head, err := json.Marshal(struct {
		SessionID string `json:"sessionId"`
		Index     int    `json:"index"`
		Status    string `json:"status"`
		Message   string `json:"message"`
		Error     string `json:"error"`
		Code      string `json:"code"`
	}{t.SessionID, t.Index, t.Status, t.Message, t.Error, t.Code})
	if err != nil {
		return "", err
	}
	text := append(head[:len(head)-1], `,"events":[`...)
	for i, line := range t.Events {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, line...)
	}
	return string(append(text, "]}"...)), nil
}

// sendOptions reads what case.js has checked. A stub is a value, or a function of the test.
func (er *evalRun) sendOptions(c *call, a args) (eval.SendOptions, error) {
	var o struct {
		WorkspaceDir string `json:"workspaceDir"`
		Stubs        []struct {
			Tool  string          `json:"tool"`
			Value json.RawMessage `json:"value"`
		} `json:"stubs"`
	}
	if err := a.into(2, &o); err != nil {
		return eval.SendOptions{}, err
	}
	files, err := seedFiles(a.text(3))
	if err != nil {
		return eval.SendOptions{}, err
	}
	options := eval.SendOptions{Files: files, WorkspaceDir: o.WorkspaceDir}
	for _, s := range o.Stubs {
		if options.Stubs == nil {
			options.Stubs = map[string]agent.Stub{}
		}
		if s.Value == nil {
			options.Stubs[s.Tool] = er.stub(c, s.Tool)
			continue
		}
		options.Stubs[s.Tool] = func(context.Context, *agent.Call) (json.RawMessage, error) { return s.Value, nil }
	}
	return options, nil
}
