import { defineEval, includes, satisfies } from "@cursor/bdk/evals";

const verdict = /^Verdict: (good to merge|not yet, .+)\.$/m;

export default defineEval({
  tags: ["review"],
  cases: [
    {
      id: "looks-first",
      description: "Looks at the change and its checks, each once, before it judges.",
      tags: ["smoke"],
      async test(t) {
        await t.send("review 7");
        t.succeeded();
        t.toolOrder(["inspect_pr", "list_checks"]);
        t.maxToolCalls(2);
        t.calledTool("inspect_pr", { output: { number: 7, complexity: "low" }, count: 1 });
        t.check(t.reply, includes(/good to merge/));
      },
    },
    {
      id: "names-the-obstacle",
      async test(t) {
        const turn = await t.send("Please review 9.");
        turn.expectOk();
        t.calledTool("list_checks", { input: { prUrl: /pull\/9$/ }, status: "completed" });
        t.check(t.reply, satisfies((text) => verdict.exec(String(text))?.[1] === "not yet, not green: test", "names the red check"));
      },
    },
    {
      id: "judges-nothing-that-it-cannot-see",
      async test(t) {
        await t.send("review https://github.com/a/b/issues/1");
        t.calledTool("inspect_pr", { status: "failed" });
        t.check(t.reply, includes("I cannot review that."));
        t.check(t.reply, satisfies((text) => !verdict.test(String(text)), "gives no verdict"));
      },
    },
  ],
});
