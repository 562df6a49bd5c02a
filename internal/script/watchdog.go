package script

import (
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/quickjs"
)

// interruptEvery is how soon an interrupted engine is interrupted again while
// the loop is not back: code may catch the first one, or go on behind an await.
const interruptEvery = 10 * time.Millisecond

// hopelessAfter is how long interrupts may fail to bring the loop back before
// the VM is given up.
const hopelessAfter = 2 * time.Second

// A watchdog interrupts a slice, which is what runs between two looks of the
// loop at its queue, when it takes too long.
type watchdog struct {
	js      *quickjs.VM
	slice   time.Duration
	strikes *atomic.Int32

	mu     sync.Mutex
	timer  *time.Timer
	began  time.Time // zero while the loop is idle
	struck bool      // the running slice was interrupted
	hurry  bool      // interrupt the running slice whatever its age
	// firstBark is when it was first interrupted.
	firstBark time.Time
	stopped   bool
	killed    bool // every slice from now on is interrupted
}

func newWatchdog(js *quickjs.VM, slice time.Duration, strikes *atomic.Int32) *watchdog {
	w := &watchdog{js: js, slice: slice, strikes: strikes}
	w.timer = time.AfterFunc(time.Hour, w.bark)
	w.timer.Stop()
	return w
}

// setSlice changes how long a slice may take, from the next one on.
func (w *watchdog) setSlice(slice time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slice = slice
}

// begin starts the watch of a slice and gives the instant of its start.
func (w *watchdog) begin() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began, w.struck, w.hurry = time.Now(), false, false
	if w.killed {
		w.timer.Reset(interruptEvery)
		return w.began
	}
	w.timer.Reset(w.slice)
	return w.began
}

// age is how long the running slice has taken, 0 for none.
func (w *watchdog) age() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() {
		return 0
	}
	return time.Since(w.began)
}

// barked says that the running slice was interrupted.
func (w *watchdog) barked() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.struck
}

// hopeless says that interrupts have not brought the loop back for long.
func (w *watchdog) hopeless() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.struck && time.Since(w.firstBark) > hopelessAfter
}

// end stops it: the loop is back.
func (w *watchdog) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began = time.Time{}
	w.timer.Stop()
}

// strike interrupts the running slice now, if there is one.
func (w *watchdog) strike() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() || w.stopped {
		return
	}
	w.hurry = true
	w.timer.Reset(0)
}

// kill interrupts the running slice and every later one: the VM is closing.
func (w *watchdog) kill() {
	w.mu.Lock()
	w.killed = true
	w.mu.Unlock()
	w.strike()
}

// closing says whether the VM is being closed.
func (w *watchdog) closing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.killed
}

// stop ends the watchdog for good; the engine may be freed afterwards.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	w.timer.Stop()
}

// bark runs on a timer's goroutine. Under the lock the slice cannot end, so an
// interrupt never meets the slice after the one that it is meant for.
func (w *watchdog) bark() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped || w.began.IsZero() {
		return
	}
	if !w.hurry && !w.killed && time.Since(w.began) < w.slice {
		return
	}
	if !w.struck {
		w.struck, w.firstBark = true, time.Now()
		w.strikes.Add(1)
	}
	w.js.Interrupt()
	w.timer.Reset(interruptEvery)
}
