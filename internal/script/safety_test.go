package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// slice makes the watchdog quick, and the memory small.
func slice(d time.Duration) func(*Options) {
	return func(o *Options) { o.Slice, o.MemoryLimit = d, 64<<20 }
}

// hostile are the loops of the experiments, as bodies of
// execute, and more: slow built-ins take the engine far between two of its steps.
var hostile = map[string]string{
	"caught":           `try { for (;;) {} } catch (e) {}`,
	"finally":          `for (;;) { try { for (;;) {} } catch (e) {} finally { (globalThis as any).fin = 1 } }`,
	"async caller":     `try { await (async () => { for (;;) {} })() } catch (e) { for (;;) {} }`,
	"microtasks":       `for (;;) await null;`,
	"regular":          `/^(a+)+$/.test("a".repeat(32) + "b")`,
	"array":            `new Array(1e9).fill(0)`,
	"string":           `"x".repeat(2 ** 29)`,
	"recursion":        `(function f(): any { f(); return 1 })()`,
	"deep JSON":        `JSON.parse("[".repeat(1e6))`,
	"native callback":  `"abc".replace(/b/, () => { for (;;) {} })`,
	"sort":             `Array.from({ length: 1e7 }, (_, i) => -i).sort((a, b) => a - b); for (;;) {}`,
	"slow joins":       `for (;;) new Uint8Array(1e5).fill(1).join()`,
	"slow splits":      `for (;;) "abc".repeat(3e4).split("").sort()`,
	"getter in result": `return { get x() { for (;;) {} } }`,
}

// "A handler that never yields is interrupted …, only that call fails and the
// calls that wait in the same VM go on": each loop is stopped while another call
// of its VM waits, which then comes to its end, and one that begins later does too.
func TestSafety_HostileLoopsFailAlone(t *testing.T) {
	t.Parallel()
	for name, body := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := load(t, map[string]string{
				"tools/fine.ts": `export default { async execute() { await null; return "fine" } }`,
				"tools/wait.ts": `export default { async execute(_: any, ctx: any) { const v = await ctx.host.kv.get("a"); await new Promise((r) => setTimeout(r, 1)); return v } }`,
				"tools/evil.ts": "export default { async execute(): Promise<any> {\n" + body + "\nreturn 'came back' } }",
			}, slice(200*time.Millisecond))
			gate := &gatedKV{entered: make(chan struct{}), open: make(chan struct{})}
			waiting := make(chan string, 1)
			go func() {
				out, err := p.call(OpExecute, "wait", "{}", func(c *agent.Call) { c.KV = gate })
				waiting <- fmt.Sprint(out, err)
			}()
			<-gate.entered
			first := p.rt.vms[0]
			out, err := p.call(OpExecute, "evil", "{}")
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%s %v", out, err)
			}
			close(gate.open)
			if got := <-waiting; got != `"waited"<nil>` && !first.lost.Load() {
				t.Errorf("the other call: %s", got)
			}
			p.want("fine", "{}", `"fine"`)
		})
	}
}

// "a loop of promise jobs has one job killed", and the VM goes on, with what its modules keep.
func TestSafety_ALoopOfPromiseJobsLeavesTheVM(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/loop.ts": `let calls = 0;
export default { async execute({ spin }: any) { calls++; if (spin) { await new Promise((r) => setTimeout(r, 1)); for (;;) await null } return calls } }`}, slice(100*time.Millisecond))
	var e *Error
	if out, err := p.call(OpExecute, "loop", `{"spin":true}`); !errors.As(err, &e) || e.Code != CodeInterrupted {
		t.Errorf("%s %v", out, err)
	}
	if p.rt.vms[0].lost.Load() {
		t.Error("the VM was given up")
	}
	p.want("loop", "{}", "2")
}

// A gatedKV answers when its gate is opened.
type gatedKV struct {
	agent.KV
	entered, open chan struct{}
}

func (g *gatedKV) Get(context.Context, string) (agent.KVEntry, bool, error) {
	close(g.entered)
	<-g.open
	return agent.KVEntry{Value: json.RawMessage(`"waited"`), Version: 1}, true, nil
}

// "1,000 awaiting calls run side by side in one VM": all of them have begun before
// the first one may end.
func TestCalls_AThousandAwaitSideBySide(t *testing.T) {
	t.Parallel()
	const calls = 1000
	var arrived atomic.Int32
	all := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) == calls {
			close(all)
		}
		<-all
		fmt.Fprint(w, r.URL.RawQuery)
	}))
	t.Cleanup(server.Close)
	p := load(t, map[string]string{"tools/x.ts": `
let running = 0, most = 0;
export default { async execute({ n }: any) {
  most = Math.max(most, ++running);
  const text = await (await fetch(process.env.BASE + "/?" + n)).text();
  await new Promise((r) => setTimeout(r, 1));
  running--;
  return [text, most];
} };`}, func(o *Options) { o.Env = map[string]string{"BASE": server.URL} })
	var group sync.WaitGroup
	for n := range calls {
		group.Go(func() {
			want := fmt.Sprintf(`["%d",%d]`, n, calls)
			if out, err := p.call(OpExecute, "x", fmt.Sprintf(`{"n":%d}`, n), func(c *agent.Call) { c.ID = fmt.Sprint(n) }); err != nil || out != want {
				t.Errorf("%d: %s %v", n, out, err)
			}
		})
	}
	group.Wait()
}

func TestSafety_AnInterruptSaysWhatHappenedAndWhere(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/spin.ts": "export default {\n  execute() {\n    for (;;) {}\n  },\n}"}, slice(50*time.Millisecond))
	_, err := p.call(OpExecute, "spin", "{}")
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeInterrupted || !strings.Contains(e.Message, "without yielding") {
		t.Fatalf("%#v", err)
	}
	if e.File != "tools/spin.ts" || e.Line < 2 {
		t.Errorf("place %s", e.Place())
	}
}

func TestSafety_OthersGoOnWhileOneIsStopped(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/spin.ts": `export default { async execute() { await null; for (;;) {} } }`,
		"tools/wait.ts": `export default { async execute() { for (let i = 0; i < 5; i++) await new Promise((r) => setTimeout(r, 20)); return "done" } }`,
	}, slice(500*time.Millisecond))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if out, err := p.call(OpExecute, "wait", "{}"); out != `"done"` {
				t.Errorf("%s %v", out, err)
			}
		})
	}
	if _, err := p.call(OpExecute, "spin", "{}"); err == nil {
		t.Error("the loop came back")
	}
	group.Wait()
}

// "One that ran out, or had to be interrupted often, is replaced."
func TestSafety_AWornVMIsReplaced(t *testing.T) {
	t.Parallel()
	count := `let n = 0; export default { execute() { return ++n } }`
	p := load(t, map[string]string{
		"tools/count.ts": count,
		"tools/spin.ts":  `export default { execute() { for (;;) {} } }`,
		"tools/eat.ts":   `const all: any[] = []; export default { execute() { for (;;) all.push(new Array(100000).fill(all.length)) } }`,
	}, slice(60*time.Millisecond))
	p.want("count", "{}", "1")
	p.want("count", "{}", "2")
	for range maxStrikes {
		if _, err := p.call(OpExecute, "spin", "{}"); err == nil {
			t.Fatal("the loop came back")
		}
	}
	p.want("count", "{}", "1")
	p.o.Slice = time.Minute
	var e *Error
	if _, err := p.call(OpExecute, "eat", "{}"); !errors.As(err, &e) || e.Code != CodeMemory {
		if e == nil || e.Code != CodeInterrupted { // a slow machine is stopped by the clock first
			t.Fatalf("%v", err)
		}
		return
	}
	p.want("count", "{}", "1")
}

func TestCall_DeadlineAbortsTheSignalAndReturns(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/listen.ts": `export default { execute(_: any, ctx: any) { return new Promise((_, reject) => ctx.signal.addEventListener("abort", () => { console.log("heard " + ctx.signal.reason.name + ": " + ctx.signal.reason.message); reject(ctx.signal.reason) })) } }`,
		"tools/deaf.ts":   `export default { execute() { return new Promise(() => {}) } }`,
		"tools/spin.ts":   `export default { execute() { for (;;) {} } }`,
	}, slice(time.Minute))
	for _, tool := range []string{"listen", "deaf", "spin"} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		_, err := p.rt.CallTool(ctx, "tools/"+tool, OpExecute, &agent.Call{ID: "c", Args: json.RawMessage("{}")})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if !strings.Contains(p.log.String(), "heard TimeoutError: the time limit passed") {
		t.Errorf("the signal was not heard: %s", p.log)
	}
}

func TestCall_CancelIsToldApartFromDeadline(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/deaf.ts": `export default { execute() { console.log("started"); return new Promise(() => {}) } }`})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := p.rt.CallTool(ctx, "tools/deaf", OpExecute, &agent.Call{ID: "c", Args: json.RawMessage("{}")})
		done <- err
	}()
	eventually(t, func() bool { return strings.Contains(p.log.String(), "started") })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestClose_EndsCallsAndWaits(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/deaf.ts": `export default { execute() { console.log("started"); return new Promise(() => {}) } }`,
		"tools/busy.ts": `export default { execute() { console.log("spinning"); for (;;) {} } }`,
	}, func(o *Options) { o.Workers = 2 })
	results := make(chan error, 2)
	for _, tool := range []string{"deaf", "busy"} {
		go func() {
			_, err := p.rt.CallTool(context.Background(), "tools/"+tool, OpExecute, &agent.Call{ID: tool, Args: json.RawMessage("{}")})
			results <- err
		}()
	}
	eventually(t, func() bool { return strings.Contains(p.log.String(), "spinning") })
	if err := p.rt.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-results; err == nil {
			t.Error("a call outlived the runtime")
		}
	}
	if _, err := p.call(OpExecute, "deaf", "{}"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := p.rt.Close(); err != nil {
		t.Error(err)
	}
}

// "A rejected promise that nobody awaits is logged with its place."
func TestRejections_AreLoggedWithTheirPlace(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `
export default {
  async execute() {
    Promise.reject(new Error("lost one"));
    const late = Promise.reject(new Error("caught later"));
    await new Promise((r) => setTimeout(r, 1)).catch(() => {});
    await late.catch(() => {});
    return 1;
  },
}`})
	p.want("x", "{}", "1")
	text := p.log.String()
	if !strings.Contains(text, "lost one") || !strings.Contains(text, "tools/x.ts:4:") {
		t.Error(text)
	}
}

func TestHost_APanicFailsTheCallAlone(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/x.ts": `export default { execute(_: any, ctx: any) { return ctx.workspaceDir } }`,
		"tools/y.ts": `export default { async execute(_: any, ctx: any) { return await ctx.host.kv.get("a") } }`,
		"tools/z.ts": `export default { execute() { return "fine" } }`,
	})
	if _, err := p.call(OpExecute, "x", "{}", func(c *agent.Call) { c.Workspace = func() (string, error) { panic("broken workspace") } }); err == nil || !strings.Contains(err.Error(), "broken workspace") {
		t.Error(err)
	}
	if _, err := p.call(OpExecute, "y", "{}", func(c *agent.Call) { c.KV = panickyKV{} }); err == nil || !strings.Contains(err.Error(), "broken store") {
		t.Error(err)
	}
	p.want("z", "{}", `"fine"`)
}

type panickyKV struct{ agent.KV }

func (panickyKV) Get(context.Context, string) (agent.KVEntry, bool, error) { panic("broken store") }

// "A session always meets the same one, what has no session meets the first."
func TestWorkers_ASessionMeetsTheSameVM(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `const seen = new Set<string>(); export default { async execute(_: any, ctx: any) { await null; seen.add(ctx.session.id); return [...seen] } }`}, func(o *Options) { o.Workers = 3 })
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			id := fmt.Sprintf("s%d", i%20)
			if _, err := p.call(OpExecute, "x", "{}", func(c *agent.Call) { c.Session.ID = id }); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	total := 0
	for _, v := range p.rt.vms {
		seen := map[string]bool{}
		for i := range 20 {
			id := fmt.Sprintf("s%d", i)
			if p.rt.vms[p.rt.place(&agent.Call{Session: agent.Session{ID: id}})] == v {
				seen[id] = true
			}
		}
		for id := range seen {
			out, err := p.call(OpExecute, "x", "{}", func(c *agent.Call) { c.Session.ID = id })
			var got []string
			if err != nil || json.Unmarshal([]byte(out), &got) != nil || len(got) != len(seen) {
				t.Errorf("%s sees %s, its VM has %d sessions: %v", id, out, len(seen), err)
			}
			break
		}
		total += len(seen)
	}
	if total != 20 {
		t.Errorf("%d sessions", total)
	}
	if p.rt.place(&agent.Call{ID: "tool_x_1", Session: agent.Session{ID: "tool_x_1"}}) != 0 {
		t.Error("a call without a session did not meet the first VM")
	}
}

// eventually polls until the condition holds, for what another goroutine does.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("it did not come to pass")
		}
	}
}
