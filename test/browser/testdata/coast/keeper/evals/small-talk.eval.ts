import { defineEval, includes } from "@cursor/bdk/evals";

export default ["Hello!", "Привет, маяк", "مرحبا"].map((message) =>
  defineEval({
    description: `Answers ${message}`,
    async test(t) {
      await t.send(message);
      t.check(t.reply, includes(message));
    },
  }),
);
