// An instant in two lines: how far it is, and its date.
import { type Child, h } from "../../dom.js";
import { ago, duration } from "../../format.js";
import { until } from "./until.js";

export function when(at: string | undefined, now: number, ahead: boolean): Child {
  if (!at) return h("span", { class: "dim" }, ahead ? "by hand" : "never");
  return [ahead ? until(at, now, duration) : ago(at, now), h("span", { class: "block small dim" }, new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }))];
}
