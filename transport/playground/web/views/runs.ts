// What was run: sessions and runs of evals, to be found again.
import { type Child, cls, h } from "../dom.js";
import { to } from "../router.js";
import type { View } from "../shell.js";
import { evalRuns } from "./runs/evals.js";
import { sessions } from "./runs/sessions.js";

export const runs: View = { name: "runs", title: "Runs", render: (id, query) => h("div", { class: "runs" }, h("h1", { class: "sr" }, "Runs"), kinds(id), id === "evals" ? evalRuns(query) : sessions(query)) };

function kinds(id: string): Child {
  const one = (name: string, title: string) => h("a", { class: cls("tab", id === name && "on"), href: to("runs", name), "aria-current": id === name ? "page" : null }, title);
  return h("nav", { class: "runs-kinds", "aria-label": "Kinds of runs" }, one("", "Sessions"), one("evals", "Eval runs"));
}
