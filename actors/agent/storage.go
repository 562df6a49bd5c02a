package agent

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// ErrVersionConflict is what KV.Put returns when IfVersion does not hold.
var ErrVersionConflict = errors.New("kv: the value has another version")

// A KV is the key-value store of one agent, shared by its sessions. Every write
// is on disk before it returns. Keys have 1 to 512 bytes, values up to 1 MiB.
type KV interface {
	// Get gives found=false for a key that is absent or expired.
	Get(ctx context.Context, key string) (entry KVEntry, found bool, err error)
	Put(ctx context.Context, key string, value json.RawMessage, o PutOptions) (version int64, err error)
	// Delete says whether there was something to delete.
	Delete(ctx context.Context, key string) (bool, error)
	// List gives entries in the order of their keys, and a cursor when there are more.
	List(ctx context.Context, o ListOptions) (entries []KVEntry, cursor string, err error)
}

// A KVEntry is one key with its value.
type KVEntry struct {
	Key     string          `json:"key"`
	Value   json.RawMessage `json:"value"`
	Version int64           `json:"version"`
}

// PutOptions narrows a Put.
type PutOptions struct {
	// TTL after which the key is absent; 0: never.
	TTL time.Duration
	// IfVersion makes the put a compare-and-set: the version that the key must
	// have, 0 for "must be absent". Nil: no check.
	IfVersion *int64
}

// ListOptions selects entries. Limit defaults to 100 and is at most 1000.
type ListOptions struct {
	Prefix string
	Limit  int
	Cursor string
}

// A FileScope says whose files are meant.
type FileScope struct {
	// Session is the session's id; empty means the deployment's files.
	Session string
}

// Files is durable file storage outside the workspace. Paths follow the rules of
// workspace files; writes are on disk before they return.
type Files interface {
	Write(ctx context.Context, scope FileScope, path string, content []byte) error
	// Append adds one record, whole or not at all.
	Append(ctx context.Context, scope FileScope, path string, text []byte) error
	// Read fails with fs.ErrNotExist for an unknown path.
	Read(ctx context.Context, scope FileScope, path string) ([]byte, error)
	Exists(ctx context.Context, scope FileScope, path string) (bool, error)
	Delete(ctx context.Context, scope FileScope, path string) (bool, error)
	// List gives the paths under a prefix, sorted.
	List(ctx context.Context, scope FileScope, prefix string) ([]string, error)
}
