// The evals of the project: what there is, how it goes, and how it went.
import { type Child, h } from "../dom.js";
import { filling, nothing, reading } from "../frame.js";
import { guide, guides } from "../guide.js";
import type { View } from "../shell.js";
import { cases, caseTools } from "./evals/cases.js";
import { faults } from "./evals/faults.js";
import { history } from "./evals/history.js";
import { live } from "./evals/live.js";
import { model } from "./evals/model.js";
import { run } from "./evals/run.js";

export const evals: View = { name: "evals", title: "Evals", render: (id, query) => (id === "" ? home() : run(id, query)) };

function home(): Child {
  const m = model();
  return () => (m.refused() ? withheld() : m.missing() ? none() : filling("", { title: "Evals", tools: caseTools(m) }, h("div", { class: "evals" }, cases(m), h("section", { class: "evals-side", "aria-label": "Runs" }, live(m), faults(m), history(m)))));
}

const withheld = (): HTMLElement => filling("", { title: "Evals" }, nothing("Evals cannot be shown.", "They are for those whom the host itself admits: on its machine, or with its token.", ["security", "Who may see what"]));

function none(): HTMLElement {
  const sample = `// evals/hello.eval.ts
import { defineEval, includes } from "@cursor/bdk/evals";

export default defineEval({
  description: "Says hello.",
  async test(t) {
    await t.send("Hello!");
    t.succeeded();
    t.check(t.reply, includes(/hello/i));
  },
});`;
  const config = `// evals/evals.config.ts
import { defineEvalConfig } from "@cursor/bdk/evals";

export default defineEvalConfig({ maxConcurrency: 4 });`;
  return reading(
    "evals-none",
    { title: "Evals" },
    h("h2", null, "This project has no evals yet"),
    h("p", null, "An eval sends fixed messages to the agent in a session of its own, and says whether its turns, tools and words keep a contract. To begin, put two files into the project, then load this page again."),
    h("pre", { tabindex: "0", "aria-label": "The configuration" }, config),
    h("pre", { tabindex: "0", "aria-label": "A first eval" }, sample),
    guides() && h("p", null, guide("evals", "All about evals"), " in the docs."),
  );
}
