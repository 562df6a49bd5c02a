package session

import (
	"hash/fnv"
	"iter"

	"github.com/gobdk/bdk/events"
)

// A Work is one line of model steps inside a turn: the turn's own, or a subagent's.
// Lines are named by the task call that a subagent answers; the turn's own by "".
type Work struct {
	// Step and Attempt are of the newest model step; InStep while it runs.
	Step    int  `json:"step"`
	Attempt int  `json:"attempt"`
	InStep  bool `json:"inStep,omitempty"`
	// StepModel is the model of the newest step.
	StepModel string `json:"stepModel,omitempty"`
	// Calls are those of the newest finished step, in their order.
	Calls []Call `json:"calls,omitempty"`
	// Failing and Failures count the same failing call in a row.
	Failing  uint64 `json:"failing,omitempty"`
	Failures int    `json:"failures,omitempty"`

	tries tries
}

// tries counts the attempts of one step in this life of the session: not part
// of the state, since a restart may try again.
type tries struct {
	step   int
	cut    bool
	broken int
	// compacted says that the context was made shorter because the step overflowed.
	compacted bool
}

// attempts gives the tries of the step that runs.
func (w *Work) attempts() *tries {
	if w.tries.step != w.Step {
		w.tries = tries{step: w.Step}
	}
	return &w.tries
}

// A Used sums the tokens of finished steps.
type Used struct {
	// Billed says that a step finished; Usage sums them, UsageUnknown when one did not say.
	Billed       bool         `json:"billed,omitempty"`
	Usage        events.Usage `json:"usage"`
	UsageUnknown bool         `json:"usageUnknown,omitempty"`
}

func (u *Used) add(step *events.Usage) {
	u.Billed = true
	if step == nil {
		u.UsageUnknown = true
		return
	}
	u.Usage.Add(*step)
}

// sum gives what was used, as far as it is known; nil where nothing is.
func (u *Used) sum() *events.Usage {
	if !u.Billed || u.Usage == (events.Usage{}) && u.UsageUnknown {
		return nil
	}
	usage := u.Usage
	return &usage
}

// work gives a line of the turn; nil when there is none of that name.
func (t *Turn) work(parent string) *Work {
	switch {
	case t == nil:
		return nil
	case parent == "":
		return &t.Work
	}
	if sub := t.sub(parent); sub != nil {
		return &sub.Work
	}
	return nil
}

// lines gives the names of the turn's lines of work as they are now, its own first.
func (t *Turn) lines() []string {
	names := []string{""}
	for _, sub := range t.Subs {
		names = append(names, sub.CallID)
	}
	return names
}

// calls goes over the calls of the newest step of each line.
func (t *Turn) calls() iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		if !t.Work.each(yield) {
			return
		}
		for _, sub := range t.Subs {
			if !sub.each(yield) {
				return
			}
		}
	}
}

func (w *Work) each(yield func(*Call) bool) bool {
	for i := range w.Calls {
		if !yield(&w.Calls[i]) {
			return false
		}
	}
	return true
}

// call finds an open or finished call of the newest step of any line.
func (t *Turn) call(id string) *Call {
	if t == nil {
		return nil
	}
	if c := t.Work.call(id); c != nil {
		return c
	}
	for _, sub := range t.Subs {
		if c := sub.call(id); c != nil {
			return c
		}
	}
	return nil
}

func (w *Work) call(id string) *Call {
	for i := range w.Calls {
		if w.Calls[i].CallID == id {
			return &w.Calls[i]
		}
	}
	return nil
}

// stands says whether a call of a line, or of a subagent that it waits for, is
// parked, and whether something of it runs.
func (t *Turn) stands(w *Work) (parked, runs bool) {
	if w.InStep {
		return false, true
	}
	open := false
	for i := range w.Calls {
		c := &w.Calls[i]
		open = open || c.Status != CallDone
		sub := t.sub(c.CallID)
		switch {
		case c.Status == CallParked:
			parked = true
		case c.Status == CallRunning && sub == nil:
			runs = true
		case c.Status == CallRunning:
			p, r := t.stands(&sub.Work)
			parked, runs = parked || p, runs || r
		}
	}
	return parked, runs || !open
}

func (w *Work) startStep(d *events.StepStarted) {
	w.Step, w.Attempt, w.InStep, w.Calls = d.Step, d.Attempt, true, nil
	w.StepModel = d.Model
}

// countFailure counts the same failing call in a row: same tool, same arguments.
func (w *Work) countFailure(c *Call, d *events.ActionResult) {
	if !d.IsError || d.Code == events.CodeCancelled || d.Code == events.CodeOutcomeUnknown {
		w.Failures = 0
		return
	}
	h := fnv.New64a()
	h.Write([]byte(c.ToolName))
	h.Write([]byte{0})
	h.Write(c.Args)
	if key := h.Sum64(); w.Failures == 0 || key != w.Failing {
		w.Failing, w.Failures = key, 0
	}
	w.Failures++
}
