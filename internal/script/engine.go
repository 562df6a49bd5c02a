package script

import (
	"reflect"
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

// killJob runs the next promise job with an interrupt that it cannot miss. The
// engine looks for interrupts once in ten thousand steps, so in a loop of tiny
// jobs one never lands inside a job; here the engine is made to look at once.
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
	(*(**lib.TJSContext)(unsafe.Pointer(&context))).Finterrupt_counter = 2 // 1 would stop at the door of the job, before its async function is entered
	if lib.XJS_ExecutePendingJob(tls, runtime, failed) < 0 {
		lib.XFreeValue(tls, context, lib.XJS_GetException(tls, context))
	}
}

// funcPointer gives a Go function as the C pointer that transpiled code calls.
func funcPointer(f any) uintptr {
	return (*[2]uintptr)(unsafe.Pointer(&f))[1]
}
