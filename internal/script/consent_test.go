package script

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// reachOut is a module whose top level tries every way out of the host.
const reachOut = `
import { exec, execFile, execFileSync, execSync, spawn, spawnSync } from "node:child_process";
import { promisify } from "node:util";
const refused: string[] = [];
for (const f of [() => spawn("true"), () => exec("true"), () => execFile("true"), () => execSync("true"), () => execFileSync("true"), () => spawnSync("true"),
  () => promisify(execFile)("true"), () => fetch(process.env.URL!)]) {
  try { await f(); refused.push("it ran"); } catch (e: any) { refused.push(e.message); }
}
const later = new Promise((done) => setTimeout(async () => done(await fetch(process.env.URL!).then((r) => r.text(), (e) => e.message)), 1));
export default {
  execute: async () => [...new Set(refused), spawnSync("echo", ["hi"], { encoding: "utf8" }).stdout, await (await fetch(process.env.URL!)).text()],
  late: () => later,
};`

// "Loading/validating a project never starts processes, or opens sockets"
func TestLoad_ReachesNothingOutside(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		_, _ = w.Write([]byte("pong"))
	}))
	t.Cleanup(server.Close)
	p := write(t, map[string]string{"tools/x.ts": reachOut}, func(o *Options) {
		o.Env = map[string]string{"URL": server.URL, "PATH": "/usr/bin:/bin"}
	})
	p.o.CheckOnly = true
	p.open()
	if _, err := p.call(OpExecute, "x", "{}"); err == nil || !strings.Contains(err.Error(), "while the project loads") {
		t.Errorf("a load that only checks leads outside: %v", err)
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("loading has made %d requests", n)
	}
	p.o.CheckOnly = false
	p.open()
	p.want("x", "{}", `["node:child_process is not available while the project loads; call it inside a tool","fetch is not available while the project loads; call it inside a tool","hi\n","pong"]`)
}

// "(module scope may read the environment)"; what it leaves running may fetch
// when it fires after the load.
func TestLoad_WhatItLeavesRunningMayFetch(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("pong")) }))
	t.Cleanup(server.Close)
	p := load(t, map[string]string{"tools/x.ts": `
const { promise, resolve } = Promise.withResolvers();
setTimeout(async function again() {
  const text = await fetch(process.env.URL!).then((r) => r.text(), () => "");
  if (text) resolve(text); else setTimeout(again, 1);
}, 1);
export default { execute: () => promise };`}, func(o *Options) { o.Env = map[string]string{"URL": server.URL} })
	p.want("x", "{}", `"pong"`)
}

// "A handler that never yields is interrupted": while modules load, the limit
// is that of a module, and what it interrupts does not wear the VM.
func TestLoad_SlowModulesHaveTheLimitOfALoad(t *testing.T) {
	t.Parallel()
	spin := "const until = Date.now() + 200; while (Date.now() < until);\n"
	p := load(t, map[string]string{
		"tools/a.ts":   "import '../lib/stuck.js';\nexport default 1",
		"tools/b.ts":   "import '../lib/stuck.js';\nexport default 1",
		"tools/c.ts":   "for (;;) {}\nexport default 1",
		"tools/d.ts":   "for (;;) {}\nexport default 1",
		"tools/e.ts":   "for (;;) {}\nexport default 1",
		"tools/f.ts":   spin + "export default { execute: () => 'slow' }",
		"lib/stuck.ts": "for (;;) {}\nexport {}",
	}, slice(100*time.Millisecond), func(o *Options) { o.LoadTimeout = 500 * time.Millisecond })
	for _, id := range []string{"a", "c", "d", "e"} {
		if e := p.loaded("tools/" + id).Err; e == nil || e.Code != CodeInterrupted || e.Message != "stopped: the module ran for more than 500ms without yielding" {
			t.Errorf("%s: %#v", id, e)
		}
	}
	if p.rt.vms[0].worn() {
		t.Error("the interrupts of a load have worn the VM")
	}
	first := p.rt.vms[0]
	p.want("f", "{}", `"slow"`)
	if p.rt.vms[0] != first {
		t.Error("the VM was replaced")
	}
}
