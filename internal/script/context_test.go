package script

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/rs/zerolog"
)

// memory is a KV and Files in memory.
type memory struct {
	mu    sync.Mutex
	seq   int64
	kv    map[string]agent.KVEntry
	files map[string][]byte
}

func newMemory() *memory {
	return &memory{kv: map[string]agent.KVEntry{}, files: map[string][]byte{}}
}

func (m *memory) Get(_ context.Context, key string) (agent.KVEntry, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.kv[key]
	return e, ok, nil
}

func (m *memory) Put(_ context.Context, key string, value json.RawMessage, o agent.PutOptions) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o.IfVersion != nil && m.kv[key].Version != *o.IfVersion {
		return 0, agent.ErrVersionConflict
	}
	m.seq++
	m.kv[key] = agent.KVEntry{Key: key, Value: value, Version: m.seq}
	return m.seq, nil
}

func (m *memory) List(_ context.Context, o agent.ListOptions) (list []agent.KVEntry, cursor string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, e := range m.kv {
		if strings.HasPrefix(k, o.Prefix) {
			list = append(list, e)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Key < list[j].Key })
	return list, "", nil
}

type memoryKV struct{ *memory }

func (m memoryKV) Delete(_ context.Context, key string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.kv[key]
	delete(m.kv, key)
	return ok, nil
}

type memoryFiles struct{ *memory }

func (m memoryFiles) Write(_ context.Context, s agent.FileScope, path string, content []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[s.Session+":"+path] = content
	return nil
}

func (m memoryFiles) Append(_ context.Context, s agent.FileScope, path string, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[s.Session+":"+path] = append(m.files[s.Session+":"+path], text...)
	return nil
}

func (m memoryFiles) Read(_ context.Context, s agent.FileScope, path string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	content, ok := m.files[s.Session+":"+path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return content, nil
}

func (m memoryFiles) Exists(_ context.Context, s agent.FileScope, path string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.files[s.Session+":"+path]
	return ok, nil
}

func (m memoryFiles) Delete(_ context.Context, s agent.FileScope, path string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.files[s.Session+":"+path]
	delete(m.files, s.Session+":"+path)
	return ok, nil
}

func (m memoryFiles) List(_ context.Context, s agent.FileScope, prefix string) (paths []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p := range m.files {
		if rest, ok := strings.CutPrefix(p, s.Session+":"); ok && strings.HasPrefix(rest, prefix) {
			paths = append(paths, rest)
		}
	}
	sort.Strings(paths)
	return paths, nil
}

// tool runs the body of an execute with a full context.
func tool(t *testing.T, body string, change ...func(*agent.Call)) (string, error) {
	t.Helper()
	p := load(t, map[string]string{"tools/x.ts": "export default { async execute(input: any, ctx: any) {\n" + body + "\n} };"})
	m := newMemory()
	full := func(c *agent.Call) {
		c.TurnID, c.Agent, c.StateRoot = "turn_1", "Bot", "/state"
		c.Session = agent.Session{ID: "s1", ChannelID: "http", Mode: "chat", Purpose: "live", Auth: events.Principal{}}
		c.Channel = agent.ChannelRef{ID: "http", ContinuationToken: "tok"}
		c.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
		c.Workspace = func() (string, error) { return "/work", nil }
		c.KV, c.Files = memoryKV{m}, memoryFiles{m}
	}
	return p.call(OpExecute, "x", "{}", append([]func(*agent.Call){full}, change...)...)
}

// "ctx: session{id, channelId, mode, purpose, dryRun, title, auth}, agent{name}, channel{id, continuationToken}, …"
func TestContext_HasWhatAToolMayKnow(t *testing.T) {
	t.Parallel()
	out, err := tool(t, `return [ctx.session.id, ctx.session.channelId, ctx.session.mode, ctx.session.purpose, ctx.session.dryRun, typeof ctx.session.auth, ctx.agent.name, ctx.channel, ctx.toolCallId, ctx.turnId, ctx.now().toISOString(), ctx.now() instanceof Date, ctx.workspaceDir, ctx.stateRoot, ctx.signal.aborted]`)
	want := `["s1","http","chat","live",false,"object","Bot",{"id":"http","continuationToken":"tok"},"call_1","turn_1","2026-01-02T03:04:05.000Z",true,"/work","/state",false]`
	if err != nil || out != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
}

// "What is not bound (no session, no pack) is an object whose use throws a sentence that says why."
func TestContext_WhatIsNotBoundThrowsASentence(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`await ctx.host.github.getOctokit()`:                       "ctx.host.github is not available: ",
		`await ctx.host.mcp.names()`:                               "ctx.host.mcp is not available: ",
		`await ctx.host.slack.getClient()`:                         "ctx.host.slack is not available: ",
		`ctx.host.otel.increment("x")`:                             "ctx.host.otel is not available: ",
		`await ctx.host.reminders.set({ in: "1h", message: "x" })`: "ctx.host.reminders is not available: ",
		`await ctx.artifacts.tag({ kind: "x" })`:                   "ctx.artifacts is not available: ",
		`await ctx.artifacts.list()`:                               "ctx.artifacts is not available: ",
		`ctx.host.otel.record("x", 1)`:                             "ctx.host.otel is not available: ",
		`ctx.host.otel.tag("x", 1)`:                                "ctx.host.otel is not available: ",
	} {
		if _, err := tool(t, body); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
	if _, err := tool(t, "await ctx.host.kv.get('a')", func(c *agent.Call) { c.KV = nil }); err == nil || !strings.Contains(err.Error(), "has no store") {
		t.Error(err)
	}
	if out, err := tool(t, "return Object.keys(ctx.host).length + JSON.stringify({ a: typeof ctx.host.github })"); err != nil {
		t.Error(out, err)
	}
}

// "get(key) → value or undefined; put(key, json, {ttlSeconds?, ifVersion?}) → {version}; … update(key, fn)"
func TestKV_FollowsThePage(t *testing.T) {
	t.Parallel()
	out, err := tool(t, `
		const kv = ctx.host.kv;
		const first = [await kv.get("a"), await kv.put("a:/1", { x: 1, gone: undefined, s: "é" }), await kv.get("a:/1")];
		let conflict = ""; try { await kv.put("a:/1", 2, { ifVersion: 99 }) } catch (e: any) { conflict = e.code }
		await Promise.all([1, 2, 3].map((n) => kv.update("sum", (old: number | undefined) => (old ?? 0) + n)));
		return [...first, conflict, await kv.get("sum"), (await kv.list({ prefix: "a" })).entries.map((e: any) => e.key), await kv.delete("a:/1"), await kv.delete("a:/1"), await kv.get("a:/1") === undefined]`)
	want := `[null,{"version":1},{"x":1,"s":"é"},"version_conflict",6,["a:/1"],true,false,true]`
	if err != nil || out != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
}

// "put(key, json, {ttlSeconds?, ifVersion?})": what is neither is refused, by name.
func TestKV_RefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`kv.put("a", { b: [NaN] })`:                             `the value holds NaN at b[0], which JSON cannot express`,
		`kv.put("a", new Map())`:                                `the value is a Map, which JSON cannot express; use Object.fromEntries(map) or [...map]`,
		`kv.put("a", undefined)`:                                `kv.put needs a value; use kv.delete to remove a key`,
		`kv.put("a", 1, { ttl: 5 })`:                            `kv.put has no option "ttl": its options are ttlSeconds, ifVersion`,
		`kv.put("a", 1, { ttlSeconds: "5" })`:                   `ttlSeconds of kv.put must be a number above 0 and at most 9e9, not "5"`,
		`kv.put("a", 1, { ttlSeconds: 0 })`:                     `ttlSeconds of kv.put must be a number above 0 and at most 9e9, not 0`,
		`kv.put("a", 1, { ifVersion: 1.5 })`:                    `ifVersion of kv.put must be a version that get or put gave, or 0 for a key that is not there, not 1.5`,
		`kv.put("a", 1, 60)`:                                    `the options of kv.put are an object with ttlSeconds, ifVersion`,
		`kv.list({ limit: 0 })`:                                 `limit of kv.list must be a whole number above 0, not 0`,
		`kv.list({ start: "a" })`:                               `kv.list has no option "start": its options are prefix, limit, cursor`,
		`kv.put("a", 1, { ttlSeconds: undefined })`:             ``,
		`kv.put("a", 1, { ttlSeconds: 0.5, ifVersion: 0 })`:     ``,
		`kv.list({ prefix: "a", limit: 2, cursor: undefined })`: ``,
	} {
		_, err := tool(t, "const { kv } = ctx.host; await "+body)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", body, got, want)
		}
	}
}

// "`ctx`: session{…}, agent{name}, channel{…}, toolCallId, turnId, now(), signal, … host{…}, …"
func TestContext_IsListedWithoutMakingTheWorkspace(t *testing.T) {
	t.Parallel()
	made := 0
	out, err := tool(t, `
		const copy = { ...ctx, extra: 1 };
		await copy.host.kv.put("a", 1);
		copy.log.info("copied");
		console.log(ctx);
		const { now } = ctx;
		ctx.own = 1;
		return [Object.keys(ctx), Object.keys(copy).length, copy.session.id, copy.now() instanceof Date, now().getTime() === ctx.now().getTime(), copy.signal === ctx.signal, await ctx.host.kv.get("a"), "workspaceDir" in ctx, "session" in ctx, ctx.own, JSON.parse(JSON.stringify(ctx))]`,
		func(c *agent.Call) { c.Workspace = func() (string, error) { made++; return "/work", nil } })
	want := `[["session","agent","channel","toolCallId","turnId","stateRoot","now","signal","host","log","artifacts","own"],12,"s1",true,true,true,1,true,true,1,` +
		`{"session":{"id":"s1","channelId":"http","mode":"chat","purpose":"live","dryRun":false,"auth":{"kind":"","id":""}},"agent":{"name":"Bot"},"channel":{"id":"http","continuationToken":"tok"},"toolCallId":"call_1","turnId":"turn_1","stateRoot":"/state"}]`
	if err != nil || out != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
	if made != 0 {
		t.Error("the workspace was made")
	}
	if out, err := tool(t, `return [ctx.workspaceDir, Object.keys({ ...ctx }).length]`); err != nil || out != `["/work",11]` {
		t.Error(out, err)
	}
}

// "throwing makes an error result with the message, never the stack": where it
// was thrown is for the author, in the log, as it comes by default.
func TestCall_ThePlaceOfAnErrorIsLogged(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": "const inner = (o: any) => {\n  return o.missing();\n};\nexport default { async execute() { await null; inner({}) } }"},
		func(o *Options) { o.Logger = o.Logger.Level(zerolog.WarnLevel) })
	if _, err := p.call(OpExecute, "x", "{}"); err == nil || err.Error() != "not a function" {
		t.Error(err)
	}
	want := `{"level":"warn","call":"call_1","tool":"x","place":"tools/x.ts:2:3","message":"the tool threw: not a function"}` + "\n"
	if got := p.log.String(); got != want {
		t.Errorf("the log has\n%swant\n%s", got, want)
	}
}

// "host.files: …; bound to the session, or {scope:"deployment"}"
func TestFiles_FollowThePage(t *testing.T) {
	t.Parallel()
	out, err := tool(t, `
		const f = ctx.host.files;
		await f.write("a/b.txt", "hé"); await f.append("a/b.txt", "\n2"); await f.write("c.bin", new Uint8Array([0, 255])); await f.write("d.txt", "all", { scope: "deployment" });
		let missing = ""; try { await f.read("nope") } catch (e: any) { missing = e.code }
		return [await f.readText("a/b.txt"), [...await f.read("c.bin")], await f.exists("d.txt"), await f.exists("d.txt", { scope: "deployment" }), await f.list(), await f.list("a/"), await f.list({ scope: "deployment" }), await f.delete("c.bin"), missing]`)
	want := `["hé\n2",[0,255],false,true,["a/b.txt","c.bin"],["a/b.txt"],["d.txt"],true,"ENOENT"]`
	if err != nil || out != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
}

func TestContext_LogGoesToTheCallsLogger(t *testing.T) {
	t.Parallel()
	buffer := &logBuffer{}
	if _, err := tool(t, `ctx.log.warn("careful", { a: 1 }); ctx.log("plain")`, func(c *agent.Call) { c.Log = loggerTo(buffer) }); err != nil {
		t.Fatal(err)
	}
	if text := buffer.String(); !strings.Contains(text, `"level":"warn"`) || !strings.Contains(text, "careful { a: 1 }") || !strings.Contains(text, `"call":"call_1"`) {
		t.Error(text)
	}
}

func TestContext_UseAfterTheEndSaysSo(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/keep.ts": `export default { execute(_: any, ctx: any) { (globalThis as any).kept = ctx; return 1 } }`,
		"tools/use.ts":  `export default { async execute() { return await (globalThis as any).kept.host.kv.get("a") } }`,
	})
	p.want("keep", "{}", "1")
	if _, err := p.call(OpExecute, "use", "{}"); err == nil || !strings.Contains(err.Error(), errCallEnded.Error()) {
		t.Error(err)
	}
	var e *Error
	if _, err := p.call(OpExecute, "none", "{}"); !errors.As(err, &e) {
		t.Error(err)
	}
}
