import { defineEval, includes } from "@cursor/bdk/evals";

// Each fortieth berth is one that the desk does not know.
export default defineEval({
  tags: ["depths"],
  cases: Array.from({ length: 200 }, (_, n) => ({
    id: `berth-${String(n + 1).padStart(3, "0")}`,
    description: `Says how deep berth ${n + 1} is.`,
    async test(t) {
      await t.send(`How deep is berth B${n + 1}?`);
      t.succeeded();
      t.check(t.reply, includes(n % 40 === 39 ? "is not charted" : "4.2 metres"));
    },
  })),
});
