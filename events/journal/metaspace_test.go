package journal

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// batch changes the space in one batch, and reads it through the batch.
func (r *metaRun) batch() {
	s := r.j.Space("meta")
	b := s.NewBatch()
	defer b.Close()
	want := maps.Clone(r.space)
	for range 1 + r.rng.IntN(10) {
		key := fmt.Sprint("key", r.rng.IntN(20))
		switch r.rng.IntN(12) {
		case 0:
			b.Clear()
			want = map[string]string{}
		case 1, 2:
			b.Delete([]byte(key))
			delete(want, key)
		default:
			r.texts++
			b.Set([]byte(key), fmt.Append(nil, r.texts))
			want[key] = fmt.Sprint(r.texts)
		}
		v, ok, err := b.Get([]byte(key))
		if w, there := want[key]; err != nil || ok != there || string(v) != w {
			r.t.Errorf("in the batch %s is %q, %v, %v; want %q, %v", key, v, ok, err, w, there)
		}
	}
	if r.rng.IntN(5) == 0 {
		return // dropped
	}
	if err := b.Commit(r.rng.IntN(2) == 0); err != nil {
		r.t.Error(err)
	}
	r.space = want
	r.checkSpace()
}

// checkSpace compares the whole space, both ways, and one part of it.
func (r *metaRun) checkSpace() {
	s := r.j.Space("meta")
	keys := slices.Sorted(maps.Keys(r.space))
	from := fmt.Sprint("key", r.rng.IntN(20))
	to := fmt.Sprint("key", r.rng.IntN(20))
	for _, down := range []bool{false, true} {
		r.sameKVs(s, nil, nil, down, keys)
		part := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k < from || k >= to })
		r.sameKVs(s, []byte(from), []byte(to), down, part)
	}
	for _, k := range keys {
		if v, ok, err := s.Get([]byte(k)); err != nil || !ok || string(v) != r.space[k] {
			r.t.Errorf("%s is %q, %v, %v; want %q", k, v, ok, err, r.space[k])
		}
	}
}

func (r *metaRun) sameKVs(s *Space, from, to []byte, down bool, want []string) {
	r.t.Helper()
	var got []string
	for kv, err := range s.Scan(from, to, down) {
		if err != nil || !bytes.Equal(kv.Value, []byte(r.space[string(kv.Key)])) {
			r.t.Errorf("%s is %q, %v", kv.Key, kv.Value, err)
		}
		got = append(got, string(kv.Key))
	}
	if down {
		slices.Reverse(got)
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("a scan from %q to %q gave %q, want %q", from, to, got, want)
	}
}

// readSpace takes over what a crash left of the space: batches without a sync may be lost.
func (r *metaRun) readSpace() {
	r.space = map[string]string{}
	for kv, err := range r.j.Space("meta").Scan(nil, nil, false) {
		if err != nil {
			r.t.Error(err)
		}
		r.space[string(kv.Key)] = string(kv.Value)
	}
}
