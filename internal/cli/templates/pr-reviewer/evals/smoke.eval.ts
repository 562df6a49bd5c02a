import { defineEval, includes } from "@cursor/bdk/evals";

export default defineEval({
  tags: ["smoke"],
  cases: [
    {
      id: "inspects-first",
      description: "Looks at the change and ends with a verdict.",
      async test(t) {
        await t.send("review https://example.com/pull/42");
        t.succeeded();
        t.calledTool("inspect_pr", { input: { prUrl: "https://example.com/pull/42" }, status: "completed" });
        t.notCalledTool("post_review");
        t.check(t.reply, includes(/^Verdict: /m));
      },
    },
    {
      id: "asks-before-posting",
      description: "Posts nothing without a person.",
      async test(t) {
        await t.send("post https://example.com/pull/42");
        t.parked();
        t.calledTool("post_review", { status: "pending" });
      },
    },
  ],
});
