package projects

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
)

// A memory is key-value storage that ends with the test.
type memory struct {
	mu      sync.Mutex
	entries map[string]agent.KVEntry
}

var _ agent.KV = (*memory)(nil)

func newMemory() *memory { return &memory{entries: map[string]agent.KVEntry{}} }

func (m *memory) Get(_ context.Context, key string) (agent.KVEntry, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.entries[key]
	return e, ok, nil
}

func (m *memory) Put(_ context.Context, key string, value json.RawMessage, o agent.PutOptions) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[key]
	if o.IfVersion != nil && *o.IfVersion != e.Version {
		return 0, agent.ErrVersionConflict
	}
	m.entries[key] = agent.KVEntry{Key: key, Value: value, Version: e.Version + 1}
	return e.Version + 1, nil
}

func (m *memory) Delete(_ context.Context, key string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.entries[key]
	delete(m.entries, key)
	return ok, nil
}

func (m *memory) List(_ context.Context, o agent.ListOptions) ([]agent.KVEntry, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []agent.KVEntry
	for key, e := range m.entries {
		if strings.HasPrefix(key, o.Prefix) && key > o.Cursor {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b agent.KVEntry) int { return strings.Compare(a.Key, b.Key) })
	limit := o.Limit
	if limit == 0 {
		limit = 100
	}
	if len(found) > limit {
		return found[:limit], found[limit-1].Key, nil
	}
	return found, "", nil
}
