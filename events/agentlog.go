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

// DeliveryReceived is a request that a channel acknowledged before handling it.
type DeliveryReceived struct {
	ReceiptID  string              `json:"receiptId"`
	ChannelID  string              `json:"channelId"`
	DeliveryID string              `json:"deliveryId,omitempty"`
	Method     string              `json:"method"`
	Path       string              `json:"path"`
	Headers    map[string][]string `json:"headers"`
	Body       BodyRef             `json:"body"`
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
