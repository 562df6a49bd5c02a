// A channel with its routes; those that people may call can be tried.
import { type Child, h } from "../../dom.js";
import { isolated, visible } from "../../format.js";
import { customRoutes, type Route } from "../../routes.js";
import { folding } from "../chat/value.js";
import { tryRoute } from "../try.js";
import { chips, entry } from "./parts.js";

export function channels(c: any, all: any[]): Child {
  const own = customRoutes(all).filter((r) => r.channel === c.id), routes: any[] = c.routes ?? [];
  const list = () => h("ul", { class: "routes" }, routes.map((r) => route(c, r, own.find((o) => o.method === r.method && o.path === r.path))));
  if (c.id !== "http") return entry(visible(c.id), c.description, chips(routes.some((r) => r.ingress) && "a platform calls it"), c.source, list());
  return entry("http", "The host's own interface, which this page uses.", [], undefined, folding({ class: "folded", summary: `${routes.length} routes`, body: list }));
}

function route(c: any, r: any, own: Route | undefined): HTMLElement {
  const where = c.id === "http" ? r.path : `/v1/channels/${c.id}${r.path === "/" ? "" : r.path}`;
  return h(
    "li",
    { class: "route" },
    h("span", { class: "chip accent" }, visible(r.method)),
    h("span", { class: "route-where" }, h("code", null, visible(where)), r.description && h("span", { class: "small dim block" }, isolated(r.description)), r.ingress && h("span", { class: "small dim block" }, "Signed by the platform that calls it")),
    own && h("button", { type: "button", "aria-label": `Try ${r.method} ${visible(where)}`, onclick: () => tryRoute(own) }, "Try"),
  );
}
