import {
  defineEval,
  equals,
  EVAL_JUDGE_INJECTION_GUARD,
  fenceUntrusted,
  includes,
  matches,
  normalizedSimilarity,
  satisfies,
  similarity,
} from "@cursor/bdk/evals";
import { loadJson, loadJsonl, loadYaml } from "@cursor/bdk/evals/loaders";
import { z } from "zod";

const rows = await loadYaml<{ task: string; prompt: string; expected: string }[]>("evals/data/cases.yaml");
const more: { n: number }[] = await loadJson("evals/data/cases.json");
const lines = await loadJsonl<{ n: number }>("evals/data/cases.jsonl");

export const single = defineEval({
  tags: ["smoke"],
  async test(t) {
    await t.send("hello");
    t.succeeded();
  },
});

export const withCases = defineEval({
  tags: ["smoke"],
  timeoutMs: 1_000,
  iterations: 3,
  metadata: { n: more.length + lines.length },
  stubs: { inspect: () => ({ ok: true }), other: [1, null] },
  replay: "evals/data/recorded.ndjson",
  cases: [
    {
      id: "one",
      tags: ["slow"],
      async test(t) {
        const turn = await t.send("Review 42.", { workspaceFiles: { "a.txt": "x" }, workspaceDir: "/srv/x" });
        turn.expectOk().calledTool("inspect", { input: { prUrl: /42/, n: (n: number) => n > 1 }, status: "completed", count: 1 });
        t.parked().soft();
        t.notCalledTool("post");
        t.notCalledTool("post", { input: { confirm: true } });
        t.loadedSkill("triage");
        t.toolOrder(["a", "b"]);
        t.usedNoTools().atLeast(0.5);
        t.maxToolCalls(3);
        t.noFailedActions();
        t.calledSubagent("critic", { callId: "c", output: includes.name });
        t.taggedArtifact("book", (artifact) => artifact.key === "k");
        t.event("turn.completed", { data: { result: "x" }, count: 1 });
        t.notEvent("turn.failed");
        t.eventOrder(["turn.started", { type: "turn.completed" }]);
        t.eventsSatisfy("short", (events) => events.length < turn.index + t.iteration + t.iterations);
        t.check(t.reply, includes(/Approve/i)).gate();
        t.check(t.reply, includes("Approve"));
        t.check(turn.toolCalls[0]?.input, equals({ a: 1 }));
        t.check(turn.message, matches(z.string()));
        t.check(t.reply, satisfies((reply) => typeof reply === "string" && reply.length > 1, "says something"));
        t.check(t.reply, similarity("Approve")).atLeast(0.8);
        t.score("near", normalizedSimilarity(t.reply, "x"));
        const call = t.requireToolCall("inspect", { output: { ok: true } });
        const asked = t.requireInputRequest();
        const id: string = t.require(asked.data.callId);
        t.judge.factuality("x").atLeast(0.8);
        t.judge.summarizes("x", { on: call.output });
        t.judge.closedQA("names the step", { model: "m" }).gate(1);
        t.judge.sql("select 1");
        await t.judge.model(`${EVAL_JUDGE_INJECTION_GUARD}\n${fenceUntrusted(t.reply)}${id}`);
        await fetch("https://example.com", { signal: t.signal });
        t.succeeded().gate();
        t.eventOrder([["turn.started", { type: "action.result", data: { isError: false }, count: 2 }], "turn.completed"]);
        t.calledTool("inspect", { input: { pr: includes("42"), at: [1, /x/] }, status: (s) => s !== "failed", count: (n) => n < 3 });
        t.requireInputRequest({ toolName: "merge" });
        const again = await (turn.ok ? t.approve(asked.data.callId) : t.deny("too big"));
        t.log(again.message, t.toolCalls.map((c) => c.stubbed));
        await t.send("x", { stubs: { inspect: { ok: true }, post: async (input) => ({ id: input.id }) } });
        if (t.iteration > 1) t.skip("once is enough");
        return [t.turns, t.events, t.sessionId, turn.sessionId, turn.ok];
      },
    },
  ],
});

// @ts-expect-error a test or cases
defineEval({ tags: ["x"] });
// @ts-expect-error the option is required
export const config: Parameters<typeof import("@cursor/bdk/evals").defineEvalConfig>[0] = {};

export default rows.map((row) =>
  defineEval({
    description: row.task,
    async test(t) {
      await t.send(row.prompt);
      t.check(t.reply, includes(row.expected));
    },
  }),
);
