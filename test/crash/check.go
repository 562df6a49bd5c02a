//go:build failpoints

package crash

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	core "github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
)

// A checker holds a state root, which no host has open, against what clients were
// promised and saw: the promises P01 to P28 of the contract, as far as they concern it.
type checker struct {
	dir        string
	violations []string
	logs       map[string][]*events.Event
	lines      map[string][]journal.Line
	marks      map[string]string
}

func (c *checker) fail(format string, args ...any) {
	c.violations = append(c.violations, fmt.Sprintf(format, args...))
}

// check gives every violation that it finds.
func check(dir string, clients ...*session) (violations []string, err error) {
	c, err := examine(dir, clients...)
	return c.violations, err
}

// examine is check with what was read.
func examine(dir string, clients ...*session) (c *checker, err error) {
	c = &checker{dir: dir, logs: map[string][]*events.Event{}, lines: map[string][]journal.Line{}, marks: map[string]string{}}
	j, err := openRoot(dir)
	if err != nil {
		return c, fmt.Errorf("opening the state root: %w", err)
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	if err := c.readLogs(j); err != nil {
		return c, err
	}
	for id, log := range c.logs {
		c.checkLog(id, log)
	}
	for _, s := range clients {
		c.checkClient(s)
	}
	if err := c.checkMarks(j); err != nil {
		return c, err
	}
	if err := errors.Join(c.checkEffects(), c.checkHooks()); err != nil {
		return c, err
	}
	if err := c.checkContents(); err != nil {
		return c, err
	}
	return c, c.checkViews(j)
}

func (c *checker) readLogs(j *journal.Journal) error {
	total := uint64(0)
	for s, err := range j.Streams("") {
		if err != nil {
			return err
		}
		lines, err := j.Read(s.ID, 0, s.Head)
		if err != nil {
			return err
		}
		if uint64(len(lines)) != s.Head {
			c.fail("%s: the head is %d, %d lines are there", s.ID, s.Head, len(lines))
		}
		total += s.Head
		c.lines[s.ID] = lines
		for _, l := range lines {
			e, err := events.Decode(l.Data)
			if err != nil {
				return err
			}
			c.logs[s.ID] = append(c.logs[s.ID], e)
		}
	}
	if p := j.Position(); p != total {
		c.fail("the position is %d, the logs have %d events", p, total)
	}
	return nil
}

// checkLog: indexes are dense, turns alternate and end once, calls have one result
// before the next step of who asked for them, a subagent ends once and before its
// turn, nothing of an ended turn follows.
func (c *checker) checkLog(id string, log []*events.Event) {
	results, ended, open := map[string]int{}, map[string]bool{}, ""
	asked, crew := map[string][]string{}, map[string]bool{} // by the subagent's call; "" for the turn's own
	for i, e := range log {
		if e.Index != uint64(i) {
			c.fail("%s: event %d has index %d", id, i, e.Index)
		}
		if ended[e.TurnID] {
			c.fail("%s: event %d, %s, belongs to a turn that has ended", id, i, e.Type)
		}
		switch d := e.Data.(type) {
		case *events.TurnStarted:
			if open != "" {
				c.fail("%s: event %d: a turn starts inside %s", id, i, open)
			}
			open, asked, crew = e.TurnID, map[string][]string{}, map[string]bool{}
		case *events.StepStarted:
			for _, call := range asked[d.ParentCallID] {
				if results[call] != 1 {
					c.fail("%s: event %d: a step starts while call %s has %d results", id, i, call, results[call])
				}
			}
		case *events.ActionsRequested:
			for _, call := range d.Calls {
				asked[d.ParentCallID] = append(asked[d.ParentCallID], call.CallID)
			}
		case *events.SubagentCalled:
			if crew[d.CallID] {
				c.fail("%s: event %d: the subagent of %s begins twice", id, i, d.CallID)
			}
			crew[d.CallID] = true
		case *events.SubagentCompleted:
			if !crew[d.CallID] {
				c.fail("%s: event %d: the subagent of %s ends, and has not begun", id, i, d.CallID)
			}
			delete(crew, d.CallID)
		case *events.ActionResult:
			if results[d.CallID]++; results[d.CallID] > 1 {
				c.fail("%s: event %d: call %s has a second result", id, i, d.CallID)
			}
		case *events.TurnCompleted, *events.TurnFailed:
			ended[e.TurnID] = true
			if open == e.TurnID && len(crew) > 0 {
				c.fail("%s: event %d: the turn ends before %d subagents", id, i, len(crew))
			}
			if open == e.TurnID {
				open = ""
			}
		}
	}
}

// checkClient: a 2xx means once in the log, no answer at most once, and what was
// seen is a prefix of the log.
func (c *checker) checkClient(s *session) {
	log := c.logs[s.id]
	count := map[string]int{}
	decided := map[string]int{}
	for _, e := range log {
		switch d := e.Data.(type) {
		case *events.MessageReceived:
			count[d.Text]++
		case *events.InputResolved:
			decided[d.CallID]++
		}
	}
	for text := range s.acked {
		if count[text] != 1 {
			c.fail("%s: %q was answered 2xx and is there %d times", s.id, text, count[text])
		}
	}
	for text, n := range count {
		if !s.tried[text] || n > 1 {
			c.fail("%s: %q is there %d times", s.id, text, n)
		}
	}
	for call := range s.calls {
		if decided[call] != 1 {
			c.fail("%s: the decision on %s was answered 2xx and is there %d times", s.id, call, decided[call])
		}
	}
	c.checkSeen(s)
}

func (c *checker) checkSeen(s *session) {
	lines := c.lines[s.id]
	if len(s.seen) > len(lines) {
		c.fail("%s: %d lines were seen, the log has %d", s.id, len(s.seen), len(lines))
		return
	}
	for i, line := range s.seen {
		if !bytes.Equal(line, lines[i].Data) {
			c.fail("%s: line %d was seen as %s and is %s", s.id, i, line, lines[i].Data)
			return
		}
	}
}

// checkMarks: a session has an open mark exactly when something of it is open, or
// is still to be delivered.
func (c *checker) checkMarks(j *journal.Journal) error {
	for m, err := range j.Marks() {
		if err != nil {
			return err
		}
		c.marks[m.Stream] = string(m.Value)
	}
	for id, lines := range c.lines {
		if !events.IsSessionID(id) {
			continue
		}
		s := core.New(core.Config{})
		for _, l := range lines {
			if err := s.Fold(l.Data); err != nil {
				return err
			}
		}
		if mark := c.marks[id]; s.Open() != (mark != "") && !strings.Contains(mark, "undelivered") {
			c.fail("%s: the open mark is %q, the fold says %v", id, mark, s.Open())
		}
	}
	return nil
}

// checkEffects: "no write tool ran twice", but for those that may, and none ran
// whose call was not recorded.
func (c *checker) checkEffects() error {
	b, err := os.ReadFile(filepath.Join(c.dir, "effects"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	asked := map[string]bool{}
	for _, log := range c.logs {
		for _, e := range log {
			if d, ok := e.Data.(*events.ActionsRequested); ok {
				for _, call := range d.Calls {
					asked[call.CallID] = true
				}
			}
		}
	}
	times := map[string]int{}
	for in := bufio.NewScanner(bytes.NewReader(b)); in.Scan(); {
		var e effect
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return err
		}
		if times[e.CallID]++; times[e.CallID] > 1 && e.Tool != "put" && e.Tool != "slow" {
			c.fail("call %s of %s took effect %d times", e.CallID, e.Tool, times[e.CallID])
		}
		if !asked[e.CallID] {
			c.fail("call %s of %s took effect and is not in the log", e.CallID, e.Tool)
		}
	}
	return nil
}

// checkViews: deleting a view and folding it again gives equal answers.
func (c *checker) checkViews(j *journal.Journal) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	views, err := projections.Start(ctx, &projections.Options{Journal: j})
	if err != nil {
		return err
	}
	defer func() { _ = views.Close(ctx) }()
	if err := views.WaitFor(ctx, j.Position()); err != nil {
		return err
	}
	before, err := c.answers(ctx, views)
	if err == nil {
		err = c.checkArtifacts(ctx, j, views)
	}
	if err != nil {
		return err
	}
	for _, s := range views.Status() {
		if s.Error != "" {
			c.fail("view %s: %s", s.Name, s.Error)
		}
		if err := views.Rebuild(ctx, s.Name); err != nil {
			return err
		}
	}
	if err := views.WaitFor(ctx, j.Position()); err != nil {
		return err
	}
	after, err := c.answers(ctx, views)
	if before != after {
		c.fail("the views differ from their fold:\n%s\n%s", before, after)
	}
	return err
}

// answers is everything that the views say, as text.
func (c *checker) answers(ctx context.Context, v *projections.Views) (string, error) {
	rows, _, err := v.Sessions(ctx, projections.SessionQuery{Limit: 200})
	if err != nil {
		return "", err
	}
	made, err := v.Artifacts(ctx, projections.ArtifactQuery{Limit: 1000})
	if err != nil {
		return "", err
	}
	all := []any{rows, made}
	for id := range c.logs {
		cost, _, err := v.Cost(ctx, id)
		if err != nil {
			return "", err
		}
		open, err := v.Approvals(ctx, id)
		if err != nil {
			return "", err
		}
		all = append(all, struct {
			ID        string
			Cost      projections.SessionCost
			Approvals []projections.Approval
		}{id, cost, open})
	}
	return sorted(all)
}
