package browser

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// A tale is the log of a session that nobody ran: what happens in it, and when.
type tale struct {
	t      *testing.T
	at     time.Time
	turn   string
	parent string
	turns  int
	all    []events.Event
}

// began is when tales begin, unless they say so.
var began = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func newTale(t *testing.T, title string) *tale {
	a := &tale{t: t, at: began}
	return a.add(0, &events.SessionStarted{Agent: "pr-reviewer", ChannelID: "http", Mode: events.ModeChat, Purpose: events.PurposeLive, Principal: events.Principal{Kind: "local", ID: "local"}, Title: title})
}

// add writes an event down, so long after the one before it.
func (a *tale) add(after time.Duration, data events.Payload) *tale {
	a.at = a.at.Add(after)
	a.all = append(a.all, events.New(a.turn, a.at, data))
	return a
}

// ask begins a turn.
func (a *tale) ask(after time.Duration, text string) *tale {
	a.turns++
	a.turn = fmt.Sprintf("turn_%026d", a.turns)
	a.add(after, &events.MessageReceived{Text: text, From: events.FromUser})
	return a.add(4*time.Millisecond, &events.TurnStarted{Model: "anthropic/claude-sonnet-4-5"})
}

// step is a reply of the model that says a text, or nothing, and then asks for calls.
func (a *tale) step(n int, took time.Duration, text string, calls ...events.Call) *tale {
	a.add(time.Millisecond, &events.StepStarted{Step: n, Attempt: 1, Model: a.model(), ParentCallID: a.parent})
	finish := events.FinishStop
	if len(calls) > 0 {
		finish = events.FinishToolCalls
	}
	if text != "" {
		a.add(took/2, &events.MessageAppended{Text: text[:len(text)/2], ParentCallID: a.parent})
		a.add(took/4, &events.MessageAppended{Text: text[len(text)/2:], ParentCallID: a.parent})
		took /= 4
	}
	a.add(took, &events.MessageCompleted{Text: text, FinishReason: finish, ParentCallID: a.parent})
	a.add(0, &events.StepCompleted{Step: n, Attempt: 1, FinishReason: finish, Usage: &events.Usage{InputTokens: 900, CacheReadTokens: int64(2100 + 700*n), CacheWriteTokens: 300, OutputTokens: int64(120 + len(text))}, ParentCallID: a.parent})
	if len(calls) > 0 {
		a.add(0, &events.ActionsRequested{Calls: calls, ParentCallID: a.parent})
	}
	return a
}

func (a *tale) model() string {
	if a.parent != "" {
		return "anthropic/claude-haiku-4-5"
	}
	return ""
}

// call is one that the model asks for.
func (a *tale) call(id, tool string, args any) events.Call {
	return events.Call{CallID: id, ToolName: tool, Args: a.json(args), Effect: events.EffectRead, ParentCallID: a.parent}
}

func (a *tale) result(after time.Duration, id, tool string, output any) *tale {
	return a.add(after, &events.ActionResult{CallID: id, ToolName: tool, Output: a.json(output), ParentCallID: a.parent})
}

func (a *tale) fails(after time.Duration, id, tool, code, why string) *tale {
	return a.add(after, &events.ActionResult{CallID: id, ToolName: tool, Output: a.json(why), IsError: true, Code: code, ParentCallID: a.parent})
}

// sub does what f says inside of a subagent's call, which ends with it.
func (a *tale) sub(id, name, task string, f func()) *tale {
	before := a.parent
	a.add(0, &events.SubagentCalled{CallID: id, Name: name, Task: task, ParentCallID: before})
	a.parent = id
	f()
	a.parent = before
	a.add(0, &events.SubagentCompleted{CallID: id, Name: name, Output: a.json("done"), Usage: &events.Usage{InputTokens: 1800, CacheReadTokens: 5000, OutputTokens: 300}, ParentCallID: before})
	return a.result(0, id, name, "done")
}

// done ends a turn well, and the session waits.
func (a *tale) done(usd float64) *tale {
	a.add(0, &events.TurnCompleted{Usage: &events.Usage{InputTokens: 5400, CacheReadTokens: 16800, CacheWriteTokens: 1200, OutputTokens: 1130}, Cost: &events.Cost{TotalUSD: usd, Model: "anthropic/claude-sonnet-4-5"}})
	a.turn = ""
	return a.add(0, &events.SessionWaiting{})
}

func (a *tale) json(x any) json.RawMessage {
	a.t.Helper()
	b, err := json.Marshal(x)
	if err != nil {
		a.t.Fatal(err)
	}
	return b
}

// told serves a sample with the sessions of tales, and gives their ids.
func told(t *testing.T, tales ...*tale) (*host, []string) {
	t.Helper()
	h := prepare(t, filepath.Join("..", "projects", "pr-reviewer"))
	var all []past
	for _, a := range tales {
		all = append(all, past{like: a.all})
	}
	ids := h.remember(all...)
	h.start()
	return h, ids
}

// review is a turn with all that a turn can have: calls side by side, a subagent with one
// inside of it, a failed reply that is tried again, an approval that took hours, a failed
// call, a stubbed one.
func review(t *testing.T) *tale {
	a := newTale(t, "Merge the parser change")
	a.ask(0, "Review #7, and merge it when it is good")
	a.step(1, 1300*time.Millisecond, "I look at the change and its checks first.", a.call("c1", "fetch_pr", map[string]any{"number": 7}), a.call("c2", "fetch_checks", map[string]any{"number": 7}))
	a.result(700*time.Millisecond, "c1", "fetch_pr", map[string]any{"title": "Speed up the parser", "files": []string{"parse.go", "lex.go"}})
	a.result(1200*time.Millisecond, "c2", "fetch_checks", map[string]any{"ci": "green", "coverage": 0.91})
	a.step(2, 1100*time.Millisecond, "", a.call("c3", "security", map[string]any{"task": "Look for secrets in #7"}))
	a.sub("c3", "security", "Look for secrets and new dependencies in #7", func() {
		a.step(1, 600*time.Millisecond, "", a.call("c4", "grep", map[string]any{"pattern": "AKIA[0-9A-Z]{16}"}), a.call("c5", "dependencies", map[string]any{"of": "#7"}))
		a.result(0, "c4", "grep", []string{})
		a.sub("c5", "dependencies", "List what #7 adds to go.mod", func() {
			a.step(1, 500*time.Millisecond, "It adds nothing.")
		})
		a.step(2, 700*time.Millisecond, "No secrets, no new dependencies.")
	})
	a.add(0, &events.StepStarted{Step: 3, Attempt: 1}).add(2*time.Second, &events.MessageAppended{Text: "It is goo"})
	a.add(1500*time.Millisecond, &events.StepStarted{Step: 3, Attempt: 2}).add(900*time.Millisecond, &events.ReasoningAppended{Text: "Green, covered, and no secrets: merge it."}).add(100*time.Millisecond, &events.ReasoningCompleted{Text: "Green, covered, and no secrets: merge it."})
	a.add(400*time.Millisecond, &events.MessageCompleted{Text: "It is good. I ask for the merge.", FinishReason: events.FinishToolCalls}).add(0, &events.StepCompleted{Step: 3, Attempt: 2, FinishReason: events.FinishToolCalls, Usage: &events.Usage{InputTokens: 1200, CacheReadTokens: 5200, OutputTokens: 210, ReasoningTokens: 90}})
	merge := a.call("c6", "merge_pr", map[string]any{"number": 7, "method": "squash"})
	merge.Effect = events.EffectWrite
	a.add(0, &events.ActionsRequested{Calls: []events.Call{merge}}).add(0, &events.InputRequested{RequestID: "r1", Kind: events.KindApproval, CallID: "c6", ToolName: "merge_pr", Args: merge.Args})
	a.add(3*time.Hour+12*time.Minute, &events.InputResolved{RequestID: "r1", CallID: "c6", Decision: events.DecisionApprove, By: &events.Principal{Kind: "user", ID: "maria@acme.example"}})
	a.result(400*time.Millisecond, "c6", "merge_pr", map[string]any{"merged": true})
	a.step(4, 800*time.Millisecond, "", a.call("c7", "notify", map[string]any{"channel": "#releases"}), a.call("c8", "label", map[string]any{"number": 7, "label": "merged"}))
	a.fails(300*time.Millisecond, "c7", "notify", events.CodeToolError, "slack: 503 service unavailable")
	a.add(0, &events.ActionResult{CallID: "c8", ToolName: "label", Output: a.json("ok"), Stubbed: true})
	return a.step(5, 900*time.Millisecond, "Merged #7 with squash. #releases could not be told: Slack does not answer.").done(0.0312)
}
