package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/model/replay"
	"github.com/gobdk/bdk/events"
)

// A tale is a log that a test writes.
type tale struct {
	t     testing.TB
	lines [][]byte
	turn  string
	calls int
	steps map[string]int
}

func newTale(t testing.TB) *tale {
	return &tale{t: t, steps: map[string]int{}}
}

func (l *tale) add(data events.Payload) *tale {
	l.t.Helper()
	e := events.New(l.turn, time.UnixMilli(0), data)
	e.Index, e.SessionID = uint64(len(l.lines)), "ses_x"
	line, err := events.AppendLine(nil, &e)
	if err != nil {
		l.t.Fatal(err)
	}
	l.lines = append(l.lines, line)
	return l
}

// ask begins a turn; its first step has begun.
func (l *tale) ask(texts ...string) *tale {
	l.turn = fmt.Sprintf("turn_%d", len(l.lines))
	for _, text := range texts {
		l.add(&events.MessageReceived{Text: text, From: events.FromUser})
	}
	clear(l.steps)
	return l.add(&events.TurnStarted{Model: "m"}).begin("")
}

func (l *tale) begin(parent string) *tale {
	l.steps[parent]++
	return l.add(&events.StepStarted{Step: l.steps[parent], Attempt: 1, ParentCallID: parent})
}

// say ends the step of a line.
func (l *tale) say(parent, text, finish string, usage *events.Usage) *tale {
	l.add(&events.MessageAppended{Text: text, ParentCallID: parent})
	l.add(&events.MessageCompleted{Text: text, FinishReason: finish, ParentCallID: parent})
	return l.add(&events.StepCompleted{Step: l.steps[parent], Attempt: 1, FinishReason: finish, Usage: usage, ParentCallID: parent,
		Provider: &events.Provider{Name: "p", Model: "m", Blocks: []json.RawMessage{json.RawMessage(`{"secret":1}`)}}})
}

// call ends the step of a line with calls, each "name {args}", and gives their ids.
func (l *tale) call(parent string, calls ...events.Call) []string {
	l.say(parent, "", events.FinishToolCalls, nil)
	ids := make([]string, len(calls))
	for i := range calls {
		l.calls++
		ids[i] = fmt.Sprintf("call_%p_%d", l, l.calls) // another in each log
		calls[i].CallID, calls[i].ParentCallID = ids[i], parent
	}
	l.add(&events.ActionsRequested{Calls: calls, ParentCallID: parent})
	return ids
}

func (l *tale) result(id string) *tale {
	return l.add(&events.ActionResult{CallID: id, ToolName: "t", Output: json.RawMessage(`1`)})
}

func (l *tale) done() *tale { return l.add(&events.TurnCompleted{}) }

func (l *tale) fail(status, code, message string) *tale {
	return l.add(&events.TurnFailed{Status: status, Code: code, Message: message})
}

func (l *tale) read(context.Context) replay.Lines {
	return func(yield func([]byte, error) bool) {
		for _, line := range l.lines {
			if !yield(line, nil) {
				return
			}
		}
	}
}

// of is a model of this recording for a session whose log is live.
func (l *tale) of(live *tale) *replay.Model {
	return replay.New(replay.Options{Name: "rec", Recorded: l.read, Log: func(ctx context.Context, _ string) replay.Lines { return live.read(ctx) }})
}

func call(name, args string) events.Call {
	return events.Call{ToolName: name, Args: json.RawMessage(args)}
}
