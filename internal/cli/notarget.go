package cli

import (
	"context"
	"encoding/json"

	"github.com/gobdk/bdk/internal/eval"
)

// noTarget is where cases of an agent go that went away: each fails with the error.
type noTarget struct{ err error }

var _ eval.Session = noTarget{}

// Open gives a session that cannot be used.
func (n noTarget) Open(eval.OpenOptions) eval.Session { return n }

// Send fails.
func (n noTarget) Send(context.Context, string, eval.SendOptions) (*eval.Turn, error) {
	return nil, n.err
}

// Decide fails.
func (n noTarget) Decide(context.Context, string, bool, string) (*eval.Turn, error) {
	return nil, n.err
}

// Judge fails.
func (n noTarget) Judge(context.Context, string, json.RawMessage) (*eval.Judgement, error) {
	return nil, n.err
}

// Close does nothing.
func (n noTarget) Close(context.Context) error { return nil }

// Events are none.
func (n noTarget) Events() ([]json.RawMessage, error) { return nil, nil }

// Spent is nothing.
func (n noTarget) Spent() eval.Spent { return eval.Spent{} }
