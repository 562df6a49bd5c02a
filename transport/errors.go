package transport

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/projections"
)

// A problem is an error of the contract: a code, and what its body says beside.
type problem struct {
	code    string
	message string
	// issues and available are left out of the body when nil.
	issues    []agent.Issue
	available []string
}

// Error is the message.
func (p *problem) Error() string { return p.code + ": " + p.message }

// refuse makes a problem.
func refuse(code, message string) error { return &problem{code: code, message: message} }

// statuses gives the status of each code. This file is the only place where
// errors become statuses.
var statuses = map[string]int{
	"invalid_body": 400, "unknown_field": 400, "invalid_query": 400, "invalid_start_index": 400, "invalid_as_of": 400,
	"invalid_path": 400, "invalid_index": 400, "invalid_idempotency_key": 400, "invalid_input": 400, "agent_execution": 400, "invalid_evals": 400,
	"unauthorized": 401,
	"forbidden":    403, "cross_origin": 403,
	"not_found": 404, "unknown_session": 404, "unknown_tool": 404, "unknown_call": 404, "unknown_agent": 404, "unknown_artifact": 404, "unknown_schedule": 404, "unknown_reminder": 404,
	"unknown_connection": 404, "no_content": 404, "no_cases": 404, "unknown_run": 404,
	"method_not_allowed": 405,
	"stale_token":        409, "task_session": 409, "session_busy": 409, "already_resolved": 409, "cancelled": 409, "expired": 409, "in_flight": 409, "no_oauth": 409, "run_active": 409, "not_running": 409,
	"deleted":                410,
	"precondition_failed":    412,
	"body_too_large":         413,
	"unsupported_media_type": 415,
	"invalid_range":          416,
	"idempotency_mismatch":   422,
	"too_many_messages":      429, "too_many_streams": 429,
	"internal": 500, "handler_failed": 500, "session_corrupt": 500, "workspace_unavailable": 500, "schedule_failed": 500,
	"authorization_failed": 502,
	"draining":             503, "view_behind": 503,
	"insufficient_storage": 507,
}

// causes gives the code and the words of each error that others return.
var causes = []struct {
	err     error
	code    string
	message string
}{
	{actors.ErrUnknownSession, "unknown_session", "no session of this agent has this id"},
	{actors.ErrUnknownAgent, "unknown_agent", "no agent has this name"},
	{actors.ErrUnknownConnection, "unknown_connection", "this agent has no connection of this name"},
	{actors.ErrNoOAuth, "no_oauth", "this connection does not use oauth: its file has no oauth, or no url"},
	{actors.ErrForbidden, "forbidden", "this session belongs to another principal"},
	{actors.ErrDeleted, "deleted", "this session was deleted"},
	{actors.ErrStaleToken, "stale_token", "this is not the session's newest continuation token"},
	{actors.ErrTaskSession, "task_session", "a task session ends by itself and takes no message"},
	{actors.ErrSessionBusy, "session_busy", "the session has an open turn, or its context is being summed up"},
	{actors.ErrUnknownCall, "unknown_call", "no call of this session with this id waits for a decision"},
	{actors.ErrAlreadyResolved, "already_resolved", "this call was decided the other way"},
	{actors.ErrCallCancelled, "cancelled", "this call was closed by an interrupt"},
	{actors.ErrCallExpired, "expired", "this call was closed by its deadline"},
	{actors.ErrNoContents, "no_content", "this artifact has no contents"},
	{actors.ErrUnknownReminder, "unknown_reminder", "no session of yours has an armed reminder with this id"},
	{actors.ErrTooManyMessages, "too_many_messages", "too many messages wait in this session"},
	{actors.ErrInFlight, "in_flight", "the first request with this idempotency key is not answered yet"},
	{actors.ErrIdempotencyMismatch, "idempotency_mismatch", "this idempotency key was used with another body"},
	{actors.ErrDraining, "draining", "the host is shutting down and takes no new work"},
	{actors.ErrCorrupt, "session_corrupt", "this session's log cannot be read"},
	{actors.ErrAgentExecution, "agent_execution", "this tool runs inside a turn only"},
	{actors.ErrWorkspace, "workspace_unavailable", "the workspace for this call cannot be made"},
	{actors.ErrNoSpace, "insufficient_storage", "the host has too little free disk space for new work"},
	{eval.ErrUnknownRun, "unknown_run", "no eval run of this agent has this id"},
	{eval.ErrNotRunning, "not_running", "this eval run has ended"},
	{eval.ErrInFlight, "in_flight", "the first request with this idempotency key is not answered yet"},
	{eval.ErrMismatch, "idempotency_mismatch", "this idempotency key was used with another body"},
	{eval.ErrClosed, "draining", "the host is shutting down and takes no new work"},
	{actors.ErrDecision, "invalid_body", "decision: " + oneOfThese(choices)},
	{actors.ErrFault, "internal", ""},
	{journal.ErrFull, "insufficient_storage", "the host has too little free disk space for new work"},
	{journal.ErrCorrupt, "session_corrupt", "this session's log cannot be read"},
	{journal.ErrClosed, "draining", "the host is shutting down"},
	{projections.ErrCursor, "invalid_query", "cursor is not one that a list gave"},
	{context.Canceled, "draining", "the request was cut off"},
	{context.DeadlineExceeded, "draining", "the request took too long"},
}

// problemOf finds the problem of an error; nil when nobody knows it, which is internal too.
func problemOf(err error) *problem {
	var p *problem
	var input *agent.InputError
	var path *actors.PathError
	var tool *actors.UnknownToolError
	var taken *actors.ConversationError
	var schedule *actors.UnknownScheduleError
	var failed *actors.ScheduleError
	var request *agent.RequestError
	var refused *actors.AuthorizationError
	var past *actors.IndexError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &request):
		return problemOfRequest(request)
	case errors.Is(err, agent.ErrUnauthorized):
		return errUnauthorized
	case errors.Is(err, agent.ErrBusy):
		return &problem{code: "session_busy", message: "the session has an open turn"}
	case errors.Is(err, actors.ErrHandlerFailed):
		return &problem{code: "handler_failed", message: "the channel's handler failed; the log of the host says why, under this requestId"}
	case errors.As(err, &input):
		return &problem{code: "invalid_input", message: "the input does not fit the tool's schema", issues: input.Issues}
	case errors.As(err, &path):
		at := agent.Issue{Path: filePath(path.Path), Message: path.Reason}
		return &problem{code: "invalid_path", message: sentence(at), issues: []agent.Issue{at}}
	case errors.As(err, &past):
		return &problem{code: "invalid_index", message: fmt.Sprintf("there is no event %d: the newest of this session has the index %d", past.Index, past.Next-1)}
	case errors.As(err, &tool):
		return &problem{code: "unknown_tool", message: "this agent has no tool of this name", available: append([]string{}, tool.Available...)}
	case errors.As(err, &schedule):
		return &problem{code: "unknown_schedule", message: "this agent has no schedule of this name", available: append([]string{}, schedule.Available...)}
	case errors.As(err, &failed):
		return &problem{code: "schedule_failed", message: failed.Error()}
	case errors.As(err, &refused):
		return &problem{code: "authorization_failed", message: refused.Error()}
	case errors.As(err, &taken):
		return &problem{code: "session_busy", message: "this conversation is that of session " + taken.SessionID}
	}
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return &problem{code: c.code, message: c.message}
		}
	}
	return nil
}

// problemOfRequest is that of a channel's request which does not fit its schema.
func problemOfRequest(e *agent.RequestError) *problem {
	code := "invalid_body"
	if e.Where == "query" {
		code = "invalid_query"
	}
	message := "it does not fit the schema of this route"
	if len(e.Issues) > 0 {
		message = sentence(e.Issues[0])
	}
	return &problem{code: code, message: message, issues: append([]agent.Issue{}, e.Issues...)}
}

type errorReply struct {
	OK        bool          `json:"ok"`
	Error     string        `json:"error"`
	Message   string        `json:"message,omitempty"`
	Issues    []agent.Issue `json:"issues,omitzero"`
	Available []string      `json:"available,omitzero"`
	RequestID string        `json:"requestId,omitempty"`
}

// fail answers with an error. Where a reply had begun it cuts the connection.
func (c *call) fail(err error) {
	p := problemOf(err)
	if p == nil {
		p = &problem{code: "internal"}
	}
	status := statuses[p.code]
	body := errorReply{Error: p.code, Message: p.message, Issues: p.issues, Available: p.available}
	if status == http.StatusInternalServerError {
		body.RequestID = requestID()
		line := placed(c.h.o.Logger.Error(), err)
		var fault *actors.PanicError
		if errors.As(err, &fault) {
			line = line.Bytes("stack", fault.Stack)
		}
		line.Err(err).Str("request", body.RequestID).Str("method", c.r.Method).Str("path", c.r.URL.Path).Msg("request failed")
	}
	if c.sent {
		abort()
	}
	c.errorHeaders(status)
	if err := c.reply(status, body); err != nil {
		abort()
	}
}

// placed adds to a line of the log where in the author's code an error comes from.
func placed(line *zerolog.Event, err error) *zerolog.Event {
	var at interface{ Place() string }
	if errors.As(err, &at) && at.Place() != "" {
		line = line.Str("place", at.Place())
	}
	return line
}

// errorHeaders adds what an error's status asks for.
func (c *call) errorHeaders(status int) {
	h := c.w.Header()
	switch status {
	case http.StatusUnauthorized:
		h["Www-Authenticate"] = c.chain().challenges
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", strconv.Itoa(1))
	}
}

func requestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return "req_" + hex.EncodeToString(b[:])
}
