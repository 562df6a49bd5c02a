package script

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rs/zerolog"
	"modernc.org/quickjs"

	"github.com/gobdk/bdk/actors/agent"
)

// Ops of a tool's call.
const (
	OpPrepare = "prepare" // → {"input": …, "effect": "read"|"write", "needsApproval": bool}
	OpExecute = "execute" // → the result as JSON
	OpDryRun  = "dryRun"  // → the result as JSON
)

// grace is how long a call whose context ended may still answer, for code that
// listens to its signal.
const grace = 250 * time.Millisecond

// A call is one run of a project's function. It belongs to the loop, but for
// done, which the caller waits on.
type call struct {
	id     int
	ctx    context.Context
	call   *agent.Call
	module string
	done   chan outcome
	// lasting is nil for a call that ends with its answer.
	lasting *lasting
	// eval is the case that the call runs, nil for any other.
	eval *evalRun
	// holder is what held the loop when the call's context ended, nil for nothing. It is
	// the caller's.
	holder *call
}

// mark tells a line of the log whose it is.
func (c *call) mark(e *zerolog.Event) *zerolog.Event {
	if c.call.ID != "" {
		e = e.Str("call", c.call.ID)
	}
	if c.call.Tool == "" {
		return e.Str("module", c.module)
	}
	return e.Str("tool", c.call.Tool)
}

type outcome struct {
	json json.RawMessage
	err  error
}

// CallTool runs one function of a tool with the context that the call describes.
// Calls of a session always meet the same VM. Input that does not fit gives
// *agent.InputError, what the tool throws *Error, and the end of ctx its cause.
// A result that reports its own failure is told by IsErrorResult.
func (r *Runtime) CallTool(ctx context.Context, module, op string, c *agent.Call) (json.RawMessage, error) {
	if err := CheckNumbers(c.Args); err != nil {
		return nil, err
	}
	return r.run(ctx, c, op, module, string(c.Args))
}

// CallFunction runs the function at a dotted path of a module's default export,
// or the default export itself for "", with args, a JSON array, and then ctx.
// It serves instructions that are functions, and resolve of a result.
func (r *Runtime) CallFunction(ctx context.Context, module, path string, args json.RawMessage, c *agent.Call) (json.RawMessage, error) {
	if len(args) == 0 {
		args = json.RawMessage("[]")
	}
	return r.run(ctx, c, "function:"+path, module, string(args))
}

func (r *Runtime) run(ctx context.Context, c *agent.Call, op, module, text string) (json.RawMessage, error) {
	return r.runCall(ctx, &call{call: c, module: module}, op, text)
}

// runCall runs a call that ends with its answer.
func (r *Runtime) runCall(ctx context.Context, k *call, op, text string) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	v, err := r.take(ctx, k.call)
	if err != nil {
		return nil, err
	}
	defer v.users.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	k.ctx, k.done = ctx, make(chan outcome, 1)
	if k.eval != nil {
		k.eval.v = v
	}
	if !v.queue.post(func() { v.begin(k, op, k.module, text) }) {
		return nil, ErrClosed
	}
	return v.await(ctx, k)
}

// begin runs the synchronous part of a call. Most answers are there at its end.
func (v *vm) begin(c *call, op, module, text string) {
	if c.ctx.Err() != nil {
		c.done <- outcome{err: context.Cause(c.ctx)}
		return
	}
	v.seq++
	c.id = v.seq
	v.calls[c.id] = c
	v.running.Store(c)
	v.behalf.Store(c)
	answer, err := v.entries["call"].Call(quickjs.UndefinedValue, c.id, v.word(op), v.word(module), text, c.call.ID)
	v.running.Store(nil)
	if err != nil {
		v.finish(c.id, "", v.fromEngine(err))
		return
	}
	if s, ok := answer.(string); ok {
		v.answer(c.id, s)
	}
}

// mostWords bounds what word keeps: modules and operations, of which a project has few.
const mostWords = 10_000

// word gives a text that comes again and again as a value that is made once.
func (v *vm) word(s string) any {
	if w, ok := v.words[s]; ok {
		return w
	}
	if len(v.words) >= mostWords {
		return s
	}
	w, err := v.js.NewString(s)
	if err != nil {
		return s
	}
	v.words[s] = w
	return w
}

// answer takes what call.js says: "+" and the result, or "-" and what was thrown.
func (v *vm) answer(id int, s string) {
	if s == "" || s[0] != '+' {
		v.finish(id, "", v.fromThrown(s[min(1, len(s)):]))
		return
	}
	v.finish(id, s[1:], nil)
}

// finish gives the outcome to the caller, once.
func (v *vm) finish(id int, result string, err error) {
	c := v.calls[id]
	if c == nil {
		return
	}
	switch {
	case c.lasting == nil:
		delete(v.calls, id)
	case c.lasting.answered:
		return
	default:
		c.lasting.answered = true
	}
	if e, ok := err.(*Error); ok && !c.answers() {
		v.tell(c, e)
	}
	c.done <- outcome{json.RawMessage(result), err}
}

// answers says that the call is a route's, whose caller waits for its answer: whoever
// serves it logs what it throws, with the place and the request's id.
func (c *call) answers() bool {
	return c.lasting != nil && c.call.Request != nil && c.call.DeliveryID == ""
}

// tell logs where a tool threw, or a hook, which its author needs and the model does not see.
func (v *vm) tell(c *call, e *Error) {
	who := "the tool"
	if c.call.Tool == "" {
		who = c.module
	}
	if place := e.Place(); place != "" {
		c.mark(v.log().Warn()).Str("place", place).Msg(who + " threw: " + e.Message)
	}
	if e.Stack != "" {
		c.mark(v.log().Debug()).Str("stack", e.Stack).Msg("the stack of the error")
	}
}

// await waits for the outcome. When ctx ends first, the call's signal is
// aborted, and after a short grace the call is left to itself.
func (v *vm) await(ctx context.Context, c *call) (json.RawMessage, error) {
	select {
	case o := <-c.done:
		return o.json, o.err
	case <-v.ended:
		return c.last()
	case <-ctx.Done():
	}
	c.holder = v.holder()
	cause := context.Cause(ctx)
	v.queue.post(func() { v.abort(c, cause) })
	wait := time.NewTimer(grace)
	defer wait.Stop()
	select {
	case <-c.done:
	case <-v.ended:
	case <-wait.C:
		if c.holder == nil {
			c.holder = v.holder()
		}
		v.strikeIf(c)
	}
	return nil, &callEnded{cause}
}

// last is the outcome of a call whose VM has ended.
func (c *call) last() (json.RawMessage, error) {
	select {
	case o := <-c.done:
		return o.json, o.err
	default:
		return nil, ErrClosed
	}
}

// abort tells the call's AbortSignal.
func (v *vm) abort(c *call, cause error) {
	if c.id == 0 || v.calls[c.id] == nil {
		return
	}
	v.enter("abort", c.id, endName(cause), endText(cause))
}

// strikeIf interrupts the loop when it is this call that holds it, in its first step or
// in a later one.
func (v *vm) strikeIf(c *call) {
	if v.behalf.Load() == c {
		v.dog.strike()
	}
}

// holder gives the call that has held the loop for long, nil for none.
func (v *vm) holder() *call {
	if v.dog.age() < grace/2 {
		return nil
	}
	return v.behalf.Load()
}

// IsErrorResult says whether a tool's result has the shape {content: […],
// isError: true}, with which a tool reports its own failure.
func IsErrorResult(result json.RawMessage) bool {
	var shape struct {
		Content json.RawMessage `json:"content"`
		IsError bool            `json:"isError"`
	}
	if len(result) == 0 || result[0] != '{' || json.Unmarshal(result, &shape) != nil {
		return false
	}
	return shape.IsError && len(shape.Content) > 0 && shape.Content[0] == '['
}
