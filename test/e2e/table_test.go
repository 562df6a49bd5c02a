package e2e

import "sync"

// A table is a map that scripts share; they run side by side.
type table[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
}

func newTable[K comparable, V any]() *table[K, V] { return &table[K, V]{m: map[K]V{}} }

func (t *table[K, V]) put(k K, v V) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = v
}

// take removes what is under a key and gives it.
func (t *table[K, V]) take(k K) (V, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, ok := t.m[k]
	delete(t.m, k)
	return v, ok
}
