// The two kinds of runs, each a list of its own.
import { cls, h } from "../../dom.js";
import { to } from "../../router.js";

export function runKinds(at: string): HTMLElement {
  const one = (name: string, title: string) => h("a", { class: cls("tab", at === name && "on"), href: to("runs", name), "aria-current": at === name ? "page" : null }, title);
  return h("nav", { class: "runs-kinds", "aria-label": "Kinds of runs" }, one("", "Sessions"), one("evals", "Eval runs"));
}
