package transport

import (
	"net/http"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/projections"
)

type stateReply struct {
	OK        bool          `json:"ok"`
	SessionID string        `json:"sessionId"`
	Index     uint64        `json:"index"`
	Status    string        `json:"status"`
	TurnID    string        `json:"turnId,omitempty"`
	OpenCalls []openCallRow `json:"openCalls"`
	Approvals []approvalRow `json:"approvals"`
	Usage     events.Usage  `json:"usage"`
}

// An openCallRow is a call that has no result yet.
type openCallRow struct {
	CallID       string         `json:"callId"`
	ToolName     string         `json:"toolName"`
	Args         events.RawJSON `json:"args,omitempty"`
	TurnID       string         `json:"turnId,omitempty"`
	ParentCallID string         `json:"parentCallId,omitempty"`
	Effect       string         `json:"effect,omitempty"`
	// Status is "running", or "parked" while it waits for a person.
	Status string `json:"status"`
}

// state gives a session as it was after the event of an index; without one, as it is.
func (c *call) state() error {
	index, err := c.stateIndex()
	if err != nil {
		return err
	}
	s, err := c.h.host.State(c.r.Context(), c.session.ID, index)
	if err != nil {
		return err
	}
	reply := stateReply{
		OK: true, SessionID: s.SessionID, Index: s.Index, Status: s.Status, TurnID: s.TurnID, Usage: s.Usage,
		OpenCalls: make([]openCallRow, len(s.OpenCalls)), Approvals: make([]approvalRow, len(s.Approvals)),
	}
	for i := range s.OpenCalls {
		reply.OpenCalls[i] = newOpenCallRow(&s.OpenCalls[i])
	}
	for i := range s.Approvals {
		a := &s.Approvals[i]
		reply.Approvals[i] = newApprovalRow(&projections.Approval{
			RequestID: a.RequestID, CallID: a.Call.CallID, ToolName: a.Call.ToolName, Args: events.RawJSON(a.Call.Args), TurnID: a.Call.TurnID,
			ParentCallID: a.Call.ParentCallID, RequestedAt: a.RequestedAt, ExpiresAt: a.ExpiresAt,
		})
	}
	return c.reply(http.StatusOK, reply)
}

// stateIndex is the index that is asked for, or that of the newest event.
func (c *call) stateIndex() (uint64, error) {
	switch v := c.params["index"]; len(v) {
	case 0:
		head, err := c.h.journal.Head(c.session.ID)
		return max(head, 1) - 1, err
	case 1:
		return readIndex(v[0])
	}
	return readIndex("")
}

func newOpenCallRow(c *actors.OpenCall) openCallRow {
	row := openCallRow{
		CallID: c.CallID, ToolName: c.ToolName, Args: events.RawJSON(c.Args), TurnID: c.TurnID, ParentCallID: c.ParentCallID, Effect: c.Effect, Status: "running",
	}
	if c.Parked {
		row.Status = "parked"
	}
	return row
}
