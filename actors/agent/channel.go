package agent

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/gobdk/bdk/events"
)

// How a message meets a session that has an open turn.
const (
	AdmissionQueue     = "queue"     // its turn follows, the default
	AdmissionInterrupt = "interrupt" // it ends the open turn
	AdmissionCoalesce  = "coalesce"  // it joins the newest turn that waits; without one it queues
	AdmissionReject    = "reject"    // it is refused with ErrBusy
)

// A Channel connects a surface, such as a webhook or a chat platform, to sessions.
// Its routes are mounted at /v1/channels/<ID><Path>.
type Channel struct {
	// ID matches [A-Za-z0-9][A-Za-z0-9_-]*, or is <ns>__<id> of an extension.
	ID          string
	Description string
	// Source is "project" or "extension:<ns>".
	Source string
	// Auth are the policies of its routes; nil: the host's own chain. An empty list
	// that is not nil admits nobody.
	Auth   []AuthPolicy
	Routes []*Route
	// Admission is what Sends that name none use. Defaults to AdmissionQueue.
	Admission string
	// Acknowledge makes every route answer 202 once the request is durable, and
	// handles it after that.
	Acknowledge bool
	// Approvals says that somebody can approve calls of its sessions. Otherwise they
	// are denied at once.
	Approvals bool
	// State is what a session's channel state begins as; nil: null.
	State json.RawMessage
	// On maps event types, or AnyEvent, to handlers that deliver: for the sessions that
	// the channel owns, in order, at least once; for each event the handler of its type
	// before that of AnyEvent. Neither is given channel.updated: that is what the
	// channel itself did.
	On map[string]DeliverFunc
	// OnStart runs when a host that serves has started, each time; nil: nothing. A fault is logged
	// and shown as a diagnostic.
	OnStart func(ctx context.Context, c *Call) error
	// Manifest gives what the platform is told of the channel when its own path is at
	// url, such as an app's manifest; nil: nothing. Pack names the platform then.
	Manifest func(url string) (json.RawMessage, error)
	Pack     string
	// Secrets are what the channel knows and nobody may read in a log.
	Secrets []string
	// Target makes of a schedule's target where its message goes; nil: the target is
	// {continuationToken?, title?}.
	Target func(target json.RawMessage) (SendOptions, error)
}

// A DeliverFunc handles one event of a session of the channel: Call.Conversation is
// the session's place in the channel, Call.DeliveryID is stable over retries. An
// error is tried again, three times with growing pauses, then logged and skipped.
type DeliverFunc func(ctx context.Context, e *HookEvent, c *Call) error

// A Route is one method on one path of a channel.
type Route struct {
	// Method is GET, POST, PUT, PATCH or DELETE.
	Method string
	// Path begins with a slash; parameters are :name. "/" is the channel's own path.
	Path        string
	Description string
	// BodySchema and QuerySchema are JSON Schema, for whoever reads about the route.
	BodySchema  json.RawMessage
	QuerySchema json.RawMessage
	// Acknowledge replaces the channel's own setting; nil: that holds.
	Acknowledge *bool
	// Acknowledged is the status of the answer to a request that is acknowledged first.
	// Defaults to 202.
	Acknowledged int
	// Verify, when not nil, looks at the raw request before anything is recorded or
	// parsed, such as at its signature. ErrUnauthorized answers 401; a Response that is
	// not nil is the answer, and nothing follows.
	Verify func(ctx context.Context, r *Request) (*Response, error)
	// DeliveryID names the delivery that a request is part of, after Verify, so that an
	// acknowledged one is handled once; nil, or "": every request is its own.
	DeliveryID func(r *Request) string
	// Handle answers Call.Request. A *RequestError is 400, ErrUnauthorized 401, any other
	// error 500 handler_failed with the details in the log alone.
	Handle func(ctx context.Context, c *Call) (*Response, error)
}

// A Request is an HTTP request to a channel, its body whole. It is read-only.
type Request struct {
	Method string
	// URL is absolute, as the caller sent it.
	URL    string
	Header http.Header
	Body   []byte
	// Params are those of the path, Query those of the URL.
	Params map[string]string
	Query  url.Values
	// Principal is who calls; zero while a policy judges.
	Principal events.Principal
	// Remote is the peer's address, "ip:port".
	Remote string
	// Received is the id of its receipt in the agent's log, where it was acknowledged
	// first. Such a request has no Remote, and of its headers those are gone that prove
	// who calls: Authorization, Proxy-Authorization, Cookie, and those of API keys.
	Received string
}

// A Response answers a Request. The zero Status is 200; a handler that gives no
// Response, and no error, is answered 204.
type Response struct {
	Status int
	Header http.Header
	// Body is sent as it comes and closed where it is an io.Closer; nil: none.
	Body io.Reader
}

// A RequestError says that a request's body or query does not fit its schema.
type RequestError struct {
	// Where is "body" or "query".
	Where  string
	Issues []Issue
}

// Error lists the issues in one line.
func (e *RequestError) Error() string { return "invalid " + e.Where + ": " + joinIssues(e.Issues) }

// SendOptions say where and how a message goes. The zero value opens a new conversation.
// Title, Auth, Files, Mode and State are those of the session that the message opens: a
// conversation that is open keeps its own.
type SendOptions struct {
	// ContinuationToken is the channel's own name for the conversation: the same token
	// is the same conversation. Empty: a new one.
	ContinuationToken string
	Title             string
	// Auth owns the session that is opened; zero: the request's principal. A conversation
	// that another principal owns is refused.
	Auth events.Principal
	// Shared lets the message into a conversation whoever owns it, for surfaces where
	// several people write in one place.
	Shared bool
	// Admission defaults to the channel's.
	Admission string
	Files     []SeedFile
	// Mode is events.ModeChat, the default, or events.ModeTask.
	Mode string
	// DeliveryID makes the message once: again within 7 days, also after a restart, it
	// gives the first answer and starts nothing. Empty: each is its own, but for those of
	// a request that was acknowledged first, whose handler may run again.
	DeliveryID string
	// State replaces the state that the channel's sessions begin with; nil: that one.
	State json.RawMessage
}

// A Sent says where a message went.
type Sent struct {
	SessionID         string `json:"id"`
	ContinuationToken string `json:"continuationToken,omitempty"`
	// TurnID is the turn of the message; empty for a session that was found.
	TurnID string `json:"turnId,omitempty"`
}

// Statuses of a Completion.
const (
	CompletionFinished  = "finished"
	CompletionFailed    = "failed"
	CompletionCancelled = "cancelled"
	CompletionParked    = "parked"
)

// A Completion is how a turn ended, or that it is parked.
type Completion struct {
	Status string          `json:"status"`
	Result json.RawMessage `json:"result,omitempty"`
	// ErrorMessage says why there is no result.
	ErrorMessage string `json:"errorMessage,omitempty"`
	// Reply is the text of the turn's reply.
	Reply string `json:"-"`
}

// Sessions opens and finds conversations of one channel. It is safe for concurrent use.
type Sessions interface {
	// Send gives the session of the message when that is on disk. ErrBusy: rejected.
	Send(ctx context.Context, text string, o SendOptions) (Sent, error)
	// Find gives a session of the agent by its id; false when the channel has none.
	Find(ctx context.Context, sessionID string) (Sent, bool, error)
	// Wait returns when the turn has ended or is parked; an empty TurnID means the newest.
	Wait(ctx context.Context, s Sent) (Completion, error)
}

// A Decision approves or denies a call that waits for somebody.
type Decision struct {
	Approve bool
	Reason  string
	By      events.Principal
}

// ErrDecided says that a call was decided before, otherwise, or waits no more.
var ErrDecided = errors.New("agent: the call does not wait for a decision")

// An Approver decides about the calls of a channel's sessions. The Sessions that a
// channel with Approvals is given are one.
type Approver interface {
	// Decide returns when the decision is on disk. The same one again changes nothing;
	// where it can take none, the error is ErrDecided.
	Decide(ctx context.Context, sessionID, callID string, d Decision) error
}

// A Receiver takes a request in as if it had come to a route that acknowledges first,
// and returns when it is on disk. Route.Verify is not asked: the caller knows who sent it.
type Receiver func(ctx context.Context, route *Route, r *Request) error

// A Conversation is a session's place in its channel.
type Conversation interface {
	ContinuationToken() string
	// State is JSON, as it was when the event was delivered or last set by this handler.
	State() json.RawMessage
	// SetState keeps it in the session's log, SetContinuationToken renames the
	// conversation; both return when that is on disk. A token that another session of
	// the channel has is an error.
	SetState(ctx context.Context, state json.RawMessage) error
	SetContinuationToken(ctx context.Context, token string) error
}
