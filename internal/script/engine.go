package script

import (
	"errors"
	"reflect"
	"sync/atomic"
	"time"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// The engine's Go wrapper lacks two things that a host needs: word of rejected
// promises, and a way to stop a loop of promise jobs. Both are on the C side, so
// this file reads the wrapper's handles by reflection. The wrapper's version is
// pinned, and tests hold that it works.

// handlesOfEngine reads the C side's thread, runtime and context out of the wrapper.
func (v *vm) handlesOfEngine() (tls *libc.TLS, runtime, context uintptr, ok bool) {
	defer func() { ok = ok && recover() == nil }()
	state := reflect.ValueOf(v.js).Elem().FieldByName("state")
	rt := state.FieldByName("runtime").Elem()
	runtime = uintptr(rt.FieldByName("cRuntime").Uint())
	context = uintptr(state.FieldByName("cContext").Uint())
	tls = (*libc.TLS)(rt.FieldByName("tls").UnsafePointer())
	return tls, runtime, context, runtime != 0 && context != 0 && tls != nil
}

// killJob runs the next promise job with an interrupt that it cannot miss: in a loop
// of tiny jobs one might never land inside a job, so the engine is made to look at once.
// After a whole slice of such a loop nobody else's jobs are left in the queue.
func (v *vm) killJob() {
	tls, runtime, context, ok := v.handlesOfEngine()
	if !ok {
		return
	}
	failed := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(context)))
	if failed == 0 {
		return
	}
	defer libc.Xfree(tls, failed)
	v.js.Interrupt()
	(**(**looks)(unsafe.Pointer(&v.looks))).seen = looksFull               // the next look is the last
	(*(**lib.TJSContext)(unsafe.Pointer(&context))).Finterrupt_counter = 2 // 1 would stop at the door of the job, before its async function is entered
	if lib.XJS_ExecutePendingJob(tls, runtime, failed) < 0 {
		lib.XFreeValue(tls, context, lib.XJS_GetException(tls, context))
	}
}

// The engine looks for an interrupt once in ten thousand steps, which is hours where
// each step is a slow built-in. Ours looks once in lookEvery steps; once it has seen
// an interrupt it looks at each, and takes it after a step that took slowLook, or when
// ten thousand have passed after all: in a loop of tiny promise jobs an early one would
// stop a job at its door, before its function is entered, and leave its promise open.
const (
	lookEvery = 8
	looksFull = 10_000
	slowLook  = 2 * time.Millisecond
)

// looks is what the interrupt handler is given, in memory of the C side: where the
// wrapper's flag lies, the context whose counter is to be set, how full the memory was,
// and how often and since when the flag was seen.
type looks struct {
	flag, context uintptr
	// size is where the engine counts its memory, peak the most that was seen there.
	size  uintptr
	peak  uint64
	seen  int64
	since int64 // nanoseconds from started
}

var started = time.Now()

// lookOften puts an interrupt handler of ours in the place of the wrapper's. It
// reads the same flag, and makes the engine look again soon.
func (v *vm) lookOften() error {
	tls, runtime, context, ok := v.handlesOfEngine()
	flag := reflect.ValueOf(v.js).Elem().FieldByName("state").FieldByName("interruptData")
	if !ok || flag.Kind() != reflect.Uintptr || flag.Uint() == 0 {
		return errors.New("reading the engine's handles: its Go wrapper has another layout")
	}
	v.looks = libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(looks{})))
	if v.looks == 0 {
		return errors.New("the engine has no memory")
	}
	**(**looks)(unsafe.Pointer(&v.looks)) = looks{
		flag: uintptr(flag.Uint()), context: context,
		size: uintptr(unsafe.Pointer(&(*(**lib.TJSRuntime)(unsafe.Pointer(&runtime))).Fmalloc_ctx.Fmalloc_state.Fmalloc_size)),
	}
	lib.XJS_SetInterruptHandler(tls, runtime, funcPointer(lookForInterrupt), v.looks)
	(*(**lib.TJSContext)(unsafe.Pointer(&context))).Finterrupt_counter = lookEvery
	return nil
}

// wasFull says that the memory has been as good as used up. The peak is seen between
// two steps, so it is a little less than it was.
func (v *vm) wasFull() bool {
	if v.looks == 0 {
		return false
	}
	return (**(**looks)(unsafe.Pointer(&v.looks))).peak > uint64(v.o.MemoryLimit)/16*15
}

// lookNoMore takes the handler back before the engine is freed.
func (v *vm) lookNoMore() {
	tls, runtime, _, ok := v.handlesOfEngine()
	if !ok || v.looks == 0 {
		return
	}
	lib.XJS_SetInterruptHandler(tls, runtime, 0, 0)
	libc.Xfree(tls, v.looks)
	v.looks = 0
}

// lookForInterrupt runs inside the engine, on the loop's goroutine.
func lookForInterrupt(_ *libc.TLS, _, opaque uintptr) int32 {
	l := *(**looks)(unsafe.Pointer(&opaque))
	counter := &(*(**lib.TJSContext)(unsafe.Pointer(&l.context))).Finterrupt_counter
	*counter = lookEvery
	l.peak = max(l.peak, uint64(**(**lib.Tsize_t)(unsafe.Pointer(&l.size))))
	if atomic.LoadInt32(*(**int32)(unsafe.Pointer(&l.flag))) == 0 {
		l.seen = 0
		return 0
	}
	now := int64(time.Since(started))
	slow := l.seen > 0 && now-l.since > int64(slowLook)
	l.since = now
	if l.seen++; slow || l.seen >= looksFull {
		l.seen = 0
		return 1
	}
	*counter = 1
	return 0
}

// funcPointer gives a Go function as the C pointer that transpiled code calls.
func funcPointer(f any) uintptr {
	return (*[2]uintptr)(unsafe.Pointer(&f))[1]
}
