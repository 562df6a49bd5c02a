package script

import (
	"context"
	"encoding/json"

	"github.com/gobdk/bdk/actors/agent"
)

// CallHook gives an event, a line of the log, to the handler that a hook has for
// the key, an event type or "*". The handler sees it deeply frozen; hooks of one
// event in one VM see the same object. What the handler throws is *Error.
func (r *Runtime) CallHook(ctx context.Context, module, key string, line json.RawMessage, c *agent.Call) error {
	_, err := r.run(ctx, c, "hook:"+key, module, string(line))
	return err
}

// ParseValue holds a value against the schema at a path of a module's default
// export, and gives what the schema makes of it. A value that does not fit gives
// *agent.InputError.
func (r *Runtime) ParseValue(ctx context.Context, module string, path []string, value json.RawMessage, c *agent.Call) (json.RawMessage, error) {
	if err := CheckNumbers(value); err != nil {
		return nil, err
	}
	at, err := json.Marshal(path)
	if err != nil {
		return nil, err
	}
	return r.run(ctx, c, "parse:"+string(at), module, string(value))
}
