package transport

import (
	"net/http"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
)

type approvalsReply struct {
	OK        bool          `json:"ok"`
	Approvals []approvalRow `json:"approvals"`
}

// approvals lists the calls of a session that wait for a decision.
func (c *call) approvals() error {
	if err := c.caughtUp(); err != nil {
		return err
	}
	list, err := c.h.views.Approvals(c.r.Context(), c.session.ID)
	if err != nil {
		return err
	}
	reply := approvalsReply{OK: true, Approvals: make([]approvalRow, len(list))}
	for i := range list {
		reply.Approvals[i] = newApprovalRow(&list[i])
	}
	return c.reply(http.StatusOK, reply)
}

// choices are the decisions that a caller may take.
var choices = []string{events.DecisionApprove, events.DecisionDeny}

type decisionReply struct {
	OK       bool   `json:"ok"`
	CallID   string `json:"callId"`
	Decision string `json:"decision"`
}

// decide approves or denies a call.
func (c *call) decide() error {
	f, body, err := c.readForm("decision", "reason")
	if err != nil {
		return err
	}
	f.required("decision")
	d := actors.Decision{By: c.principal, Decision: f.oneOf("decision", choices...)}
	d.Reason, _ = f.text("reason")
	if err := f.err(); err != nil {
		return err
	}
	if d.Idempotency, err = c.idempotency(body); err != nil {
		return err
	}
	r, err := c.h.host.ResolveApproval(c.r.Context(), c.session.ID, c.vars["callId"], d)
	if err != nil {
		return err
	}
	c.wrote(r.Position)
	return c.reply(http.StatusOK, decisionReply{OK: true, CallID: r.CallID, Decision: r.Decision})
}
