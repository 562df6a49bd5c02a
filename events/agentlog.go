package events

import "time"

// ScheduleFired says that a schedule's instant came and what it opened.
type ScheduleFired struct {
	ID         string    `json:"id"`
	Instant    time.Time `json:"instant"`
	SessionIDs []string  `json:"sessionIds"`
}

// ScheduleSkipped says that an instant passed unused.
type ScheduleSkipped struct {
	ID      string    `json:"id"`
	Instant time.Time `json:"instant"`
	Reason  string    `json:"reason"`
}

// ScheduleFailed says that a firing did not work.
type ScheduleFailed struct {
	ID      string    `json:"id"`
	Instant time.Time `json:"instant"`
	Message string    `json:"message"`
}

// A BodyRef names bytes in the content store.
type BodyRef struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// DeliveryReceived is a request that a channel acknowledged before handling it: all
// that its handler needs. Path is with the query; Headers are without those that prove
// who calls.
type DeliveryReceived struct {
	ReceiptID  string              `json:"receiptId"`
	ChannelID  string              `json:"channelId"`
	DeliveryID string              `json:"deliveryId,omitempty"`
	Method     string              `json:"method"`
	Path       string              `json:"path"`
	Headers    map[string][]string `json:"headers"`
	Body       BodyRef             `json:"body"`
	// Principal is who called, Origin the scheme and host that were called.
	Principal *Principal `json:"principal,omitempty"`
	Origin    string     `json:"origin,omitempty"`
	// Route is the path of the channel's route, Params what its parameters were.
	Route  string            `json:"route,omitempty"`
	Params map[string]string `json:"params,omitempty"`
}

// DeliveryHandled says that its handler ended.
type DeliveryHandled struct {
	ReceiptID string `json:"receiptId"`
	IsError   bool   `json:"isError"`
	Message   string `json:"message,omitempty"`
}

// ToolCalled is a direct call that is bound to no session.
type ToolCalled struct {
	CallID      string       `json:"callId"`
	ToolName    string       `json:"toolName"`
	Args        RawJSON      `json:"args,omitempty"`
	Effect      string       `json:"effect"`
	Idempotent  bool         `json:"idempotent,omitempty"`
	Principal   Principal    `json:"principal"`
	Idempotency *Idempotency `json:"idempotency,omitempty"`
}

// ToolResult answers a ToolCalled.
type ToolResult struct {
	CallID   string  `json:"callId"`
	ToolName string  `json:"toolName"`
	Output   RawJSON `json:"output,omitempty"`
	IsError  bool    `json:"isError"`
	Code     string  `json:"code,omitempty"`
}
