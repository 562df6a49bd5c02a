package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
)

// runFor runs the case of a project with a time limit.
func (p *project) runFor(limit time.Duration, d eval.Driver) *eval.Record {
	p.t.Helper()
	rec, err := p.rt.RunEval(p.t.Context(), oneCase("evals/x.eval.ts"), nil, limit, d)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.log)
	}
	return rec
}

// "Case that never ends with timeoutMs 200 → verdict failed with timeout": what was
// asserted until there is in the record, t.signal is aborted, and the turn is stopped.
func TestEval_TimeIsOver(t *testing.T) {
	t.Parallel()
	stopped := make(chan error, 1)
	d := &stage{send: func(ctx context.Context, _ string, _ eval.SendOptions) (*eval.Turn, error) {
		<-ctx.Done()
		stopped <- ctx.Err()
		return nil, ctx.Err()
	}}
	p := loadTest(t, `
t.score("before", 1); t.log("begun");
t.check(new Promise(() => {}), equals(1));
t.signal.addEventListener("abort", () => { (globalThis as any).why = t.signal.reason.name });
try { await t.send("a") } catch (e: any) { (globalThis as any).after = e.name }
try { t.score("after", 1) } catch (e: any) { (globalThis as any).late = e.message }
await new Promise(() => {});`)
	same(t, "over", lines(p.runFor(100*time.Millisecond, d)), `hold score("before") soft>=1`, `miss check(equals(1)) gate>=1: it has no score: the case ended before`,
		`log begun`, `fault timeout: the case was stopped: it ran for more than 100ms`)
	if err := <-stopped; err == nil {
		t.Error("the turn goes on")
	}
	for expression, want := range map[string]string{`globalThis.why`: "TimeoutError", `globalThis.after`: "TimeoutError", `globalThis.late`: "the case has ended: await what its test starts"} {
		p.eventually(expression, want)
	}
}

// eventually waits until an expression has a value in the VM.
func (p *project) eventually(expression, want string) {
	p.t.Helper()
	v, got := p.rt.vms[0], ""
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		done := make(chan string, 1)
		v.queue.post(func() {
			x, _ := v.js.Eval("String("+expression+")", 0)
			done <- fmt.Sprint(x)
		})
		if got = <-done; got == want {
			return
		}
	}
	p.t.Errorf("%s is %s, want %s", expression, got, want)
}

// The end of the context is the cause, and the record is there all the same.
func TestEval_TheRunIsCancelled(t *testing.T) {
	t.Parallel()
	p := loadTest(t, `t.score("before", 1); await t.send("a")`)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	d := &stage{send: func(ctx context.Context, _ string, _ eval.SendOptions) (*eval.Turn, error) {
		cancel(cause)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	rec, err := p.rt.RunEval(ctx, oneCase("evals/x.eval.ts"), nil, time.Minute, d)
	if !errors.Is(err, cause) || lines(rec) != `hold score("before") soft>=1` {
		t.Errorf("%v %s", err, lines(rec))
	}
}

// A loop of one case is interrupted and fails that case alone; the VM stays, with the
// state of its modules, however often that happens.
func TestEval_ALoopFailsItsCaseAlone(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
let runs = 0;
export default defineEval({ cases: [
  { id: "sync", test(t: any) { t.score("before", 1); runs++; for (;;) {} } },
  { id: "later", async test(t: any) { t.score("before", 1); runs++; await t.send("a"); for (;;) {} } },
  { id: "jobs", async test(t: any) { runs++; await t.send("a"); for (;;) await null } },
  { id: "fine", async test(t: any) { for (let i = 0; i < 3; i++) await new Promise((r) => setTimeout(r, 20)); t.log(runs) } },
] });`}, slice(100*time.Millisecond), func(o *Options) { o.KeepWorn = true })
	first := p.rt.vms[0]
	run := func(n int) string {
		c := oneCase("evals/x.eval.ts")
		c.Ref.Case = n
		rec, err := p.rt.RunEval(t.Context(), c, nil, time.Minute, &stage{turns: []*eval.Turn{plainTurn()}})
		if err != nil {
			return err.Error()
		}
		return lines(rec)
	}
	stopped := "fault test: stopped: the handler ran for more than 100ms without yielding"
	for range 2 {
		var group sync.WaitGroup
		for n, want := range []string{"hold score(\"before\") soft>=1\n" + stopped, "hold score(\"before\") soft>=1\n" + stopped, stopped} {
			group.Go(func() {
				if got := run(n); got != want {
					t.Errorf("%d: %s", n, got)
				}
			})
		}
		group.Go(func() {
			if got := run(3); !strings.HasPrefix(got, "log ") {
				t.Error(got)
			}
		})
		group.Wait()
	}
	if got := run(3); got != "log 6" || p.rt.vms[0] != first || !first.worn() {
		t.Errorf("%s, another VM: %v", got, p.rt.vms[0] != first)
	}
}

// "fails that case alone": one that holds the VM when its time is over is stopped then,
// and not when a slice has passed, so that the time of the others is not lost.
func TestEval_ALoopIsStoppedWithItsCase(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{
		"at once": "", "a send": `await t.send("a")`, "a timer": `await new Promise((r) => setTimeout(r, 1))`, "a file": `await (await import("node:fs/promises")).readdir(".")`,
	} {
		p := load(t, map[string]string{"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ cases: [{ id: "loop", async test(t: any) { ` + before + `; for (;;) {} } }, { id: "fine", async test(t: any) { await t.send("a"); t.log("fine") } }] });`},
			slice(time.Hour), func(o *Options) { o.KeepWorn = true })
		c := oneCase("evals/x.eval.ts")
		for i, want := range []string{"fault timeout: the case was stopped: it ran for more than 200ms", "log fine"} {
			c.Ref.Case = i
			limit := []time.Duration{200 * time.Millisecond, time.Minute}[i]
			rec, err := p.rt.RunEval(t.Context(), c, nil, limit, &stage{turns: []*eval.Turn{plainTurn()}})
			if err != nil || lines(rec) != want {
				t.Errorf("%s: %v %s", name, err, lines(rec))
			}
		}
	}
}

// What keeps all tests from going on is named to those whose time it took, and to itself.
func TestEval_WhoHoldsTheOthersUpIsNamed(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"evals/evals.config.ts": `import { defineEvalConfig } from "@cursor/bdk/evals"; export default defineEvalConfig({ maxConcurrency: 2, reporters: [{ onRunStart() { for (;;) {} } }] });`,
		"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ cases: [{ id: "loop", test() { for (;;) {} } }, { id: "fine", async test(t: any) { await t.send("a") } }] });`,
	}, slice(700*time.Millisecond), func(o *Options) { o.KeepWorn = true })
	held := func(n int, id string) string {
		c := oneCase("evals/x.eval.ts")
		c.Ref.Case, c.ID = n, id
		rec, err := p.rt.RunEval(t.Context(), c, nil, 300*time.Millisecond, &stage{turns: []*eval.Turn{plainTurn()}})
		if err != nil || rec.Error == nil || rec.Error.Kind != eval.FaultTimeout {
			t.Fatalf("%s: %v %+v", id, err, rec)
		}
		return rec.HeldBy
	}
	for id, start := range map[string]func(){
		"evals/evals.config.ts": func() {
			_ = p.rt.ReportEval(t.Context(), eval.Reporter{Ref: eval.Ref{Module: "evals/evals.config.ts", Index: -1, Case: -1}}, eval.OnRunStart, json.RawMessage("{}"))
		},
		"x/loop": func() {
			if got := held(0, "x/loop"); got != "x/loop" {
				t.Errorf("the loop was held up by %q", got)
			}
		},
	} {
		var group sync.WaitGroup
		group.Go(start)
		for deadline := time.Now().Add(10 * time.Second); p.rt.vms[0].dog.age() == 0 && time.Now().Before(deadline); {
			runtime.Gosched()
		}
		if got := held(1, "x/fine"); got != id {
			t.Errorf("x/fine was held up by %q, want %q", got, id)
		}
		group.Wait()
	}
}

// A throw is the fault of its case, with place and stack; so is a rejected promise.
func TestEval_AThrowHasItsPlace(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"evals/x.eval.ts": "import { defineEval } from \"@cursor/bdk/evals\";\nimport { fail } from '../lib/fail.js';\nexport default defineEval({\n  async test(t) {\n    t.usedNoTools();\n    await null;\n    await fail();\n  },\n});",
		"lib/fail.ts":     "export async function fail() {\n  await null;\n  throw new RangeError('deep');\n}\n",
	})
	rec := runEval(t, p, &stage{})
	same(t, "throw", lines(rec), `miss usedNoTools() gate>=1: no message was sent`, `fault test: deep`)
	if rec.Error.Place != "lib/fail.ts:3:9" && !strings.HasPrefix(rec.Error.Place, "lib/fail.ts:3:") || !strings.Contains(rec.Error.Stack, "at fail (lib/fail.ts:3:") {
		t.Errorf("%+v", rec.Error)
	}
	if at := rec.Assertions[0].Place; !strings.HasPrefix(at, "evals/x.eval.ts:5:") {
		t.Errorf("the assertion is at %q", at)
	}
	for code, want := range map[string]string{`throw "text"`: "text", `throw undefined`: "undefined was thrown", `return Promise.reject(new Error("r"))`: "r", `await Promise.reject()`: "undefined was thrown"} {
		same(t, code, lines(runTest(t, &stage{}, code)), "fault test: "+want)
	}
}

// Nothing is left out of a record unseen: a turn that nobody awaits is a fault, two at
// once are one, and what comes after the end is refused.
func TestEval_WhatIsNotAwaited(t *testing.T) {
	t.Parallel()
	slow := func(ctx context.Context, _ string, _ eval.SendOptions) (*eval.Turn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	same(t, "a send", lines(runTest(t, &stage{send: slow}, `void t.send("a").catch(() => {}); t.score("x", 1)`)),
		`hold score("x") soft>=1`, `fault test: the test ended while t.send was under way: await it`)
	same(t, "two at once", lines(runTest(t, &stage{turns: []*eval.Turn{plainTurn()}}, `await Promise.all([t.send("a"), t.send("b")])`)),
		`fault test: t.send: t.send is under way; await it first`)
	rec := runTest(t, &stage{send: slow}, "t.log(1);\nvoid t.send(\"a\");")
	same(t, "a send that fails when the case is over", rec.Error.Place+" "+lines(rec), `evals/x.eval.ts:5:8 log 1`, `fault test: the test ended while t.send was under way: await it`)
	for code, want := range map[string]string{
		`const sure = async () => { await null; throw new Error("missed") }; sure()`:                              "a promise that the test does not await was rejected: missed",
		`await t.send("a"); Promise.reject(new Error("missed"))`:                                                  "a promise that the test does not await was rejected: missed",
		`setTimeout(() => { throw new Error("missed") }, 1); await new Promise((r) => setTimeout(r, 20))`:         "a callback threw: missed",
		`try { await t.send("a") } finally { void t.send("").catch(() => {}) }`:                                   "",
		`const later = Promise.reject(new Error("caught")); await null; await later.catch(() => {}); t.skip("x")`: "",
	} {
		rec := runTest(t, &stage{turns: []*eval.Turn{plainTurn()}}, code)
		if want == "" && rec.Error != nil || want != "" && (rec.Error == nil || rec.Error.Message != want || !strings.HasPrefix(rec.Error.Place, "evals/x.eval.ts:4:")) {
			t.Errorf("%s: %+v", code, rec.Error)
		}
	}
	p := loadTest(t, `
const over = new Promise((r) => { (globalThis as any).release = r });
const late = async (name: string, f: () => any) => { await over; try { await f() } catch (e: any) { (globalThis as any)[name] = e.message } };
const handle = t.score("x", 1);
late("assertion", () => t.succeeded()); late("send", () => t.send("a")); late("severity", () => handle.gate()); late("log", () => t.log("x"));`)
	d := &stage{}
	same(t, "late", lines(runEval(t, p, d)), `hold score("x") soft>=1`)
	p.eventually("globalThis.release()", "undefined")
	for _, name := range []string{"assertion", "send", "severity", "log"} {
		p.eventually("globalThis."+name, errEvalEnded.Error())
	}
	same(t, "told", d.log(), "")
}

// "as one Node process: module state is shared, cases interleave at awaits"
func TestEval_CasesInterleaveInOneVM(t *testing.T) {
	t.Parallel()
	const cases = 50
	p := load(t, map[string]string{"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
let running = 0, most = 0;
export default Array.from({ length: ` + fmt.Sprint(cases) + ` }, (_, i) => defineEval({ metadata: { i }, async test(t: any) {
  most = Math.max(most, ++running);
  const turn = await t.send("message " + i);
  turn.calledTool("echo", { input: { i } });
  running--;
  t.log(most, t.reply);
} }));`})
	if l := p.loaded("evals/x.eval.ts"); l.Kind != "evals" || !strings.HasPrefix(string(l.Spec), `[{"metadata":{"i":0},"test":{"$fn":true}},{"metadata":{"i":1},`) {
		t.Fatalf("%s %.100s", l.Kind, l.Spec)
	}
	var arrived, group sync.WaitGroup
	arrived.Add(cases)
	for i := range cases {
		group.Go(func() {
			c := oneCase("evals/x.eval.ts")
			c.Ref.Index = i
			rec, err := p.rt.RunEval(t.Context(), c, nil, time.Minute, &stage{send: func(_ context.Context, message string, _ eval.SendOptions) (*eval.Turn, error) {
				arrived.Done()
				arrived.Wait()
				return turn(1, 0, eval.TurnFinished, message, "actions.requested", fmt.Sprintf(`{"calls":[{"callId":"c","toolName":"echo","args":{"i":%d}}]}`, i)), nil
			}})
			want := fmt.Sprintf("hold calledTool(\"echo\", {input: {i: %d}}) gate>=1 turn 1\nlog %d message %d", i, cases, i)
			if err != nil || lines(rec) != want {
				t.Errorf("%v %s", err, lines(rec))
			}
		})
	}
	group.Wait()
}

// "stubs: {tool: value | (input) => value} on the eval, the case, or t.send's options
// (nearest wins per tool)"
func TestEval_Stubs(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ stubs: { a: "eval", b: "eval", c: "eval", d: "eval" }, cases: [{ id: "x", stubs: { b: { of: "case" }, c: "case", d: undefined },
  async test(t: any) {
    let calls = 0;
    await t.send("a", { workspaceFiles: { "a.txt": "ä", "b.bin": new Uint8Array([1, 2]) }, stubs: {
      c: async (input: any) => { await null; return { n: ++calls, input } },
      e: () => { throw new Error("the tool is broken") }, f: () => { for (;;) {} }, g: () => new Set(), h: null,
    } });
    t.log(calls);
  } }] });`}, slice(100*time.Millisecond), func(o *Options) { o.KeepWorn = true })
	var left agent.Stub
	d := &stage{send: func(ctx context.Context, _ string, o eval.SendOptions) (*eval.Turn, error) {
		var said []string
		for _, name := range strings.Fields("a b c d e g h") {
			out, err := o.Stubs[name](ctx, &agent.Call{ID: "call_1", Tool: name, Args: json.RawMessage(`{"q":1}`)})
			if err != nil {
				out = []byte(err.Error())
			}
			said = append(said, name+" "+string(out))
		}
		same(t, "stubs", strings.Join(said, "\n"), `a "eval"`, `b {"of":"case"}`, `c {"n":1,"input":{"q":1}}`, `d "eval"`, `e the tool is broken`,
			`g the answer of the stub is a Set, which JSON cannot express; use [...set]`, `h null`)
		left = o.Stubs["c"]
		if len(o.Files) != 2 || string(o.Files[0].Content) != "ä" || o.Files[1].Path != "b.bin" || o.WorkspaceDir != "" || len(o.Stubs) != 8 {
			t.Errorf("%+v", o)
		}
		return plainTurn(), nil
	}}
	c := oneCase("evals/x.eval.ts")
	c.Ref.Case = 0
	rec, err := p.rt.RunEval(t.Context(), c, nil, time.Minute, d)
	if err != nil || lines(rec) != "log 1" {
		t.Errorf("%v %s", err, lines(rec))
	}
	if _, err := left(t.Context(), &agent.Call{}); !errors.Is(err, errEvalEnded) {
		t.Errorf("a stub after its case: %v", err)
	}
	d.send = func(ctx context.Context, _ string, o eval.SendOptions) (*eval.Turn, error) {
		_, err := o.Stubs["f"](ctx, &agent.Call{})
		if err == nil {
			t.Error("a loop gave an answer")
		}
		return plainTurn(), nil
	}
	if rec, _ := p.rt.RunEval(t.Context(), c, nil, time.Minute, d); rec.Error == nil || rec.Error.Kind != eval.FaultTest || !strings.Contains(rec.Error.Message, "without yielding") {
		t.Errorf("a stub that never yields: %+v", rec.Error)
	}
}

// What the options of t.send ask for that cannot be is the test's, which may catch it.
func TestEval_OptionsOfSend(t *testing.T) {
	t.Parallel()
	typo := &stage{send: func(context.Context, string, eval.SendOptions) (*eval.Turn, error) {
		return nil, &eval.MisuseError{Err: errors.New("stubs: no tool is called \"lok\"")}
	}}
	typing := runTest(t, typo, `await t.send("a")`)
	same(t, "a slip", typing.Error.Place+" "+lines(typing), `evals/x.eval.ts:4:9 fault test: stubs: no tool is called "lok"`)
	same(t, "a slip that is caught", lines(runTest(t, typo, `await t.send("a").catch(() => {})`)), "")
	in := &stage{send: func(_ context.Context, _ string, o eval.SendOptions) (*eval.Turn, error) {
		if len(o.Files) > 0 || o.WorkspaceDir != "/srv/x" {
			t.Errorf("%+v", o)
		}
		return plainTurn(), nil
	}}
	same(t, "a folder", lines(runTest(t, in, `await t.send("a", { workspaceFiles: {}, workspaceDir: "/srv/x" })`)), "")
}

// "Custom reporters can expose onRunStart, onEvalComplete, and onRunComplete": an object,
// or one of a class, of the config, an eval or a case.
func TestEval_Reporters(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"evals/evals.config.ts": `
import { Artifacts, defineEvalConfig, JUnit } from "@cursor/bdk/evals";
class Mine { seen: any[] = []; async onRunStart(run: any) { await null; (globalThis as any).seen = [this.seen.length, run.runId].join() } get onEvalComplete() { return undefined } }
export default defineEvalConfig({ maxConcurrency: 2, reporters: [JUnit({ filePath: "j.xml", suiteName: "s" }), Artifacts({ dir: "out" }), new Mine(), { onRunComplete() { throw new Error("disk full") } }, 7 as any] });`,
		"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
export default defineEval({ reporters: [{ onEvalComplete: (r: any) => { (globalThis as any).file = r.id } }],
  cases: [{ id: "a", reporters: [{ onEvalComplete: (r: any) => { (globalThis as any).one = r.id } }], test() {} }] });`,
	})
	same(t, "config", string(p.loaded("evals/evals.config.ts").Spec), `{"maxConcurrency":2,"reporters":[{"filePath":"j.xml","suiteName":"s","reporter":"junit"},{"dir":"out","reporter":"artifacts"},`+
		`{"reporter":"custom","onRunStart":{"$fn":true}},{"reporter":"custom","onRunComplete":{"$fn":true}},7]}`)
	same(t, "eval", string(p.loaded("evals/x.eval.ts").Spec), `{"reporters":[{"reporter":"custom","onEvalComplete":{"$fn":true}}],`+
		`"cases":[{"id":"a","reporters":[{"reporter":"custom","onEvalComplete":{"$fn":true}}],"test":{"$fn":true}}]}`)
	report := func(module string, one, index int, method, argument string) string {
		err := p.rt.ReportEval(t.Context(), eval.Reporter{Ref: eval.Ref{Module: module, Index: -1, Case: one}, Index: index}, method, json.RawMessage(argument))
		return fmt.Sprint(err)
	}
	for _, c := range []struct {
		module     string
		one, index int
		method     string
		want       string
	}{
		{"evals/evals.config.ts", -1, 2, eval.OnRunStart, "<nil>"},
		{"evals/evals.config.ts", -1, 2, eval.OnEvalComplete, "<nil>"},
		{"evals/evals.config.ts", -1, 3, eval.OnRunComplete, "disk full"},
		{"evals/x.eval.ts", -1, 0, eval.OnEvalComplete, "<nil>"},
		{"evals/x.eval.ts", 0, 0, eval.OnEvalComplete, "<nil>"},
	} {
		if got := report(c.module, c.one, c.index, c.method, `{"id":"x/a","runId":"r1"}`); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for expression, want := range map[string]string{"globalThis.seen": "0,r1", "globalThis.file": "x/a", "globalThis.one": "x/a"} {
		p.eventually(expression, want)
	}
}

// A suite has what tools have: fetch is not refused once it has loaded, timers and files work.
func TestEval_HasWhatToolsHave(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
import { readFileSync, writeFileSync, rmSync } from "node:fs";
export default defineEval({ async test(t: any) {
  t.log(readFileSync("data.txt", "utf8"), process.env.KEY);
  writeFileSync("out.txt", "x"); rmSync("out.txt");
  t.log(await (await fetch("data:,hello", { signal: t.signal })).text());
} });`,
		"data.txt": "from a file",
	}, func(o *Options) { o.Env = map[string]string{"KEY": "k"} })
	same(t, "tools", lines(runEval(t, p, &stage{})), "log from a file k", "log hello")
}

// "only one that is lost is replaced": the end of memory is no fault of the agent, and
// what comes next runs in a fresh VM. A runtime that closes says so, with the record.
func TestEval_TheVMIsLost(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"evals/x.eval.ts": `
import { defineEval } from "@cursor/bdk/evals";
let runs = 0;
export default defineEval({ cases: [
  { id: "full", async test(t: any) { runs++; t.score("before", 1); const all: any[] = []; for (;;) all.push(new Array(1e5).fill(runs)) } },
  { id: "fine", async test(t: any) { t.log(++runs) } },
  { id: "waits", async test(t: any) { t.score("before", 1); await t.send("a") } },
] });`}, slice(30*time.Second), func(o *Options) { o.KeepWorn = true })
	run := func(n int, d eval.Driver) (*eval.Record, error) {
		c := oneCase("evals/x.eval.ts")
		c.Ref.Case = n
		return p.rt.RunEval(t.Context(), c, nil, time.Minute, d)
	}
	first := p.rt.vms[0]
	rec, err := run(0, &stage{})
	if err != nil || rec.Error == nil || rec.Error.Kind != eval.FaultHost || !strings.HasPrefix(rec.Error.Message, "out of memory") || len(rec.Assertions) != 1 {
		t.Errorf("%v %s", err, lines(rec))
	}
	if rec, err = run(1, &stage{}); err != nil || lines(rec) != "log 1" || p.rt.vms[0] == first {
		t.Errorf("the next case: %v %s", err, lines(rec))
	}
	entered := make(chan struct{})
	go func() {
		<-entered
		p.rt.Close()
	}()
	rec, err = run(2, &stage{send: func(ctx context.Context, _ string, _ eval.SendOptions) (*eval.Turn, error) {
		close(entered)
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if !errors.Is(err, ErrClosed) || lines(rec) != `hold score("before") soft>=1` {
		t.Errorf("a runtime that closes: %v %s", err, lines(rec))
	}
}
