package actors

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A teller makes up a log, with its transcript and its state as they live.
type teller struct {
	t     *testing.T
	r     *rand.Rand
	log   []events.Event
	talk  *transcript
	core  *session.Session
	turn  string
	turns int
	calls int
	// delegated counts the calls of subagents.
	delegated int
}

func (w *teller) say(turn string, p events.Payload) {
	e := events.New(turn, time.Unix(1e9, 0), p)
	e.Index = uint64(len(w.log))
	w.log = append(w.log, e)
	w.talk.apply(&e)
	w.core.Apply(&e)
}

func (w *teller) text() string { return strings.Repeat("word ", 1+w.r.IntN(40)) }

func (w *teller) message() string {
	w.turns++
	id := fmt.Sprintf("t%d", w.turns)
	w.say(id, &events.MessageReceived{Text: w.text() + id, From: events.FromUser})
	return id
}

// step is one model step with its calls and their results, in any order.
func (w *teller) step(n int) {
	w.say(w.turn, &events.StepStarted{Step: n, Attempt: 1, Repair: []string{"", "", "again"}[w.r.IntN(3)]})
	w.say(w.turn, &events.MessageCompleted{Text: w.text()})
	w.say(w.turn, &events.StepCompleted{Step: n, Attempt: 1, Provider: &events.Provider{Name: "p"}})
	calls := w.request("", w.r.IntN(4))
	for _, i := range w.r.Perm(len(calls)) {
		if w.r.IntN(6) == 0 {
			w.message() // it waits
		}
		if calls[i].ToolName == taskName {
			w.delegate(calls[i].CallID)
			continue
		}
		w.say(w.turn, &events.ActionResult{CallID: calls[i].CallID, ToolName: calls[i].ToolName, Output: jsonString(w.text())})
	}
}

// request asks for so many calls, some of them of subagents.
func (w *teller) request(parent string, n int) []events.Call {
	d := &events.ActionsRequested{ParentCallID: parent}
	for range n {
		w.calls++
		c := events.Call{CallID: fmt.Sprintf("c%d", w.calls), ToolName: "look", Args: json.RawMessage(`{}`)}
		if parent == "" && w.r.IntN(3) == 0 {
			c.ToolName = taskName
		}
		d.Calls = append(d.Calls, c)
	}
	if n > 0 {
		w.say(w.turn, d)
	}
	return d.Calls
}

// delegate is the work of a subagent, and the result of its call.
func (w *teller) delegate(call string) {
	from, task := uint64(len(w.log)), w.text()
	said := []string{"user " + task}
	w.say(w.turn, &events.SubagentCalled{CallID: call, Name: "s", Task: task})
	for n := range 1 + w.r.IntN(3) {
		w.say(w.turn, &events.StepStarted{Step: n + 1, Attempt: 1, ParentCallID: call})
		text := w.text()
		said = append(said, "assistant "+text)
		w.say(w.turn, &events.MessageCompleted{Text: text, ParentCallID: call})
		w.say(w.turn, &events.StepCompleted{Step: n + 1, Attempt: 1, ParentCallID: call})
		for _, c := range w.request(call, w.r.IntN(3)) {
			out := w.text()
			said = append(said, "tool "+out)
			w.say(w.turn, &events.ActionResult{CallID: c.CallID, ToolName: c.ToolName, Output: jsonString(out), ParentCallID: call})
		}
	}
	w.checkSub(call, from, said)
	w.say(w.turn, &events.SubagentCompleted{CallID: call, Name: "s", Output: jsonString(w.text())})
	w.say(w.turn, &events.ActionResult{CallID: call, ToolName: taskName, Output: jsonString(w.text())})
	w.delegated++
}

// checkSub holds what a subagent is told, read from the log, against what was said in
// its work: "their own context".
func (w *teller) checkSub(call string, from uint64, want []string) {
	talk := newSubTranscript(call, from)
	for i := range w.log[from:] {
		line, err := events.AppendLine(nil, &w.log[int(from)+i])
		if err == nil {
			err = talk.fold(line)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	var got []string
	for _, m := range talk.messages {
		got = append(got, m.Role+" "+m.Text+plainOutput(m.Output))
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("the subagent is told\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// compact cuts where the host would.
func (w *teller) compact() {
	before := texts(w.talk)
	c, ok := w.talk.cut(int64(20 + w.r.IntN(600)))
	if !ok {
		return
	}
	if c.after >= c.before || c.through >= uint64(len(w.log)) || c.keep > len(w.talk.messages) {
		w.t.Fatalf("a cut of no use: %+v", c)
	}
	w.say(w.turn, &events.ContextCompacted{Summary: fmt.Sprint("summary at ", len(w.log)), ThroughIndex: c.through})
	if got := w.talk.size() - tokensOf(&w.talk.messages[0]); got != c.after {
		w.t.Fatalf("%d tokens are left, the cut said %d; was\n%s\nis\n%s", got, c.after, before, texts(w.talk))
	}
}

func texts(t *transcript) string {
	var b strings.Builder
	for i, m := range t.messages {
		fmt.Fprintf(&b, "%d %s %.60s %s %s\n", t.at[i], m.Role, m.Text, m.CallID, m.Output)
	}
	return b.String()
}

// check holds the transcript against what a provider wants, and against a fold that
// begins where the state says.
func (w *teller) check() {
	open := map[string]bool{}
	for i, m := range w.talk.messages {
		if m.Role != model.RoleTool && len(open) > 0 {
			w.t.Fatalf("message %d: %d calls before it have no result:\n%s", i, len(open), texts(w.talk))
		}
		if m.Role == model.RoleTool && (!open[m.CallID] || len(m.Output) == 0) {
			w.t.Fatalf("message %d: a result without its call, or without an output:\n%s", i, texts(w.talk))
		}
		delete(open, m.CallID)
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
	again := newTranscript(w.core.Context.From)
	for i := int(again.next); i < len(w.log); i++ {
		again.apply(&w.log[i])
	}
	if texts(again) != texts(w.talk) || again.current != w.talk.current || !reflect.DeepEqual(again.asked, w.talk.asked) {
		w.t.Fatalf("from %d on the log tells\n%s(%d, %v)\nand not\n%s(%d, %v)", w.core.Context.From, texts(again), again.current, again.asked, texts(w.talk), w.talk.current, w.talk.asked)
	}
}

// "messages up to throughIndex are replaced by the summary, never splitting a tool
// call from its result; the current turn's user message stays", and "the transcript
// is folded from the log since the last compaction".
func TestTranscript_RandomCompactions(t *testing.T) {
	t.Parallel()
	delegated, compacted := 0, 0
	for seed := range uint64(200) {
		w := &teller{t: t, r: rand.New(rand.NewPCG(seed, 5)), talk: newTranscript(0), core: session.New(session.Config{})}
		w.say("", &events.SessionStarted{Mode: events.ModeChat})
		for range 12 {
			if len(w.core.Queue) == 0 {
				w.message()
			}
			w.turn = w.core.Queue[0]
			w.say(w.turn, &events.TurnStarted{})
			for n := range 1 + w.r.IntN(6) {
				if w.r.IntN(2) == 0 {
					w.compact()
				}
				w.check()
				w.step(n + 1)
				if said := w.talk.messages; !strings.HasSuffix(said[w.talk.current].Text, w.turn) {
					t.Fatalf("seed %d: the message of %s is gone:\n%s", seed, w.turn, texts(w.talk))
				}
			}
			if w.r.IntN(3) == 0 {
				w.say(w.turn, &events.TurnFailed{Status: events.StatusCancelled})
			} else {
				w.say(w.turn, &events.TurnCompleted{})
			}
			w.turn = ""
			if w.r.IntN(2) == 0 && len(w.core.Queue) == 0 {
				w.compact()
			}
			w.check()
		}
		delegated += w.delegated
		for i := range w.log {
			if w.log[i].Type == "context.compacted" {
				compacted++
			}
		}
	}
	if delegated < 2000 || compacted < 2000 {
		t.Errorf("%d subagents and %d compactions: the histories show too little", delegated, compacted)
	}
}

// A long conversation is told within bounds: the ends of long messages, and of too
// many the first and the newest.
func TestRecount(t *testing.T) {
	t.Parallel()
	var many []model.Message
	for i := range 100 {
		many = append(many, model.Message{Role: model.RoleUser, Text: fmt.Sprintf("%d %s", i, strings.Repeat("ё", 50))})
	}
	got := recount(many, 2000)
	if len(got) > 2200 || !strings.HasPrefix(got, "User: 0 ё") || !strings.Contains(got, "messages are left out here.)\n\nUser: ") || !strings.HasSuffix(got, "ё") || !strings.Contains(got, "User: 99 ") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	got = recount([]model.Message{
		{Role: model.RoleAssistant, Text: "Looking.", Calls: []model.Call{{Name: "look", Args: json.RawMessage(`{"n":1}`)}}},
		{Role: model.RoleTool, ToolName: "look", Output: json.RawMessage(`"` + strings.Repeat("x", 5000) + `end"`)},
		{Role: model.RoleTool, ToolName: "push", Output: json.RawMessage(`{"a":1}`), IsError: true},
	}, 4000)
	if !strings.HasPrefix(got, "Agent: Looking.\nAgent calls look with {\"n\":1}\n\nTool look gave: xxx") || !strings.HasSuffix(got, "end\n\nTool push failed with: {\"a\":1}") || !strings.Contains(got, "x […] x") || len(got) > 700 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if recount(nil, 10) != "" {
		t.Error("nothing was told")
	}
}
