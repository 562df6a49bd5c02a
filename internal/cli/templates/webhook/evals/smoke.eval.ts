import { defineEval, includes } from "@cursor/bdk/evals";

export default defineEval({
  tags: ["smoke"],
  cases: [
    {
      id: "records",
      description: "Records an alert once, with its service.",
      async test(t) {
        await t.send("alert checkout: down, no answer");
        t.succeeded();
        t.calledTool("record_incident", { input: { service: "checkout", status: "down" }, status: "completed", count: 1 });
        t.check(t.reply, includes(/checkout is down/i));
      },
    },
    {
      id: "looks-before-answering",
      description: "Reads the list before it answers.",
      async test(t) {
        await t.send("what happened?");
        t.succeeded();
        t.calledTool("list_incidents");
        t.notCalledTool("record_incident");
      },
    },
  ],
});
