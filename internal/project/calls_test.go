package project

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// callFiles is a project whose tools show what a call can be.
var callFiles = map[string]string{
	"bot/instructions.md": "Here.",
	"bot/lib/mini.ts": `
// A Standard Schema of our own: a positive number, given as text or as a number.
const describe = () => ({ type: "object", properties: { n: { type: "number" } } });
export const amount = {
  "~standard": {
    version: 1,
    vendor: "mini",
    validate: (v: any) => {
      const n = Number(v?.n);
      return n > 0 ? { value: { n } } : { issues: [{ message: "must be above 0", path: ["n"] }] };
    },
    jsonSchema: { input: describe, output: describe },
  },
};
const any = (x: unknown) => x as any;
export const schema = any(amount);
`,
	"bot/tools/plain.ts": `
import { defineTool } from "@cursor/bdk/tools";
export default defineTool({
  description: "Doubles.",
  inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false },
  outputSchema: { type: "object", properties: { twice: { type: "integer", maximum: 100 } } },
  effect: "write",
  needsApproval: true,
  dryRunResult: ({ n }) => ({ would: 2 * n }),
  execute: ({ n }) => ({ twice: 2 * n }),
});
`,
	"bot/tools/decides.ts": `
import { defineTool } from "@cursor/bdk/tools";
export default defineTool({
  description: "Decides.",
  inputSchema: { type: "object", properties: { what: { type: "string" } } },
  effect: ({ what }) => {
    if (what === "throw") throw new Error("no");
    return what === "write" ? "write" : "read";
  },
  needsApproval: async ({ what }, ctx) => {
    if (what === "throw") throw new Error("no");
    return what === "write" && ctx.session.purpose === "live";
  },
  execute: ({ what }) => what,
});
`,
	"bot/tools/parsed.ts": `
import { defineTool } from "@cursor/bdk/tools";
import { schema } from "../lib/mini.js";
export default defineTool({
  description: "Parses.",
  inputSchema: schema,
  outputSchema: schema,
  execute: ({ n }) => ({ n: n - 1 }),
});
`,
	"bot/tools/throws.ts": `
import { defineTool } from "@cursor/bdk/tools";
export default defineTool({
  description: "Throws.",
  inputSchema: { type: "object" },
  execute() {
    throw new Error("the shelf is empty");
  },
});
`,
	"bot/tools/envelope.ts": `
import { defineTool } from "@cursor/bdk/tools";
export default defineTool({
  description: "Answers as MCP does.",
  inputSchema: { type: "object", properties: { how: { type: "string" } } },
  outputSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
  execute({ how }) {
    const text = (text: string) => [{ type: "text", text }];
    switch (how) {
      case "failed":
        return { content: [...text("first"), ...text("<second> & third")], isError: true };
      case "mute":
        return { content: [{ type: "image", data: "", mimeType: "image/png" }], isError: true };
      case "wrong":
        return { content: text("x"), structuredContent: { ok: "yes" } };
      case "none":
        return { content: text("x") };
      case "own":
        return { content: text("x"), ok: true };
      default:
        return { content: text("x"), structuredContent: { ok: true } };
    }
  },
});
`,
	"bot/tools/knows.ts": `
import { defineTool } from "@cursor/bdk/tools";
export default defineTool({
  description: "Says what it knows.",
  inputSchema: { type: "object" },
  execute: (input, ctx) => ({ input, id: ctx.toolCallId, turn: ctx.turnId, agent: ctx.agent.name, session: ctx.session.id, now: ctx.now() }),
});
`,
}

func loadCalls(t *testing.T) *agent.Agent { return loadFiles(t, callFiles) }

func callOf(tool, args string) *agent.Call {
	return &agent.Call{
		ID: "call_1", Tool: tool, TurnID: "turn_1", Args: json.RawMessage(args), Agent: "calls",
		Session: agent.Session{ID: "s_1", Purpose: "live", Mode: "conversation", ChannelID: "cli"},
		Now:     func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) },
	}
}

func TestPrepare_WhatHoldsForTheCall(t *testing.T) {
	t.Parallel()
	a := loadCalls(t)
	for _, c := range []struct {
		tool, args string
		want       string
	}{
		{"plain", `{"n":9007199254740991}`, `{"n":9007199254740991} write true`},
		{"plain", `{"n":12345678901234567890}`, "invalid input: n: is a whole number that JavaScript would round to 12345678901234567000; send it as a string"},
		{"parsed", `{"n":9007199254740993}`, "invalid input: n: is a whole number that JavaScript would round to 9007199254740992; send it as a string"},
		{"plain", `{"n":"1"}`, "invalid input: n: must be an integer, not a string"},
		{"plain", `{}`, "invalid input: n: is required"},
		{"decides", `{"what":"write"}`, `{"what":"write"} write true`},
		{"decides", `{"what":"read"}`, `{"what":"read"} read false`},
		// "one that throws counts as `write`", "one that throws counts as `true`"
		{"decides", `{"what":"throw"}`, `{"what":"throw"} write true`},
		{"decides", `{"what":1}`, "invalid input: what: must be a string, not a number"},
		{"parsed", `{"n":"7"}`, `{"n":7} read false`},
		{"parsed", `{"n":0}`, "invalid input: n: must be above 0"},
		{"knows", ``, `{} read false`},
	} {
		p, err := a.Tool(c.tool).Prepare(context.Background(), callOf(c.tool, c.args))
		got := strings.Join([]string{string(p.Input), p.Effect, map[bool]string{true: "true", false: "false"}[p.NeedsApproval]}, " ")
		if err != nil {
			got = err.Error()
			var input *agent.InputError
			if !errors.As(err, &input) {
				t.Errorf("%s %s: the error is a %T", c.tool, c.args, err)
			}
		}
		if got != c.want {
			t.Errorf("%s %s is prepared as %s, want %s", c.tool, c.args, got, c.want)
		}
	}
}

func TestExecute_Results(t *testing.T) {
	t.Parallel()
	a := loadCalls(t)
	for _, c := range []struct {
		tool, args string
		want       string
	}{
		{"plain", `{"n":4}`, `{"twice":8}`},
		{"plain", `{"n":400}`, `invalid_output "the tool's result does not fit its output schema: twice: must be at most 100"`},
		{"parsed", `{"n":3}`, `{"n":2}`},
		{"parsed", `{"n":1}`, `invalid_output "the result does not fit outputSchema: n: must be above 0"`},
		{"throws", `{}`, "the shelf is empty"},
		{"decides", `{}`, "null"},
		{"envelope", `{}`, `{"content":[{"type":"text","text":"x"}],"structuredContent":{"ok":true}}`},
		{"envelope", `{"how":"failed"}`, `tool_error "first\n<second> & third"`},
		{"envelope", `{"how":"mute"}`, `tool_error "the tool failed and did not say why"`},
		{"envelope", `{"how":"wrong"}`, `invalid_output "the tool's result does not fit its output schema: ok: must be a boolean, not a string"`},
		{"envelope", `{"how":"none"}`, `invalid_output "the result has no structuredContent, which the tool's outputSchema asks for"`},
		{"envelope", `{"how":"own"}`, `{"content":[{"type":"text","text":"x"}],"ok":true}`},
		{"knows", `{"a":1}`, `{"input":{"a":1},"id":"call_1","turn":"turn_1","agent":"calls","session":"s_1","now":"2026-03-04T05:06:07.000Z"}`},
	} {
		r, err := a.Tool(c.tool).Execute(context.Background(), callOf(c.tool, c.args))
		got := strings.TrimSpace(r.Code + " " + string(r.Output))
		if err != nil {
			got = err.Error()
		}
		if got != c.want || r.IsError != (r.Code != "") {
			t.Errorf("%s %s gives %s (error %v), want %s", c.tool, c.args, got, r.IsError, c.want)
		}
	}
}

func TestDryRun_AnswersOfTheAuthor(t *testing.T) {
	t.Parallel()
	a := loadCalls(t)
	raw, err := a.Tool("plain").DryRun(context.Background(), callOf("plain", `{"n":4}`))
	if err != nil || string(raw) != `{"would":8}` {
		t.Errorf("the dry run gives %s, %v", raw, err)
	}
	if a.Tool("decides").DryRun != nil {
		t.Error("a tool without dryRunResult has a DryRun, so the default would not be used")
	}
}

// A plain schema and fixed answers need no TypeScript: such calls are prepared
// while the VM is busy, or gone.
func TestPrepare_WithoutTheRuntime(t *testing.T) {
	t.Parallel()
	a := loadCalls(t)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Tool("plain").Prepare(context.Background(), callOf("plain", `{"n":1}`)); err != nil {
		t.Errorf("a call that needs no TypeScript gives %v", err)
	}
	for _, name := range []string{"decides", "parsed"} {
		if _, err := a.Tool(name).Prepare(context.Background(), callOf(name, `{"n":1}`)); !errors.Is(err, script.ErrClosed) {
			t.Errorf("%s on a closed runtime gives %v", name, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Errorf("closing twice gives %v", err)
	}
}

func TestLoad_CheckOnlyLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "calls")
	for name, text := range callFiles {
		writeFile(t, filepath.Join(dir, name), []byte(text))
	}
	agents, err := Load(context.Background(), dir, &Options{Env: []string{}, CheckOnly: true})
	if err != nil || len(agents[0].Tools) != 6 || len(agents[0].Diagnostics) > 0 {
		t.Fatalf("Load gives %v, %v", agents, err)
	}
	if agents[0].Close != nil {
		t.Error("the agent still has something to close")
	}
	if _, err := agents[0].Tool("throws").Execute(context.Background(), callOf("throws", `{}`)); !errors.Is(err, script.ErrClosed) {
		t.Errorf("a call gives %v", err)
	}
}
