// What the tree's row says in full.
import { type Child, h } from "../../dom.js";
import { duration, pretty, visible } from "../../format.js";
import { to } from "../../router.js";
import type { Model } from "./model.js";
import { find as findResult } from "./sums.js";
import type { Node } from "./tree.js";

export function about(m: Model, id: string): Child {
  const leaf = id === "" ? undefined : find(m.whole(), id)?.leaf, c = leaf?.case;
  if (!leaf) return [];
  const run = m.now()?.run(), seen = findResult(run?.results ?? [], id);
  const facts: [string, Child][] = [];
  if (c) facts.push(["File", h("span", { class: "mono" }, visible(c.file))], ["Time limit", duration(c.timeoutMs)]);
  if (c && c.iterations > 1) facts.push(["Iterations", String(c.iterations)]);
  if (c && c.tags.length > 0) facts.push(["Tags", visible(c.tags.join(", "))]);
  if (c?.replay) facts.push(["Recording", visible(c.replay)]);
  for (const [k, v] of Object.entries(c?.metadata ?? {})) facts.push([visible(k), pretty(v)]);
  return h(
    "section",
    { class: "evals-about", "aria-label": "The case" },
    h("div", { class: "row" }, h("h2", { class: "mono" }, visible(id)), h("span", { class: "grow" }), seen && run && h("a", { class: "small", href: to("evals", run.runId, { case: seen.id }) }, "Its last result")),
    c?.description && h("p", null, visible(c.description)),
    leaf.broken !== undefined && h("p", { class: "bad-text" }, visible(leaf.broken)),
    h("dl", { class: "evals-facts" }, facts.map(([k, v]) => h("div", null, h("dt", null, k), h("dd", null, v)))),
  );
}

function find(n: Node, id: string): Node | undefined {
  return n.id === id ? n : n.children.map((c) => (id === c.id || id.startsWith(c.id + "/") ? find(c, id) : undefined)).find(Boolean);
}
