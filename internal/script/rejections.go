package script

import (
	"errors"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// trackers are the VMs by the engine's runtime, for the tracker's callback.
var trackers sync.Map

// trackRejections has the prelude told of every rejection without a handler.
func (v *vm) trackRejections() error {
	tls, runtime, _, ok := v.handlesOfEngine()
	if !ok {
		return errors.New("reading the engine's handles: its Go wrapper has another layout")
	}
	trackers.Store(runtime, v)
	lib.XJS_SetHostPromiseRejectionTracker(tls, runtime, funcPointer(rejectionTracker), runtime)
	return nil
}

func (v *vm) untrackRejections() {
	if _, runtime, _, ok := v.handlesOfEngine(); ok {
		trackers.Delete(runtime)
	}
}

// rejectionTracker runs inside the engine, on the loop's goroutine. It keeps
// promise and reason in the prelude's table through globalThis.__rejected, and must
// not panic.
func rejectionTracker(tls *libc.TLS, ctx uintptr, promise, reason lib.TJSValue, handled int32, runtime uintptr) {
	defer func() { _ = recover() }()
	found, ok := trackers.Load(runtime)
	if !ok {
		return
	}
	found.(*vm).rejected = true
	global := lib.XJS_GetGlobalObject(tls, ctx)
	defer lib.XFreeValue(tls, ctx, global)
	name := "__rejected"
	if handled != 0 {
		name = "__handled"
	}
	p, err := libc.CString(name)
	if err != nil {
		return
	}
	defer libc.Xfree(tls, p)
	f := lib.XJS_GetPropertyStr(tls, ctx, global, p)
	defer lib.XFreeValue(tls, ctx, f)
	var one lib.TJSValue
	argv := libc.Xmalloc(tls, libc.Tsize_t(2*unsafe.Sizeof(one)))
	if argv == 0 {
		return
	}
	defer libc.Xfree(tls, argv)
	list := unsafe.Slice(*(**lib.TJSValue)(unsafe.Pointer(&argv)), 2)
	list[0], list[1] = promise, reason
	lib.XFreeValue(tls, ctx, lib.XJS_Call(tls, ctx, f, global, 2, argv))
}
