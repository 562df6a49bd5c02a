package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// "Ctrl-C finishes the report": what runs is stopped and recorded, what never began is
// counted and not listed, and reporters are told of the end.
func TestCancel_RunningCasesAreRecorded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := suiteOf(untilOver, "done", "r1", "r2", "never")
		s.program().tests["done"] = says
		s.Config.MaxConcurrency = 2
		told := map[string]string{}
		s.program().report = func(ctx context.Context, _ Reporter, method string, argument json.RawMessage) error {
			told[method] = string(argument)
			return ctx.Err()
		}
		s.Config.Reporters = []Reporter{{Kind: ReporterCustom}}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		o := &testObserver{}
		run, err := (&Runner{Suite: s, Target: &testTarget{}}).Run(ctx, RunOptions{Observers: []Observer{o}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range run.Results {
			got += r.ID + " " + r.Verdict
			if r.Error != nil {
				got += " " + r.Error.Kind
			}
			got += fmt.Sprintf(" %d\n", len(r.Assertions))
		}
		if got != "done passed 1\nr1 failed stopped 1\nr2 failed stopped 1\n" {
			t.Errorf("results:\n%s", got)
		}
		tot := run.Totals
		if run.Status != RunCancelled || tot.Cases != 4 || tot.Done != 3 || tot.Passed != 1 || tot.Failed != 2 || run.Green(false) || len(run.Running) != 0 {
			t.Errorf("run %+v", run)
		}
		if o.said[len(o.said)-1] != "run ended cancelled" || !strings.Contains(told[OnRunComplete], `"status":"cancelled"`) || run.Error != "" {
			t.Errorf("said %v, error %q", o.said, run.Error)
		}
	})
}

// A run that was cancelled after its last case is complete; one before its first ran nothing.
func TestCancel_AtTheEdges(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	late := &atEnd{cancel: cancel}
	r := &Runner{Suite: suiteOf(says, "a"), Target: &testTarget{}}
	if run, err := r.Run(ctx, RunOptions{Observers: []Observer{late}}); err != nil || run.Status != RunCompleted || !run.Green(true) {
		t.Errorf("late: %+v, %v", run, err)
	}
	o := &testObserver{}
	run, err := r.Run(ctx, RunOptions{Observers: []Observer{o}})
	if err != nil || run.Status != RunCancelled || run.Totals.Done != 0 || run.Totals.Cases != 1 || fmt.Sprint(o.said) != "[run started run ended cancelled]" {
		t.Errorf("early: %+v, %v, said %v", run, err, o.said)
	}
}

type atEnd struct {
	Silent
	cancel func()
}

func (a *atEnd) RunEnded(*Run) error {
	a.cancel()
	return nil
}
