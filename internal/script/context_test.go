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
		c.Channel = agent.Channel{ID: "http", ContinuationToken: "tok"}
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
		`ctx.host.github.getOctokit()`:                 "ctx.host.github is not available: ",
		`await ctx.host.mcp.names()`:                   "ctx.host.mcp is not available: ",
		`ctx.host.slack.getClient()`:                   "ctx.host.slack is not available: ",
		`ctx.host.otel.increment("x")`:                 "ctx.host.otel is not available: ",
		`await ctx.host.reminders.create({})`:          "ctx.host.reminders is not available: ",
		`await ctx.artifacts.tag({ kind: "x" })`:       "ctx.artifacts is not available: ",
		`const { github } = ctx.host; github.whatever`: "ctx.host.github is not available: ",
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
	if _, err := tool(t, `await ctx.host.kv.put("a", NaN)`); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Error(err)
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
