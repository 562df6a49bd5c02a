package script

import "sync"

// A queue hands jobs to a VM's loop. Posting never blocks, so that a host
// function that ended can always report back.
type queue struct {
	mu     sync.Mutex
	jobs   []func()
	closed bool

	// ready has one value while there are jobs that the loop did not see yet.
	ready chan struct{}
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// post adds a job; false when the loop has ended and the job will never run.
func (q *queue) post(job func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.jobs = append(q.jobs, job)
	select {
	case q.ready <- struct{}{}:
	default:
	}
	return true
}

// take gives all waiting jobs, in the order in which they were posted.
func (q *queue) take() []func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	jobs := q.jobs
	q.jobs = nil
	return jobs
}

// close refuses what comes after it.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.jobs = nil
}
