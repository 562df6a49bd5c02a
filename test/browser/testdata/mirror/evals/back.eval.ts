import { defineEval, includes } from "@cursor/bdk/evals";

const hostile = `<img src=x onerror="window.__xss=1"> [x](javascript:window.__xss=1) <script>window.__xss=1</script>`;

export default defineEval({
  cases: [
    {
      id: "hostile",
      description: hostile,
      async test(t) {
        await t.send(hostile);
        t.check(t.reply, includes(hostile + " that is not there"));
      },
    },
  ],
});
