package eval

import "sync"

// A lane calls functions one after the other on a goroutine of its own, so that whoever
// puts one in does not wait for it. It is to be drained once it is open.
type lane struct {
	mu     sync.Mutex
	queue  []func()
	closed bool

	more chan struct{} // one at most: there is something to do
	done chan struct{}
}

func (l *lane) open() {
	l.more, l.done = make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(l.done)
		for range l.more {
			for f, ok := l.next(); ok; f, ok = l.next() {
				f()
			}
		}
	}()
}

func (l *lane) next() (func(), bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		return nil, false
	}
	f := l.queue[0]
	l.queue = l.queue[1:]
	return f, true
}

// put adds a function, which must not panic. It comes before drain.
func (l *lane) put(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// drain waits until everything that was put in has returned, and ends the lane.
func (l *lane) drain() {
	l.mu.Lock()
	closed := l.closed
	l.closed = true
	l.mu.Unlock()
	if !closed {
		close(l.more) // what it holds is still received
	}
	<-l.done
}
