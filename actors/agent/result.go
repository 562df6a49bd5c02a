package agent

import (
	"context"
	"encoding/json"
)

// DefaultMaxRepairs is how often a rejected reply goes back to the model by default.
const DefaultMaxRepairs = 2

// A ResultRule turns the reply of a turn into its result, or rejects it.
type ResultRule struct {
	// Schema is the JSON Schema of the result, where there is one.
	Schema json.RawMessage
	// MaxRepairs is how often a turn may be told to try again before it fails with
	// result_rejected; negative: never. Defaults to DefaultMaxRepairs.
	MaxRepairs int
	// Resolve judges a reply. It may run again for the same reply after a crash. An
	// error counts as Fail with its message.
	Resolve func(ctx context.Context, r *Reply, c *Call) (Verdict, error)
}

// A Reply is what a turn is about to end with.
type Reply struct {
	Text string
	Turn ReplyTurn
}

// A ReplyTurn is the turn of a Reply.
type ReplyTurn struct {
	ID string `json:"id"`
	// Message is what the user asked.
	Message string `json:"message"`
	// Repairs counts the replies of this turn that were rejected before.
	Repairs int `json:"repairs"`
}

// A Verdict is one of three things: a result, a reason to try again, or a reason to fail.
type Verdict struct {
	Result json.RawMessage
	Retry  string
	Fail   string
	// Advice is told to the model behind Retry: how to do better. It is no part of why
	// a turn fails.
	Advice string
}
