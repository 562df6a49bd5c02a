package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// kvOps serve ctx.host.kv.
func kvOps(o *ops) {
	o.async("kv.get", kvWork(kvGet))
	o.async("kv.put", kvWork(kvPut))
	o.async("kv.delete", kvWork(func(ctx context.Context, kv agent.KV, a args) (any, error) {
		return kv.Delete(ctx, a.text(0))
	}))
	o.async("kv.list", kvWork(kvList))
}

// kvWork binds a function to the store of its call.
func kvWork(f func(ctx context.Context, kv agent.KV, a args) (any, error)) asyncOp {
	return func(v *vm, a args) (work, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.KV == nil {
			return nil, errors.New("ctx.host.kv is not available: this call has no store")
		}
		return func(ctx context.Context) (any, error) {
			result, err := f(ctx, c.call.KV, a[1:])
			if errors.Is(err, agent.ErrVersionConflict) {
				return nil, &hostError{Name: "Error", Message: err.Error(), Code: "version_conflict"}
			}
			return result, err
		}, nil
	}
}

func kvGet(ctx context.Context, kv agent.KV, a args) (any, error) {
	entry, found, err := kv.Get(ctx, a.text(0))
	if err != nil {
		return nil, err
	}
	if !found {
		return "{}", nil
	}
	return asJSON(struct {
		Value   json.RawMessage `json:"value"`
		Version int64           `json:"version"`
	}{entry.Value, entry.Version})
}

func kvPut(ctx context.Context, kv agent.KV, a args) (any, error) {
	var o struct {
		TTLSeconds *float64 `json:"ttlSeconds"`
		IfVersion  *int64   `json:"ifVersion"`
	}
	if err := a.into(2, &o); err != nil {
		return nil, err // kv.js checks the options
	}
	put := agent.PutOptions{IfVersion: o.IfVersion}
	if o.TTLSeconds != nil {
		put.TTL = time.Duration(*o.TTLSeconds * float64(time.Second))
	}
	version, err := kv.Put(ctx, a.text(0), json.RawMessage(a.text(1)), put)
	if err != nil {
		return nil, err
	}
	return fmt.Sprintf(`{"version":%d}`, version), nil
}

func kvList(ctx context.Context, kv agent.KV, a args) (any, error) {
	var o struct {
		Prefix string `json:"prefix"`
		Limit  int    `json:"limit"`
		Cursor string `json:"cursor"`
	}
	if err := a.into(0, &o); err != nil {
		return nil, err // kv.js checks the options
	}
	entries, cursor, err := kv.List(ctx, agent.ListOptions{Prefix: o.Prefix, Limit: o.Limit, Cursor: o.Cursor})
	if err != nil {
		return nil, err
	}
	if entries == nil {
		entries = []agent.KVEntry{}
	}
	return asJSON(struct {
		Entries []agent.KVEntry `json:"entries"`
		Cursor  string          `json:"cursor,omitempty"`
	}{entries, cursor})
}
