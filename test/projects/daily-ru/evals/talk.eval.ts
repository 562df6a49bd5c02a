import { defineEval, includes, similarity } from "@cursor/bdk/evals";
import { loadYaml } from "@cursor/bdk/evals/loaders";

interface Row {
  task: string;
  prompt: string;
  expected: string;
  tools: string[];
}

const rows = await loadYaml<Row[]>("evals/data/talk.yaml");

export default rows.map((row) =>
  defineEval({
    description: row.task,
    metadata: { prompt: row.prompt },
    async test(t) {
      await t.send(row.prompt);
      t.succeeded();
      for (const name of row.tools) t.calledTool(name, { status: "completed" });
      if (row.tools.length === 0) t.usedNoTools();
      t.check(t.reply, includes(row.expected));
      t.check(t.reply, similarity(row.expected)).soft();
    },
  }),
);
