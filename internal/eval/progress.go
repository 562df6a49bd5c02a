package eval

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Progress is an Observer that knows how a run stands. It is safe for concurrent use; its
// zero value is ready.
type Progress struct {
	mu  sync.Mutex
	run Run
}

var _ Observer = (*Progress)(nil)

// RunStarted takes the run over.
func (p *Progress) RunStarted(r *Run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run = *r.clone()
	return nil
}

// CaseStarted counts the case as running.
func (p *Progress) CaseStarted(c *Case) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run.Running = append(p.run.Running, c.ID)
	return nil
}

// CaseEnded adds the result in its place.
func (p *Progress) CaseEnded(r *Result) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run.Running = slices.DeleteFunc(p.run.Running, func(id string) bool { return id == r.ID })
	at, _ := slices.BinarySearchFunc(p.run.Results, r, byOrder)
	p.run.Results = slices.Insert(p.run.Results, at, r)
	p.run.Totals.count(r)
	return nil
}

func byOrder(a, b *Result) int { return cmp.Compare(a.Order, b.Order) }

// RunEnded takes over how it ended.
func (p *Progress) RunEnded(r *Run) error { return p.RunStarted(r) }

// Run is a copy of the run as it stands, results in the order of the suite. The results
// themselves are shared and read-only.
func (p *Progress) Run() *Run {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run.clone()
}

func (r *Run) clone() *Run {
	c := *r
	c.Results, c.Running = slices.Clone(r.Results), slices.Clone(filled(r.Running))
	return &c
}

// finish decides how the run ended: a case that was stopped, or never began, makes it cancelled.
func (p *Progress) finish(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run.Status = RunCompleted
	if p.run.Totals.Done < p.run.Totals.Cases || slices.ContainsFunc(p.run.Results, (*Result).stopped) {
		p.run.Status = RunCancelled
	}
	p.run.FinishedAt = &now
	p.run.DurationMs = max(now.Sub(p.run.StartedAt), 0).Milliseconds()
}

func (r *Result) stopped() bool { return r.Error != nil && r.Error.Kind == FaultStopped }

// fault adds a line to Run.Error, once.
func (p *Progress) fault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run.Error == "" {
		p.run.Error = text
	} else if !strings.Contains(p.run.Error, text) {
		p.run.Error += "; " + text
	}
}
