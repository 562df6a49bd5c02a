package script

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// ruin is a tool that breaks the language for everybody in its VM.
const ruin = `
const hacked = () => "hacked";
const all = (o: any, names: string[]) => { for (const n of names) Object.defineProperty(o, n, { value: hacked, configurable: true, writable: true }); };
const arrayIterator = Object.getPrototypeOf([][Symbol.iterator]()), mapIterator = Object.getPrototypeOf(new Map().keys());
export default { execute() {
  const define = Object.defineProperty;
  const methods: [any, string[]][] = [
    [JSON, ["stringify", "parse", "rawJSON"]],
    [Array, ["isArray", "from", "of"]], [Array.prototype, ["map", "push", "join", "some", "filter", "forEach", "slice", "shift", "includes", "values"]],
    [Promise, ["resolve", "reject", "all"]], [Promise.prototype, ["then", "catch", "finally"]],
    [Map.prototype, ["get", "set", "has", "delete", "keys", "values", "entries", "clear", "forEach"]], [Set.prototype, ["add", "has", "delete", "values"]],
    [WeakMap.prototype, ["get", "set", "has"]], [mapIterator, ["next"]], [arrayIterator, ["next"]],
    [String.prototype, ["trim", "split", "includes", "slice", "replace", "replaceAll", "startsWith", "endsWith", "toUpperCase"]],
    [RegExp.prototype, ["exec", "test"]], [Number, ["isFinite", "isInteger"]], [BigInt.prototype, ["toString"]],
    [Reflect, ["apply", "get", "ownKeys", "defineProperty"]], [Function.prototype, ["call", "apply", "bind"]],
    [Uint8Array.prototype, ["toBase64"]], [Uint8Array, ["fromBase64"]],
    [Object, ["keys", "assign", "entries", "getPrototypeOf", "hasOwn", "getOwnPropertyDescriptor", "defineProperty", "defineProperties", "setPrototypeOf"]],
  ];
  for (let i = 0; i < methods.length; i++) for (let k = 0; k < methods[i][1].length; k++) define(methods[i][0], methods[i][1][k], { value: hacked, configurable: true, writable: true });
  define(Map.prototype, "size", { get: () => -1 });
  define(Array.prototype, Symbol.iterator, { value: hacked });
  for (let i = 0, names = ["Promise", "Map", "Error", "TypeError", "Date", "Proxy", "String", "Boolean", "Number", "DOMException", "AbortController", "queueMicrotask"]; i < names.length; i++) (globalThis as any)[names[i]] = hacked;
  return "ruined";
} };`

// afterRuin are the bodies of tools, and what they answer in a ruined VM; what
// begins with "!" is their error.
var afterRuin = map[string]struct{ body, want string }{
	"plain":    {`return { n: input.n, list: [1, { a: null }], none: {} }`, `{"n":5,"list":[1,{"a":null}],"none":{}}`},
	"big":      {`return { big: 12345678901234567890n }`, `{"big":12345678901234567890}`},
	"nan":      {`return { a: [NaN] }`, `!the result holds NaN at a[0], which JSON cannot express`},
	"throws":   {`null.x`, `!cannot read property 'x' of null`},
	"context":  {`const c = { ...ctx }; return { session: c.session.id, agent: ctx.agent.name, now: typeof c.now, json: ctx.toJSON().toolCallId }`, `{"session":"s1","agent":"Bot","now":"function","json":"call_1"}`},
	"kv":       {`const { kv } = ctx.host; await kv.put("a", { x: 1 }, { ttlSeconds: 5 }); const sum = await kv.update("n", (n) => (n ?? 0) + 2); const l = await kv.list({ prefix: "a" }); return { a: await kv.get("a"), sum, l: l.entries[0].key, gone: await kv.delete("a") }`, `{"a":{"x":1},"sum":2,"l":"a","gone":true}`},
	"kvoption": {`await ctx.host.kv.put("a", 1, { ttl: 1 })`, `!kv.put has no option "ttl": its options are ttlSeconds, ifVersion`},
	"files":    {`const { files } = ctx.host; await files.write("x", "hé"); return { text: await files.readText("x"), list: await files.list() }`, `{"text":"hé","list":["x"]}`},
	"missing":  {`try { await ctx.host.files.read("nope") } catch (e) { return e.code }`, `"ENOENT"`},
	"timer":    {`return await new P((done) => setTimeout(done, 1, "tick"))`, `"tick"`},
	"thenable": {`return await { then(ok) { ok("own then") } }`, `"own then"`},
	"log":      {`ctx.log.warn("careful", { a: 1 }); console.log("hm", {}); return ctx.signal.aborted`, `false`},
	"unbound":  {`await ctx.host.github.getOctokit()`, "!" + noGitHub},
	"slack":    {`await ctx.host.slack.getClient()`, "!" + noSlack},
	"otel":     {`ctx.host.otel.increment("a", { k: 1 }); ctx.host.otel.record("b", 2.5, { k: undefined, l: true }); ctx.host.otel.tag("c", "d"); return 1`, `1`},
	"artifact": {`const a = await ctx.artifacts.tag({ key: "a", data: { x: 1 }, contents: "hé" }); return [a.kind, (await ctx.artifacts.list({ limit: 5 })).length]`, `["artifact",1]`},
	"issues":   {`throw new Issues()`, `!invalid value: a[0]: is bad`},
	"signal":   {`return await new P((_, no) => ctx.signal.addEventListener("abort", () => no(ctx.signal.reason)))`, `!the call was ended: the time limit passed`},
}

// A project's code that replaces what is built in has its own calls broken, and
// nothing of the other tools'.
func TestCall_WorksInARuinedVM(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tools/ruin.ts": ruin}
	for name, c := range afterRuin {
		files["tools/"+name+".ts"] = "const P = Promise; class Issues extends Error { name = 'ZodError'; issues = [{ path: ['a', 0], message: 'is bad' }] }; void P; void Issues;\n" +
			"export default { needsApproval: async () => { throw 1 }, outputSchema: { '~standard': { validate: async (value: any) => ({ value }) } , toJSONSchema: () => ({}) }, async execute(input: any, ctx: any) {\n" + c.body + "\n} };"
	}
	p := load(t, files)
	p.want("ruin", "{}", `"ruined"`)
	m := newMemory()
	for name, c := range afterRuin {
		change := func(k *agent.Call) {
			k.Agent, k.KV, k.Files, k.Log = "Bot", memoryKV{m}, memoryFiles{m}, loggerTo(p.log)
			k.Telemetry, k.Artifacts = &sink{}, &shelf{}
		}
		if out, err := p.call(OpPrepare, name, `{"n":5}`, change); err != nil || out != `{"input":{"n":5},"effect":"read","needsApproval":true}` {
			t.Errorf("preparing %s: %s %v", name, out, err)
		}
		out, err := p.callWithin(time.Second/5, name, change)
		if err != nil {
			out = "!" + err.Error()
		}
		if out != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, out, c.want)
		}
	}
	if text := p.log.String(); !strings.Contains(text, `"message":"careful `) || !strings.Contains(text, `"message":"hm `) {
		t.Errorf("lines are missing in the log:\n%s", text)
	}
}

// callWithin executes with a limit where the tool waits for its signal alone.
func (p *project) callWithin(limit time.Duration, tool string, change func(*agent.Call)) (string, error) {
	p.t.Helper()
	if tool != "signal" {
		return p.call(OpExecute, tool, `{"n":5}`, change)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := &agent.Call{ID: "call_1", Tool: tool, Args: []byte("{}"), Session: agent.Session{ID: "s1"}}
	change(c)
	out, err := p.rt.CallTool(ctx, "tools/"+tool, OpExecute, c)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		p.t.Error("the call ended before its limit")
	}
	return string(out), err
}

// A module that spoils what is built in while it loads leaves the others whole.
func TestLoad_WorksBesideASpoilingModule(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/a.ts": `Object.keys = Array.prototype.map = JSON.stringify = Map.prototype.get = (() => []) as any; export default { execute: () => 1 };`,
		"tools/b.ts": `export default { list: [1, { a: /x/g }], inputSchema: { type: "object" }, execute: () => ({ two: [2] }) };`,
	})
	if l := p.loaded("tools/b"); l.Err != nil || string(l.Spec) != `{"list":[1,{"a":{"$regexp":"x","flags":"g"}}],"inputSchema":{"type":"object"},"execute":{"$fn":true}}` {
		t.Errorf("%s %v", l.Spec, l.Err)
	}
	p.want("b", "{}", `{"two":[2]}`)
}
