package project

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// loadFiles loads a project that has no diagnostics.
func loadFiles(t *testing.T, files map[string]string) *agent.Agent {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	if files["bot/instructions.ts"] == "" {
		writeFile(t, filepath.Join(dir, "bot/instructions.md"), []byte("Here."))
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), []byte(text))
	}
	agents, err := Load(context.Background(), dir, &Options{Env: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(agents) })
	if d := agents[0].Diagnostics; len(d) > 0 {
		t.Fatalf("the project has diagnostics: %+v", d)
	}
	return agents[0]
}

// tags is a telemetry that keeps what is tagged.
type tags struct {
	mu    sync.Mutex
	lines []string
}

func (s *tags) Increment(string, float64, map[string]string) {}
func (s *tags) Record(string, float64, map[string]string)    {}
func (s *tags) Tag(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, key+" "+value)
}

func hookCall(s *tags) *agent.Call {
	return &agent.Call{Agent: "demo", TurnID: "turn_1", Session: agent.Session{ID: "s_1", Purpose: "live"}, Channel: agent.ChannelRef{ID: "http"}, Telemetry: s}
}

func lineOf(text string) *agent.HookEvent { return &agent.HookEvent{Line: json.RawMessage(text)} }

// "`ctx.session` … `ctx.agent` … `ctx.channel` `{ id, continuationToken }`. The token is `null` when the session can't take follow-ups"
func TestHook_Runs(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, map[string]string{"bot/hooks/audit/all.ts": `
import { defineHook } from "@cursor/bdk/hooks";
export default defineHook({
  events: {
    "turn.completed"(event, ctx) {
      ctx.host.otel.tag(event.type, event.data.usage.inputTokens + " " + ctx.session.id + " " + ctx.agent.name + " " + JSON.stringify(ctx.channel));
    },
    async "*"(event) { event.data.changed = true; },
  },
});`})
	s, hook := &tags{}, a.Hooks[0]
	line := `{"type":"turn.completed","index":7,"data":{"usage":{"inputTokens":12}}}`
	if err := hook.On["turn.completed"](context.Background(), lineOf(line), hookCall(s)); err != nil {
		t.Fatal(err)
	}
	if want := `turn.completed 12 s_1 demo {"id":"http","continuationToken":null}`; len(s.lines) != 1 || s.lines[0] != want {
		t.Errorf("the hook did %v, want %s", s.lines, want)
	}
	// "the event is deep-frozen (writing to it throws)"
	if err := hook.On["*"](context.Background(), lineOf(line), hookCall(s)); err == nil || !strings.Contains(err.Error(), "object is not extensible") {
		t.Errorf("writing to the event gives %v", err)
	}
}

// "`{backend}` takes another store"
func TestMemoryHook_AppendsToTheBackendOfTheProject(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, map[string]string{"bot/hooks/memory.ts": `
import { memoryHook } from "@cursor/bdk/memory";
class Store {
  #lines: string[] = [];
  async append(line: string, ctx: any) {
    this.#lines.push(line);
    ctx.host.otel.tag(ctx.session.id, this.#lines.join("|"));
    if (line.includes("fail")) throw new Error("the store is full");
  }
}
export default memoryHook({ scope: "principal", backend: new Store() });`})
	s, hook := &tags{}, a.Hooks[0]
	ended := func(result string) *agent.HookEvent {
		e := events.New("t1", time.Time{}, &events.TurnCompleted{Result: json.RawMessage(result)})
		return &agent.HookEvent{Event: &e}
	}
	if err := hook.On["turn.completed"](context.Background(), ended(`"well"`), hookCall(s)); err != nil {
		t.Fatal(err)
	}
	if len(s.lines) != 1 || !strings.HasPrefix(s.lines[0], `s_1 {"at":`) || !strings.Contains(s.lines[0], `"owner":"`) || !strings.HasSuffix(s.lines[0], `"result":"well"}`) {
		t.Errorf("the backend has %q", s.lines)
	}
	if err := hook.On["turn.completed"](context.Background(), ended(`"fail"`), hookCall(s)); err == nil || !strings.Contains(err.Error(), "the store is full") {
		t.Errorf("a backend that throws gives %v", err)
	}
}

// "a function `(ctx) => markdown` is evaluated once per session"
func TestInstructionsFor_AsksTheFunction(t *testing.T) {
	t.Parallel()
	for form, module := range map[string]string{
		"function": `export default async (ctx) => "You serve " + ctx.session.id + ".\n";`,
		"defined":  `import { defineInstructions } from "@cursor/bdk"; export default defineInstructions({ who: "You", markdown(ctx) { return this.who + " serve " + ctx.session.id + "."; } });`,
		"bare":     `import { defineInstructions } from "@cursor/bdk"; export default defineInstructions((ctx) => "You serve " + ctx.session.id + ".");`,
	} {
		a := loadFiles(t, map[string]string{"bot/instructions.ts": module})
		if a.InstructionsFor == nil || a.Instructions != "" {
			t.Fatalf("%s: there are instructions %q", form, a.Instructions)
		}
		if text, err := a.InstructionsFor(context.Background(), hookCall(nil)); err != nil || text != "You serve s_1." {
			t.Errorf("%s gives %q, %v", form, text, err)
		}
	}
	for module, want := range map[string]string{
		`export default () => ({ markdown: "x" });`:             `asking instructions.ts: its function gave an object, where the instructions are a string with text in it`,
		`export default () => " ";`:                             `asking instructions.ts: its function gave " ", where the instructions are a string with text in it`,
		`export default () => { throw new Error("no team"); };`: `asking instructions.ts: no team`,
	} {
		a := loadFiles(t, map[string]string{"bot/instructions.ts": module})
		if _, err := a.InstructionsFor(context.Background(), hookCall(nil)); err == nil || err.Error() != want {
			t.Errorf("%s gives %v, want %s", module, err, want)
		}
	}
}

// "The schema's parsed value is stored."
func TestArtifacts_KindsParse(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, map[string]string{"bot/artifacts.ts": `
import { defineArtifacts } from "@cursor/bdk/artifacts";
const trimmed = { "~standard": { version: 1, vendor: "mini", jsonSchema: { input: () => ({ type: "object" }) },
  validate: (v) => typeof v?.name === "string" ? { value: { name: v.name.trim(), seen: true } } : { issues: [{ message: "needs a name", path: ["name"] }] } } };
export default defineArtifacts({ kinds: {
  "a.plain": { description: "x", schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
  "a.typed": { description: "x", schema: trimmed },
  none: { description: "x" },
} });`})
	for _, c := range []struct{ kind, data, want string }{
		{"a.plain", `{"n":12345678901234567890}`, `{"n":12345678901234567890}`},
		{"a.plain", `{}`, `invalid input: n: is required`},
		{"a.typed", `{"name":" x ","more":1}`, `{"name":"x","seen":true}`},
		{"a.typed", `{}`, `invalid input: name: needs a name`},
	} {
		raw, err := a.Artifacts.Kinds[c.kind].Parse(context.Background(), json.RawMessage(c.data))
		got := string(raw)
		var input *agent.InputError
		if errors.As(err, &input) {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s gives %s (%v), want %s", c.kind, c.data, got, err, c.want)
		}
	}
	if a.Artifacts.Kinds["none"].Parse != nil {
		t.Error("a kind without a schema has something to check")
	}
}

// "each call is an error result that says that the service is not part of this host"
func TestVendorMount_CallsAreErrorResults(t *testing.T) {
	t.Parallel()
	tool := vendorTool("cloud", "cursor-cloud-agents", "launch", true)
	p, err := tool.Prepare(context.Background(), callOf("cloud__launch", `{"prompt":"x"}`))
	if err != nil || p.Effect != agent.EffectWrite || p.NeedsApproval {
		t.Errorf("it is prepared as %+v, %v", p, err)
	}
	r, err := tool.Execute(context.Background(), callOf("cloud__launch", `{"prompt":"x"}`))
	want := `"cloud__launch needs the service cursor-cloud-agents, which is not part of this host"`
	if err != nil || !r.IsError || string(r.Output) != want {
		t.Errorf("it gives %s, %v, %v", r.Output, r.IsError, err)
	}
}
