package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// Bounds of one page of List.
const (
	defaultPage = 100
	maxPage     = 1000
	maxPageSize = 8 << 20 // of the values together, beyond the first
)

// List gives entries in the byte order of their keys. A cursor is good for the same
// prefix, also after a restart; what is written between two pages may or may not show.
func (s *kv) List(ctx context.Context, o agent.ListOptions) ([]agent.KVEntry, string, error) {
	if o.Limit == 0 {
		o.Limit = defaultPage
	}
	if o.Limit < 1 || o.Limit > maxPage {
		return nil, "", fmt.Errorf("kv: a list has a limit of 1 to %d, not %d", maxPage, o.Limit)
	}
	from, err := listFrom(o)
	if err != nil {
		return nil, "", err
	}
	for i := range s.locks {
		s.locks[i].RLock()
		defer s.locks[i].RUnlock()
	}
	return s.page(ctx, from, o)
}

// listFrom is the first row of the page.
func listFrom(o agent.ListOptions) ([]byte, error) {
	if o.Cursor == "" {
		return pairKey(o.Prefix), nil
	}
	last, err := base64.RawURLEncoding.DecodeString(o.Cursor)
	if err != nil || !strings.HasPrefix(string(last), o.Prefix) {
		return nil, fmt.Errorf("kv: the cursor is not one of a list with the prefix %.80q", o.Prefix)
	}
	return append(pairKey(string(last)), 0), nil
}

// page reads one page from a row on. The caller holds every lock.
func (s *kv) page(ctx context.Context, from []byte, o agent.ListOptions) ([]agent.KVEntry, string, error) {
	now := s.clock.Now()
	entries, size := []agent.KVEntry{}, 0
	for row, err := range s.space.Scan(from, []byte{'p' + 1}, false) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, "", wrap("listing", o.Prefix, err)
		}
		key := string(row.Key[1:])
		if !strings.HasPrefix(key, o.Prefix) {
			break
		}
		r, err := decodeRecord(row.Value)
		if err != nil {
			return nil, "", wrap("listing", key, err)
		}
		if r.expired(now) {
			continue
		}
		if len(entries) == o.Limit || len(entries) > 0 && size+len(r.value) > maxPageSize {
			return entries, base64.RawURLEncoding.EncodeToString([]byte(entries[len(entries)-1].Key)), nil
		}
		size += len(r.value)
		entries = append(entries, agent.KVEntry{Key: key, Value: r.value, Version: r.version})
	}
	return entries, "", nil
}

// sweepMax is how many expired pairs one Put clears away, so that they do not pile up.
const sweepMax = 8

// sweep removes some pairs that have expired. It is not synced and its errors are
// left alone: an expired pair that is still there is absent all the same.
func (s *kv) sweep(now time.Time) {
	var rows [][]byte
	for row, err := range s.space.Scan([]byte{'d'}, deadlineKey(now, ""), false) {
		if err != nil || len(rows) == sweepMax {
			break
		}
		rows = append(rows, row.Key)
	}
	for _, row := range rows {
		s.clear(row)
	}
}

// clear removes a row of the index of deadlines, and its pair where it still has
// that deadline.
func (s *kv) clear(row []byte) {
	at, key, ok := splitDeadline(row)
	if !ok {
		return
	}
	l := s.lock(key)
	l.Lock()
	defer l.Unlock()
	r, there, err := s.read(key)
	if err != nil {
		return
	}
	b := s.space.NewBatch()
	defer b.Close()
	b.Delete(row)
	if there && r.expires.Equal(at) {
		b.Delete(pairKey(key))
	}
	_ = b.Commit(false)
}
