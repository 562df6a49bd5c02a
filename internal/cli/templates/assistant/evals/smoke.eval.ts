import { defineEval, includes } from "@cursor/bdk/evals";

export default defineEval({
  tags: ["smoke"],
  cases: [
    {
      id: "adds",
      description: "Puts a task on the list.",
      async test(t) {
        await t.send("add buy milk");
        t.succeeded();
        t.calledTool("add_task", { input: { title: /milk/i }, status: "completed", count: 1 });
        t.check(t.reply, includes(/milk/i));
      },
    },
    {
      id: "asks-before-clearing",
      description: "Removes nothing without a person.",
      async test(t) {
        await t.send("clear the list");
        t.parked();
        t.calledTool("clear_tasks", { status: "pending" });
      },
    },
  ],
});
