import { defineEval, includes } from "@cursor/bdk/evals";

export default defineEval({
  tags: ["smoke", "weather"],
  cases: [
    {
      id: "observer",
      description: "Sends the observer to each station.",
      async test(t) {
        await t.send("what is it like out there?");
        t.succeeded();
        t.calledSubagent("observer", { count: 2 });
        t.calledTool("read_gauge", { input: { station: "Tower" }, status: "completed", count: 1 });
      },
    },
    {
      id: "knots",
      description: "Names the wind of Skerry in knots, and not in metres a second, whatever the unit of the gauge is.",
      async test(t) {
        await t.send("look at Skerry");
        t.log("the gauge says 42");
        t.usedNoTools();
        t.check(t.reply, includes("42 knots, which is a storm by the rules of this coast"));
        t.judge.closedQA("names the wind").atLeast(0.8);
      },
    },
    { id: "consent", description: "Asks before the lamp is touched.", tags: ["lamp"], async test(t) { await t.send("trim the north lamp"); t.parked(); } },
    { id: "radio", description: "Hails a ship.", tags: ["radio"], test: (t) => t.skip("the aerial is down") },
  ],
});
