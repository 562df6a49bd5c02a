package script

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
)

// ops are the host functions that the JavaScript side may ask for, by name.
type ops struct {
	now   map[string]syncOp
	later map[string]asyncOp
	// afterLoad are those that reach outside of the host, with what a project
	// calls them by: they wait until the project has loaded.
	afterLoad map[string]string
}

// A syncOp runs on the loop and answers at once; its error is thrown.
type syncOp func(v *vm, a args) (any, error)

// An asyncOp prepares on the loop; what it returns runs on a goroutine of its
// own, must not touch the engine, and settles a promise.
type asyncOp func(v *vm, a args) (work, error)

// work ends when ctx does: at the end of the call it belongs to, or of the VM.
type work func(ctx context.Context) (any, error)

func (o *ops) sync(name string, f syncOp)   { o.now[name] = f }
func (o *ops) async(name string, f asyncOp) { o.later[name] = f }

// notAtLoad refuses host functions while the project loads: loading starts no
// process and opens no socket. shown is what a project calls them by.
func (o *ops) notAtLoad(shown string, names ...string) {
	for _, name := range names {
		o.afterLoad[name] = shown
	}
}

// allowed refuses what the project may not do yet.
func (v *vm) allowed(name string) error {
	shown, outside := hostOps.afterLoad[name]
	if !outside || !v.evaluating.Load() {
		return nil
	}
	return notWhileLoading(shown + " is not available while the project loads; call it inside a tool")
}

func notWhileLoading(text string) error {
	return &hostError{Name: "Error", Message: text, Code: "not_while_loading"}
}

// hostOps is every host function; each module of the host adds its own.
var hostOps = func() *ops {
	o := &ops{now: map[string]syncOp{}, later: map[string]asyncOp{}, afterLoad: map[string]string{}}
	for _, add := range []func(*ops){timerOps, logOps, loadOps, callOps, kvOps, reminderOps, firingOps, fileOps, artifactOps, telemetryOps, lastingOps, requestOps, replyOps, sessionOps, conversationOps, githubOps, slackOps, mcpOps, processOps, textOps, urlOps, fsOps, cryptoOps, keyOps, cipherOps, zlibOps, childOps, fetchOps, intlOps, settingsOps, evalOps, evalDataOps, similarityOps} {
		add(o)
	}
	return o
}()

// args are the arguments of a host function, already converted to Go. What is
// missing or of another type reads as the zero value.
type args []any

func (a args) at(i int) any {
	if i < len(a) {
		return a[i]
	}
	return nil
}

func (a args) text(i int) string {
	s, _ := a.at(i).(string)
	return s
}

func (a args) number(i int) float64 {
	switch n := a.at(i).(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

func (a args) integer(i int) int { return int(a.number(i)) }

func (a args) flag(i int) bool {
	b, _ := a.at(i).(bool)
	return b
}

// bytes reads an argument that bridge.js sent as base64.
func (a args) bytes(i int) ([]byte, error) {
	return base64.StdEncoding.DecodeString(a.text(i))
}

// into reads an argument that was sent as JSON.
func (a args) into(i int, target any) error {
	return json.Unmarshal([]byte(a.text(i)), target)
}

// fromBytes is how bytes travel to JavaScript; the other side decodes them.
func fromBytes(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// asJSON is how data travels to JavaScript.
func asJSON(x any) (any, error) {
	b, err := json.Marshal(x)
	return string(b), err
}

// A hostError is an error with the name and code that JavaScript expects.
type hostError struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
	Syscall string `json:"syscall,omitempty"`
	Path    string `json:"path,omitempty"`
	// ErrNo is the system's number, negative as in Node.
	ErrNo    int        `json:"errno,omitempty"`
	Hostname string     `json:"hostname,omitempty"`
	Cause    *hostError `json:"cause,omitempty"`
	// Status is that of an answer over HTTP.
	Status int `json:"status,omitempty"`
	// Data is the answer itself, where it is JSON.
	Data json.RawMessage `json:"data,omitempty"`
}

func (e *hostError) Error() string { return e.Message }

// typeError makes a TypeError on the other side.
func typeError(format string, a ...any) error {
	return &hostError{Name: "TypeError", Message: fmt.Sprintf(format, a...)}
}

// envelope is the text that carries an error over the bridge.
func envelope(err error) string {
	e := &hostError{}
	if !errors.As(err, &e) {
		e = &hostError{Name: "Error", Message: said(err)}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			e.Name, e.Message = endName(err), endText(err)
		}
		if errors.Is(err, fs.ErrNotExist) {
			e.Code = "ENOENT"
		}
	}
	b, _ := json.Marshal(e)
	return string(b)
}

// runSync answers __host(name, …).
func (v *vm) runSync(all []any) (result any, err error) {
	a := args(all)
	name := a.text(0)
	defer func() {
		if p := recover(); p != nil {
			err = v.panicked(name, p)
		}
		if err != nil {
			err = errors.New(envelope(err))
		}
	}()
	op, ok := hostOps.now[name]
	if !ok {
		return nil, typeError("the host has no function %q", name)
	}
	if err := v.allowed(name); err != nil {
		return nil, err
	}
	return op(v, a[1:])
}

// runAsync starts __start(promise id, call id, name, …) and settles the promise later.
func (v *vm) runAsync(all []any) (result any, err error) {
	a := args(all)
	id, name := a.integer(0), a.text(2)
	ctx, owner := v.ctx, v.behalf.Load()
	if c := v.calls[a.integer(1)]; c != nil {
		ctx, owner = c.ctx, c
	}
	defer func() {
		if p := recover(); p != nil {
			err = v.panicked(name, p)
		}
		if err != nil {
			err = errors.New(envelope(err))
		}
	}()
	op, ok := hostOps.later[name]
	if !ok {
		return nil, typeError("the host has no function %q", name)
	}
	if err := v.allowed(name); err != nil {
		return nil, err
	}
	do, err := op(v, append(args{a.integer(1)}, a[3:]...))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	v.pending[id] = cancel
	v.workers.Go(func() {
		settle := v.work(ctx, id, name, do)
		v.queue.post(func() {
			v.behalf.Store(owner)
			settle()
		})
	})
	return nil, nil
}

// work runs off the loop, and gives what tells its outcome there.
func (v *vm) work(ctx context.Context, id int, name string, do work) (settle func()) {
	var result any
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = v.panicked(name, p)
			}
		}()
		result, err = do(ctx)
		return err
	}()
	return func() {
		if cancel := v.pending[id]; cancel != nil {
			cancel()
			delete(v.pending, id)
		}
		if err != nil {
			v.enter("settle", id, false, envelope(err))
			return
		}
		v.enter("settle", id, true, result)
	}
}

// panicked logs a panic of a host function; JavaScript sees an error.
func (v *vm) panicked(name string, p any) error {
	v.log().Error().Str("function", name).Interface("panic", p).Bytes("stack", debug.Stack()).Msg("a host function panicked")
	return fmt.Errorf("the host's %s broke: %v", name, p)
}
