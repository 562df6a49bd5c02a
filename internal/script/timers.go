package script

import (
	"container/heap"
	"time"
)

// timers are the pending timers of one VM, used on its loop only. One Go timer
// serves them all, so that timers of the same instant fire in the order in
// which they were set.
type timers struct {
	heap  timerHeap
	alive map[int]bool
	seq   int
	timer *time.Timer
	// now is the start of the running turn: what one turn sets is ordered by its
	// delays alone, however long the turn takes.
	now time.Time
}

type timer struct {
	at  time.Time
	seq int
	id  int
	// owner is the call whose turn set it.
	owner *call
}

func newTimers() *timers {
	t := &timers{alive: map[int]bool{}, timer: time.NewTimer(time.Hour)}
	t.timer.Stop()
	return t
}

// set arms a timer of the given id.
func (t *timers) set(id int, after time.Duration, owner *call) {
	t.seq++
	t.alive[id] = true
	heap.Push(&t.heap, timer{at: t.now.Add(after), seq: t.seq, id: id, owner: owner})
	t.arm()
}

// clear forgets a timer; its entry in the heap is dropped when it comes up.
func (t *timers) clear(id int) { delete(t.alive, id) }

// due gives the next timer whose instant has come, if there is one.
func (t *timers) due(now time.Time) (next timer, ok bool) {
	for len(t.heap) > 0 && !t.heap[0].at.After(now) {
		next = heap.Pop(&t.heap).(timer)
		if t.alive[next.id] {
			delete(t.alive, next.id)
			return next, true
		}
	}
	return timer{}, false
}

// arm sets the Go timer to the first entry.
func (t *timers) arm() {
	if len(t.heap) > 0 {
		t.timer.Reset(time.Until(t.heap[0].at))
	}
}

// timerHeap orders timers by instant, then by the order of their setting.
type timerHeap []timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].seq < h[j].seq
	}
	return h[i].at.Before(h[j].at)
}
func (h timerHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *timerHeap) Push(x any)   { *h = append(*h, x.(timer)) }
func (h *timerHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

// timerOps are what timers.js asks for.
func timerOps(o *ops) {
	o.sync("timer.set", func(v *vm, a args) (any, error) {
		v.timers.set(a.integer(0), time.Duration(a.number(1)*float64(time.Millisecond)), v.behalf.Load())
		return nil, nil
	})
	o.sync("timer.clear", func(v *vm, a args) (any, error) {
		v.timers.clear(a.integer(0))
		return nil, nil
	})
}
