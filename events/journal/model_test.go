package journal

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// A model is what a journal should hold, told in slices.
type model struct {
	all     []placed         // by position
	streams map[string][]int // positions of each stream's events
	marks   map[string]string
	claims  map[string]string
	ends    map[uint64]bool // positions at which an append ends
}

type placed struct {
	stream string
	text   string
	last   bool
}

func newModel() *model {
	return &model{streams: map[string][]int{}, marks: map[string]string{}, claims: map[string]string{}, ends: map[uint64]bool{0: true}}
}

// apply is what a successful append does.
func (m *model) apply(a Append) {
	for i, e := range a.Events {
		m.streams[a.Stream] = append(m.streams[a.Stream], len(m.all))
		m.all = append(m.all, placed{a.Stream, e.Data.(*events.MessageReceived).Text, i == len(a.Events)-1})
	}
	m.ends[uint64(len(m.all))] = true
	switch {
	case a.Mark.Clear:
		delete(m.marks, a.Stream)
	case a.Mark.Set:
		m.marks[a.Stream] = string(a.Mark.Value)
	}
	for _, key := range a.Frees {
		delete(m.claims, key)
	}
	for _, c := range a.Claims {
		m.claims[c.Key] = string(c.Value)
	}
}

// check compares all that a journal holds with the model.
func (m *model) check(t *testing.T, j *Journal) {
	t.Helper()
	if p := j.Position(); p != uint64(len(m.all)) {
		t.Errorf("the position is %d, want %d", p, len(m.all))
	}
	var listed []string
	for s, err := range j.Streams("") {
		if err != nil || s.Head != uint64(len(m.streams[s.ID])) {
			t.Errorf("%s is listed with head %d, %v; want %d", s.ID, s.Head, err, len(m.streams[s.ID]))
		}
		listed = append(listed, s.ID)
	}
	if want := slices.Sorted(maps.Keys(m.streams)); !slices.Equal(listed, want) {
		t.Errorf("the logs are %q, want %q", listed, want)
	}
	for id, positions := range m.streams {
		m.checkRead(t, j, id, 0, uint64(len(positions)))
	}
	m.checkRange(t, j, 0, len(m.all)+1)
	m.checkKeys(t, j)
}

func (m *model) checkKeys(t *testing.T, j *Journal) {
	t.Helper()
	marks := map[string]string{}
	for k, err := range j.Marks() {
		if err != nil {
			t.Error(err)
		}
		marks[k.Stream] = string(k.Value)
	}
	if !maps.Equal(marks, m.marks) {
		t.Errorf("the marks are %q, want %q", marks, m.marks)
	}
	for i := range 10 {
		key := fmt.Sprint("k", i)
		v, ok, err := j.Lookup(t.Context(), key, time.Time{})
		want, held := m.claims[key]
		if err != nil || ok != held || string(v) != want {
			t.Errorf("the holder of %s is %q, %v, %v; want %q, %v", key, v, ok, err, want, held)
		}
	}
}

func (m *model) checkRead(t *testing.T, j *Journal, id string, from, to uint64) {
	t.Helper()
	lines, err := j.Read(id, from, to)
	if err != nil {
		t.Errorf("reading %s [%d, %d): %v", id, from, to, err)
		return
	}
	m.checkLines(t, id, from, to, lines)
	var some []Line
	for at := from; at < to; at = from + uint64(len(some)) {
		next, err := j.ReadSome(id, at, to)
		if err != nil {
			t.Errorf("reading some of %s [%d, %d): %v", id, at, to, err)
			return
		}
		if some = append(some, next...); len(next) == 0 {
			break
		}
	}
	m.checkLines(t, id, from, to, some)
}

func (m *model) checkLines(t *testing.T, id string, from, to uint64, lines []Line) {
	t.Helper()
	positions := m.streams[id]
	from, to = min(from, uint64(len(positions))), min(to, uint64(len(positions)))
	if want := positions[from:max(from, to)]; len(lines) != len(want) {
		t.Errorf("%s [%d, %d) has %d lines, want %d", id, from, to, len(lines), len(want))
		return
	}
	for i, l := range lines {
		e, err := events.Decode(l.Data)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			return
		}
		m.checkEvent(t, positions[from+uint64(i)], from+uint64(i), e)
		if want := m.all[positions[from+uint64(i)]].last; l.Last != want {
			t.Errorf("%s, event %d ends its append: %v", id, from+uint64(i), l.Last)
		}
	}
}

func (m *model) checkRange(t *testing.T, j *Journal, from, n int) {
	t.Helper()
	evs, next, err := j.Range(uint64(from), n)
	want := min(max(n, 0), max(len(m.all)-from, 0))
	if err != nil || len(evs) != want || next != uint64(from+want) {
		t.Errorf("a range of %d from %d gave %d events to %d, %v; want %d", n, from, len(evs), next, err, want)
		return
	}
	for i, e := range evs {
		m.checkEvent(t, from+i, e.Index, e)
	}
}

func (m *model) checkEvent(t *testing.T, position int, index uint64, e *events.Event) {
	t.Helper()
	p := m.all[position]
	if text := e.Data.(*events.MessageReceived).Text; e.SessionID != p.stream || text != p.text || e.Index != index || m.streams[p.stream][index] != position {
		t.Errorf("position %d is event %d of %s, %q; want %+v", position, e.Index, e.SessionID, text, p)
	}
}
