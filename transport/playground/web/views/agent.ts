// What the agent is made of, and what was found wrong with it.
import { askAgents, get } from "../api.js";
import { type Child, computed, h, signal } from "../dom.js";
import { count, isolated, pretty, visible } from "../format.js";
import { reading } from "../frame.js";
import { guide } from "../guide.js";
import { poll } from "../poll.js";
import { to } from "../router.js";
import { say, type View } from "../shell.js";
import { channels } from "./agent/channels.js";
import { diagnostics } from "./agent/diagnostics.js";
import { chips, entry, folded, section } from "./agent/parts.js";
import { tool } from "./agent/tool.js";

export const agent: View = { name: "agent", title: "Agent", render: () => show() };

function show(): Child {
  const reply = signal<any>(undefined), faults = signal<any[]>([]);
  let last = "";
  poll(async () => {
    try {
      const now = await get("/v1/info"), one = (await askAgents()).find((a) => a.slug === now.agent.slug);
      now.agent.description = one?.description;
      const text = JSON.stringify(now);
      if (text !== last) reply.set(now); // what is unfolded stays so
      last = text;
    } catch (e) {
      if (!reply.peek()) say(e);
    }
  }, 10_000);
  // Asking the connections for their tools can take a while, so that is done once.
  get("/v1/tools").then((r) => faults.set(r.connectionErrors ?? []), () => undefined);
  const parts = computed(() => (reply() ? sections(reply().agent, reply().extensions ?? [], faults) : []));
  const jumps = () => reply() && jumpers(parts().filter(filled));
  return reading("made-of", { title: "Agent", tools: jumps }, () => (reply() ? whole(reply(), parts()) : h("p", { class: "dim" }, "…")));
}

const filled = (p: Part): boolean => p.items.length > 0;

function jumpers(parts: Part[]): HTMLElement {
  const jump = (title: string) => document.getElementById(`part-${title}`)?.scrollIntoView({ block: "start" });
  return h("nav", { class: "jumps small", "aria-label": "Parts" }, parts.map((p) => h("button", { type: "button", class: "plain small", onclick: () => jump(p.title) }, p.title, " ", h("span", { class: "dim num" }, p.items.length))));
}

function whole(reply: any, parts: Part[]): Child {
  const missing = parts.filter((p) => !filled(p));
  return [
    overview(reply.agent),
    diagnostics(reply.diagnostics ?? []),
    parts.filter(filled).map((p) => section(`part-${p.title}`, p.title, p.items.map(p.make))),
    missing.length > 0 && h("section", { class: "stack-small" }, h("h2", { class: "dim" }, "What it could have"), h("p", { class: "row small" }, missing.map((p) => guide(p.title.toLowerCase(), p.title)))),
  ];
}

const size = (i: any): string => (i?.dynamic ? "made for each session" : `${count(i?.chars ?? 0)} characters`);

function overview(a: any): HTMLElement {
  return h("section", { class: "card stack" }, h("div", { class: "row" }, h("h2", { class: "agent-name" }, isolated(a.name)), h("span", { class: "dim mono small" }, visible(a.slug))), a.description && h("p", { class: "part-about" }, isolated(a.description)), facts(a));
}

function facts(a: any): HTMLElement {
  const one = (name: string, value: Child) => h("div", null, h("dt", null, name), h("dd", null, value));
  return h("dl", { class: "overview" }, one("Model", h("code", null, visible(a.model || "none"))), one("Instructions", size(a.instructions)), one("Runtime", visible(a.runtime)), a.extra && one("Accepted, without effect here", folded("Fields", () => pretty(a.extra))));
}

interface Part {
  title: string;
  items: any[];
  make: (item: any) => Child;
}

function sections(a: any, extensions: any[], faults: () => any[]): Part[] {
  const part = (title: string, items: any[] | undefined, make: (x: any) => Child): Part => ({ title, items: items ?? [], make });
  return [
    part("Tools", a.tools, tool),
    part("Skills", a.skills, (s) => entry(visible(s.name), s.description, [], s.source)),
    part("Subagents", a.subagents, (s) => entry(visible(s.name), s.description, chips(size(s.instructions)), s.source)),
    part("Connections", a.connections, (c) => entry(visible(c.name), c.description, [chips(c.kind, c.hostOnly && "for tools alone", !c.advertiseTools && "tools not shown to the model")], c.source, () => failing(faults(), c.name))),
    part("Channels", a.channels, (c) => channels(c, a.channels)),
    part("Hooks", a.hooks, (x) => entry(visible(x.name), "", chips(...x.events), x.source)),
    part("Schedules", a.schedules, (s) => entry(visible(s.id), "", [chips(s.cron, s.timeZone), h("a", { class: "small", href: to("schedules") }, "Schedules")], s.source)),
    part("Artifacts", a.artifacts, (k) => entry(visible(k.kind), k.description, h("a", { class: "small", href: to("artifacts", "", { kind: k.kind }) }, "Those there are"), undefined, k.schema && folded("Schema", () => pretty(k.schema)))),
    part("Extensions", extensions, extension),
  ];
}

function failing(faults: any[], name: string): Child {
  const f = faults.find((f) => f.connection === name);
  return f && h("p", { class: "failure small", role: "status" }, visible(f.message));
}

function extension(m: any): Child {
  const brought = (m.contributions ?? []).map((c: any) => `${c.slot}: ${c.name}${c.overlay ? ` (${c.overlay})` : ""}`);
  return entry(visible(m.namespace), m.description, chips(`${brought.length} contributions`), m.source, [(m.notes ?? []).map((n: string) => h("p", { class: "small dim" }, visible(n))), brought.length > 0 && folded("What it brings", () => brought.join("\n"))]);
}
