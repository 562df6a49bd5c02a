package session_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// TestScripts plays testdata/*.txt: a command is the name of an input with its
// fields as JSON; the answer is what is to be recorded, then what is to be done.
func TestScripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		p := &player{t: t, now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), cfg: session.Config{Model: "scripted", FreePlaces: true, Price: price}}
		p.s = session.New(p.cfg)
		datadriven.RunTest(t, path, p.play)
	})
}

// price is a micro-dollar a token for every model but "mystery".
func price(model string, u events.Usage) (int64, bool) { return u.Total() * 1e6, model != "mystery" }

type player struct {
	t     *testing.T
	s     *session.Session
	cfg   session.Config
	now   time.Time
	lines [][]byte
}

func newInput(name string) session.Input {
	inputs := map[string]session.Input{
		"start": &session.Start{}, "message": &session.Message{From: "user"}, "stop": &session.Stop{}, "decide": &session.Decide{},
		"rename": &session.Rename{}, "update-channel": &session.UpdateChannel{}, "direct-call": &session.DirectCall{}, "tag": &session.Tag{}, "place": &session.Place{}, "deltas": &session.Deltas{},
		"step-done": &session.StepDone{FinishReason: "stop"}, "step-failed": &session.StepFailed{}, "tool-done": &session.ToolDone{}, "delegate": &session.Delegate{},
		"need-grant": &session.NeedGrant{}, "need-approval": &session.NeedApproval{}, "granted": &session.Granted{Outcome: "granted"},
		"expire": &session.Expire{}, "turn-timeout": &session.TurnTimeout{}, "fail": &session.Fail{}, "resume": &session.Resume{},
		"resolved": &session.Resolved{}, "compact-now": &session.CompactNow{}, "compact-done": &session.CompactDone{},
		"set-reminder": &session.SetReminder{}, "cancel-reminder": &session.CancelReminder{}, "fire-reminder": &session.FireReminder{},
		"settle": &session.Settle{},
	}
	return inputs[name]
}

func (p *player) play(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "config":
		p.decode(d.Input, &p.cfg)
		p.s, p.lines = session.New(p.cfg), nil
		return ""
	case "advance":
		var by string
		d.ScanArgs(t, "by", &by)
		dur, err := time.ParseDuration(by)
		if err != nil {
			t.Fatal(err)
		}
		p.now = p.now.Add(dur)
		return ""
	case "restart":
		p.restart()
		in := &session.Resume{}
		p.decode(d.Input, in)
		return p.step(in)
	}
	in := newInput(d.Cmd)
	if in == nil {
		t.Fatalf("%s: no input is called %s", d.Pos, d.Cmd)
	}
	p.decode(d.Input, in)
	return p.step(in)
}

func (p *player) decode(text string, into any) {
	if strings.TrimSpace(text) == "" {
		return
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		p.t.Fatalf("%v in %s", err, text)
	}
}

func (p *player) step(in session.Input) string {
	var b strings.Builder
	if err := p.s.Step(in, p.now); err != nil {
		fmt.Fprintf(&b, "refused: %v\n", err)
	}
	r := p.s.Ready()
	for i := range r.Events {
		e := &r.Events[i]
		e.SessionID = "ses_1"
		line, err := events.AppendLine(nil, e)
		if err != nil {
			p.t.Fatal(err)
		}
		p.lines = append(p.lines, line)
		_, data, _ := strings.Cut(string(line), `"data":`)
		fmt.Fprintf(&b, "record %d %s%s %s\n", e.Index, e.Type, suffix(" @", e.TurnID), strings.TrimSuffix(data, "}"))
	}
	for _, f := range r.Effects {
		fmt.Fprintf(&b, "do %s\n", effect(f))
	}
	fmt.Fprintf(&b, "%s\n", p.s.Status())
	return b.String()
}

// restart folds the log again; it must give the state that lived.
func (p *player) restart() {
	again := session.New(p.cfg)
	for _, l := range p.lines {
		if err := again.Fold(l); err != nil {
			p.t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(asJSON(p.t, p.s.State), asJSON(p.t, again.State)) {
		p.t.Fatalf("the fold differs from the state that lived:\n%v\n%v", asJSON(p.t, again.State), asJSON(p.t, p.s.State))
	}
	p.s = again
}

func asJSON(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func suffix(sep, s string) string {
	if s == "" {
		return ""
	}
	return sep + s
}

func effect(f session.Effect) string {
	switch f := f.(type) {
	case *session.CallModel:
		inside := ""
		if f.ParentCallID != "" {
			inside = fmt.Sprintf(" in=%s subagent=%s from=%d", f.ParentCallID, f.Subagent, f.From)
		}
		return fmt.Sprintf("call-model %s step=%d attempt=%d%s", f.TurnID, f.Step, f.Attempt, inside)
	case *session.Resolve:
		return fmt.Sprintf("resolve %s step=%d repairs=%d", f.TurnID, f.Step, f.Repairs)
	case *session.Compact:
		return fmt.Sprintf("compact %s n=%d tokens=%d overflow=%v", f.TurnID, f.N, f.Tokens, f.Overflow)
	case *session.EndCompact:
		return fmt.Sprintf("end-compact compacted=%v busy=%v %s", f.Compacted != nil, f.Busy, f.Message)
	case *session.RunTool:
		stub := ""
		if f.Stub {
			stub = " stub"
		}
		if f.Connection != "" {
			stub += suffix(" after=", f.Connection)
		}
		if f.Check {
			stub += " check"
		}
		return fmt.Sprintf("run-tool %s %s%s%s%s", f.Call.CallID, f.Call.ToolName, suffix(" @", f.TurnID), suffix(" in=", f.Call.ParentCallID), stub)
	case *session.AwaitApproval:
		return fmt.Sprintf("await-approval %s", f.Call.CallID)
	case *session.CloseApproval:
		return fmt.Sprintf("close-approval %s", f.CallID)
	case *session.AwaitPlace:
		return fmt.Sprintf("await-place %s", f.TurnID)
	case *session.EndSubagent:
		return fmt.Sprintf("end-subagent %s", f.CallID)
	case *session.EndTurn:
		return fmt.Sprintf("end-turn %s", f.TurnID)
	}
	return fmt.Sprintf("%T", f)
}
