package actors

import (
	"context"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// WaitTurn returns when a turn of a session has ended, or is parked. An empty turn
// means the newest one. It reads the log and wakes nobody.
func (h *Host) WaitTurn(ctx context.Context, sessionID, turn string) (agent.Completion, error) {
	w := turnWait{core: session.New(session.Config{}), turn: turn, newest: turn == ""}
	for lines, err := range h.journal.Follow(ctx, sessionID, 0) {
		if err != nil {
			return agent.Completion{}, refusal(err)
		}
		head, err := h.journal.Head(sessionID)
		if err != nil {
			return agent.Completion{}, refusal(err)
		}
		for i := range lines {
			if err := w.fold(lines[i].Data); err != nil {
				return agent.Completion{}, errors.Join(ErrCorrupt, err)
			}
		}
		if w.rests(w.core.Next >= head) {
			return w.out, nil
		}
	}
	return agent.Completion{}, ctx.Err()
}

// A turnWait folds a log until its turn has come to rest.
type turnWait struct {
	core   *session.Session
	turn   string
	newest bool
	out    agent.Completion
}

func (w *turnWait) fold(line []byte) error {
	if err := w.core.Fold(line); err != nil {
		return err
	}
	switch events.TypeOf(line) {
	case "message.received", "message.completed", "turn.completed", "turn.failed":
	default:
		return nil
	}
	e, err := events.Decode(line)
	if err != nil {
		return err
	}
	if _, begins := e.Data.(*events.MessageReceived); begins && w.newest && e.TurnID != w.turn {
		w.turn, w.out = e.TurnID, agent.Completion{}
	}
	if e.TurnID == w.turn {
		w.note(e)
	}
	return nil
}

func (w *turnWait) note(e *events.Event) {
	switch d := e.Data.(type) {
	case *events.MessageCompleted:
		if d.ParentCallID == "" && d.FinishReason != events.FinishToolCalls {
			w.out.Reply = d.Text
		}
	case *events.TurnCompleted:
		w.out.Status, w.out.Result = agent.CompletionFinished, []byte(d.Result)
	case *events.TurnFailed:
		w.out.Status, w.out.ErrorMessage = agent.CompletionFailed, d.Message
		if d.Status == events.StatusCancelled {
			w.out.Status = agent.CompletionCancelled
		}
	}
}

// rests says whether the turn has ended, or is parked at the end of the log.
func (w *turnWait) rests(atEnd bool) bool {
	switch {
	case w.out.Status != "":
		return !w.newest || atEnd
	case atEnd && w.core.Turn != nil && w.core.Turn.ID == w.turn && w.core.Parked():
		w.out.Status = agent.CompletionParked
		return true
	}
	return false
}
