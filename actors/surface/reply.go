package surface

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// Reply is the text that a turn ended with, where e is its end; empty where it said
// nothing. A result that is a text stands for one.
func Reply(call *agent.Call, e *agent.HookEvent) (string, error) {
	text, err := Since(call, e, "", func(text string, e *events.Event) string {
		d, ok := e.Data.(*events.MessageCompleted)
		if ok && d.ParentCallID == "" && d.FinishReason != events.FinishToolCalls {
			return d.Text
		}
		return text
	})
	if d, ok := e.Data.(*events.TurnCompleted); ok && err == nil && text == "" {
		_ = json.Unmarshal(d.Result, &text) // another kind of result is for callers, not for people
	}
	return text, err
}

// Since folds the events of e's turn that lie before e, from the first one on.
func Since[T any](call *agent.Call, e *agent.HookEvent, start T, fold func(T, *events.Event) T) (T, error) {
	if call.History == nil {
		return start, errors.New("the session's log cannot be read")
	}
	for window := uint64(64); ; window *= 4 {
		from := uint64(0)
		if e.Index > window {
			from = e.Index - window
		}
		out, whole, err := since(call, e, from, start, fold)
		if err != nil || whole || from == 0 {
			return out, err
		}
	}
}

// since folds from an index on; whole says that the turn began after it.
func since[T any](call *agent.Call, e *agent.HookEvent, from uint64, out T, fold func(T, *events.Event) T) (_ T, whole bool, err error) {
	for seen, err := range call.History(from) {
		if err != nil {
			return out, false, fmt.Errorf("reading the session's log: %w", err)
		}
		if seen.Index >= e.Index {
			break
		}
		if seen.TurnID != e.TurnID {
			continue
		}
		_, first := seen.Data.(*events.TurnStarted)
		whole = whole || first
		out = fold(out, seen)
	}
	return out, whole, nil
}
