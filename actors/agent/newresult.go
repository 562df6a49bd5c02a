package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/internal/schema"
)

// ResultOptions says what holds for a rule of NewResult. The zero value takes every
// reply that fits the schema.
type ResultOptions[T any] struct {
	// Schema replaces the one that is derived from T.
	Schema json.RawMessage
	// MaxRepairs is as in ResultRule.
	MaxRepairs int
	// Resolve judges a value that fits; nil: it is the result as it is. It may run
	// again for the same reply after a crash.
	Resolve func(ctx context.Context, value T, r *Reply, c *Call) (Verdict, error)
}

// NewResult makes a rule for replies that are JSON, bare or in a fence. A reply that
// does not fit goes back to the model with the paths of what is wrong.
func NewResult[T any](o *ResultOptions[T]) (*ResultRule, error) {
	if o == nil {
		o = &ResultOptions[T]{}
	}
	raw, err := derive[T](o.Schema)
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	compiled, err := schema.Compile(raw)
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	f := &typedResult[T]{schema: compiled, raw: raw, resolve: o.Resolve}
	return &ResultRule{Schema: raw, MaxRepairs: o.MaxRepairs, Resolve: f.judge}, nil
}

// A typedResult judges replies by a schema, then by the author's function.
type typedResult[T any] struct {
	schema  *schema.Schema
	raw     json.RawMessage
	resolve func(ctx context.Context, value T, r *Reply, c *Call) (Verdict, error)
}

func (f *typedResult[T]) judge(ctx context.Context, r *Reply, c *Call) (Verdict, error) {
	var value T
	v := JudgeReply(r.Text, f.raw, func(raw json.RawMessage) (json.RawMessage, []Issue) {
		issues := issuesOf(f.schema.Validate(raw))
		if len(issues) > 0 {
			return nil, issues
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			return nil, decodeError(err).Issues
		}
		return raw, nil
	})
	if v.Retry != "" || f.resolve == nil {
		return v, nil
	}
	return f.resolve(ctx, value, r, c)
}

func issuesOf(found []schema.Issue) []Issue {
	issues := make([]Issue, len(found))
	for i, is := range found {
		issues[i] = Issue(is)
	}
	return issues
}
