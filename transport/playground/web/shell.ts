// What stands around every view: the bar, messages, and the gate of a host that wants a token.
import { askAgents, get, refused, setToken, token } from "./api.js";
import { bar } from "./bar.js";
import { type Child, computed, effect, h, signal, untracked } from "./dom.js";
import { isolated, visible } from "./format.js";
import { place } from "./router.js";
import { agent } from "./views/agent.js";
import { artifacts } from "./views/artifacts.js";
import { chat } from "./views/chat.js";
import { costs } from "./views/costs.js";
import { evals } from "./views/evals.js";
import { logs } from "./views/logs.js";
import { raw } from "./views/raw.js";
import { runs } from "./views/runs.js";
import { schedules } from "./views/schedules.js";
import { trace } from "./views/trace.js";

export interface View {
  name: string;
  title: string;
  render: (id: string, query: URLSearchParams) => Child;
}

/** The views, in the order of the bar. */
export const views: View[] = [chat, runs, evals, artifacts, schedules, agent, costs, logs];

/** The views of one session: they are reached from it, and stand in no bar. */
const ofSession: View[] = [trace, raw];

/** What /v1/info says of the agent. */
export const info = signal<any>(undefined);

/** What the window is called besides its agent. */
export const heading = signal("");

/** The agents of the host, as it tells everybody. */
export const agents = signal<any[]>([]);

const said = signal<string>("");
/** Tells the reader something that went wrong. */
export function say(e: unknown): void {
  said.set(isolated(e instanceof Error ? e.message : String(e)));
}

async function describe(): Promise<void> {
  try {
    const reply = await get("/v1/info");
    info.set(reply.agent);
  } catch (e) {
    if (!refused.peek()) say(e);
  }
}

export function shell(): HTMLElement {
  effect(() => {
    if (info()) document.title = `${visible(heading() || "Playground")} – ${visible(info().name)}`;
  });
  askAgents().then(agents.set, () => undefined); // the page does without
  effect(() => {
    token();
    untracked(() => void describe());
  });
  return h("div", { class: "shell" }, h("a", { class: "skip", href: "#main" }, "Skip to the view"), () => (refused() ? [] : untracked(() => bar(views))), main());
}

function main(): HTMLElement {
  return h(
    "main",
    { id: "main", tabindex: "-1" },
    h("div", { role: "alert", class: "said", hidden: () => said() === "" }, () => said(), h("button", { type: "button", onclick: () => said.set("") }, "Close")),
    () => (refused() ? gate() : view()),
  );
}

// A view is made anew for another view or id, and not when only the query changes.
const where = computed(() => `${place().view}/${place().id}`);
function view(): Child {
  where();
  const v = [...views, ...ofSession].find((v) => v.name === place.peek().view) ?? views[0];
  return untracked(() => v.render(place.peek().id, place.peek().query));
}

function gate(): HTMLElement {
  const input = h("input", { type: "password", autocomplete: "off", spellcheck: "false", id: "token-gate", value: token, placeholder: "Token" }) as HTMLInputElement;
  queueMicrotask(() => input.focus());
  return h(
    "section",
    { class: "gate" },
    h("h1", null, "This host wants a token"),
    h("p", null, "It is kept in this tab alone, until the tab is closed."),
    token.peek() !== "" && h("p", { role: "alert", class: "bad-text" }, "It does not admit this one."),
    h("form", { class: "gate-form", onsubmit: (e: Event) => (e.preventDefault(), setToken(input.value)) }, h("label", { for: "token-gate" }, "Token"), input, h("button", { type: "submit", class: "main" }, "Use")),
  );
}
