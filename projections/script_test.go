package projections

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// TestScripts plays the stories of testdata: appends, and what the views say then.
//
// A token of the models scripted, one and ten costs 0, 1 and 10 millionths of a
// dollar; other models have no price.
//
//	append a turn=t1        events to the log of a, one a line: type and data; a
//	                        type that begins with "-" is outside of the turn
//	row a                   the session's row, without what does not change
//	title a                 the row's title
//	cost a, approvals a     the answers of these views
//	list [field=value …]    the ids of a list
func TestScripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		t.Parallel()
		s := &story{j: openJournal(t, vfs.NewMem()), at: testTime}
		s.v = startPriced(t, s.j, testPrices{"scripted": 0, "one": 1, "ten": 10})
		datadriven.RunTest(t, path, s.command)
		checkRebuilt(t, s.v, s.j)
	})
}

type story struct {
	j  *journal.Journal
	v  *Views
	at time.Time
}

func (s *story) command(t *testing.T, d *datadriven.TestData) string {
	caughtUp(t, s.v, s.j)
	var id string
	if d.Cmd != "list" {
		id = d.CmdArgs[0].Key
	}
	switch d.Cmd {
	case "append":
		s.append(t, d, id)
		return s.row(t, id)
	case "row":
		return s.row(t, id)
	case "title":
		row, _, err := s.v.Session(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return row.Title
	case "cost":
		c, ok, err := s.v.Cost(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return "none"
		}
		return costText(t, c)
	case "approvals":
		a, err := s.v.Approvals(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return approvalsText(t, a)
	case "list":
		return s.list(t, d)
	}
	t.Fatalf("unknown command %s", d.Cmd)
	return ""
}

func (s *story) append(t *testing.T, d *datadriven.TestData, id string) {
	var turn string
	d.MaybeScanArgs(t, "turn", &turn)
	var evs []events.Event
	for _, line := range strings.Split(d.Input, "\n") {
		name, data, _ := strings.Cut(line, " ")
		bare, outside := strings.CutPrefix(name, "-")
		if data == "" {
			data = "{}"
		}
		e, err := events.Decode(fmt.Appendf(nil, `{"type":%q,"index":0,"data":%s}`, bare, data))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		e.At = s.at
		if e.TurnID = turn; outside || strings.HasPrefix(bare, "session.") {
			e.TurnID = ""
		}
		evs = append(evs, *e)
	}
	s.at = s.at.Add(time.Second)
	waitFor(t, s.v, add(t, s.j, id, evs...))
}

func (s *story) row(t *testing.T, id string) string {
	row, ok, err := s.v.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return "none"
	}
	out := fmt.Sprintf("%s turns=%d updated=%s", row.Status, row.Turns, row.UpdatedAt.Format("15:04:05"))
	if f := row.ForkedFrom; f != nil {
		out += fmt.Sprintf(" from=%s@%d", f.SessionID, f.Index)
	}
	if row.LastMessage != "" {
		out += fmt.Sprintf(" last=%q", row.LastMessage)
	}
	if row.LastError != "" {
		out += fmt.Sprintf(" error=%q", row.LastError)
	}
	if row.Usage != (events.Usage{}) {
		out += fmt.Sprintf(" in=%d out=%d", row.Usage.InputTokens, row.Usage.OutputTokens)
	}
	if row.Cost != nil {
		out += " cost=" + asJSON(t, row.Cost)
	}
	return out
}

func (s *story) list(t *testing.T, d *datadriven.TestData) string {
	var q SessionQuery
	var owner string
	d.MaybeScanArgs(t, "agent", &q.Agent)
	d.MaybeScanArgs(t, "q", &q.Text)
	d.MaybeScanArgs(t, "purpose", &q.Purpose)
	d.MaybeScanArgs(t, "status", &q.Status)
	d.MaybeScanArgs(t, "limit", &q.Limit)
	if d.MaybeScanArgs(t, "owner", &owner); owner != "" {
		kind, id, _ := strings.Cut(owner, ":")
		q.Owner = &events.Principal{Kind: kind, ID: id}
	}
	rows, cursor, err := s.v.Sessions(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	if cursor != "" {
		ids = append(ids, "…")
	}
	return strings.Join(append(ids, ""), "\n")
}

// costText is the answer's JSON, a turn a line.
func costText(t *testing.T, c SessionCost) string {
	var b strings.Builder
	for _, turn := range c.Turns {
		fmt.Fprintln(&b, asJSON(t, turn))
	}
	fmt.Fprintln(&b, "total", asJSON(t, c.Total))
	return b.String()
}

// approvalsText is the answer's JSON, an approval a line.
func approvalsText(t *testing.T, list []Approval) string {
	if len(list) == 0 {
		return asJSON(t, list)
	}
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintln(&b, asJSON(t, a))
	}
	return b.String()
}
