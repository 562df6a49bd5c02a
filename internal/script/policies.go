package script

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A Policy is one entry of a definition's auth, as its author wrote it.
type Policy struct {
	// Kind is what made it, such as "bearer", "function" for a function, and empty for
	// what is no policy.
	Kind string `json:"kind"`
	// Args are the arguments of what made it. They hold secrets: show none of them.
	Args []json.RawMessage `json:"args"`
}

// Policies gives the auth of a module's definition. Loaded.Spec holds no more than
// the kinds.
func (r *Runtime) Policies(ctx context.Context, module string) ([]Policy, error) {
	raw, err := r.run(ctx, &agent.Call{}, "policies", module, "")
	if err != nil {
		return nil, err
	}
	var list []Policy
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("reading the policies of %s: %w", module, err)
	}
	return list, nil
}

// Judge asks the function at a place of a definition's auth: nil for a request that
// it does not admit. What it throws is *Error.
func (r *Runtime) Judge(ctx context.Context, module string, index int, q *agent.Request) (*events.Principal, error) {
	text, err := json.Marshal(describeRequest(q))
	if err != nil {
		return nil, fmt.Errorf("describing the request: %w", err)
	}
	raw, err := r.run(ctx, &agent.Call{Request: q}, "judge:"+strconv.Itoa(index), module, string(text))
	if err != nil {
		return nil, err
	}
	var who *events.Principal
	if err := json.Unmarshal(raw, &who); err != nil {
		return nil, fmt.Errorf("reading the principal: %w", err)
	}
	return who, nil
}
