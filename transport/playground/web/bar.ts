// The bar over every view: the host's agents, the views, the documentation, the token.
import { setToken, token } from "./api.js";
import { type Child, cleanup, cls, computed, effect, h, signal } from "./dom.js";
import { isolated } from "./format.js";
import { guides } from "./guide.js";
import { place, to } from "./router.js";
import { agents, info, type View } from "./shell.js";
import { icon } from "./views/trace/icons.js";

export function bar(views: View[]): HTMLElement {
  return h("header", { class: "bar" }, agent(), tabs(views), h("span", { class: "grow" }), docs(), tokenField());
}

// agent says whose page this is, and leads to the others of the host.
function agent(): HTMLElement {
  const name = () => isolated(info()?.name ?? "…"), mark = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "";
  return h(
    "div",
    { class: "bar-agent" },
    h("a", { class: "bar-home", href: "/", "aria-label": "All agents", title: "All agents" }, h("img", { src: mark, alt: "", "aria-hidden": "true" })),
    h("a", { class: "agent", href: to("chat"), title: name }, name),
    others,
  );
}

function others(): Child {
  const shown = agents().filter((a) => a.playgroundUrl);
  if (shown.length < 2) return [];
  const one = (a: any) => h("li", null, h("a", { class: "tab", href: new URL(a.playgroundUrl, location.href).pathname, "aria-current": () => a.slug === info()?.slug && "page" }, isolated(a.name)));
  return [
    h("button", { type: "button", class: "plain square", popovertarget: "agents", "aria-label": "Other agents", title: "Other agents" }, icon("open")),
    h("nav", { id: "agents", class: "card bar-agents", popover: "auto", "aria-label": "Agents" }, h("ul", null, shown.map(one))),
  ];
}

function tabs(views: View[]): HTMLElement {
  const nav = h("nav", { "aria-label": "Views" }, views.map((v) => h("a", { href: to(v.name), class: () => cls("tab", place().view === v.name && "on"), "aria-current": () => place().view === v.name && "page" }, v.title)));
  // On a narrow page the bar scrolls; the view that is open stays in sight.
  const seen = () => nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  const sized = new ResizeObserver(seen);
  sized.observe(nav);
  cleanup(() => sized.disconnect());
  effect(() => {
    place();
    queueMicrotask(seen);
  });
  return nav;
}

// The page's head has the link where the host serves documentation.
function docs(): Child {
  return guides() && h("a", { class: "tab", href: guides() }, "Docs");
}

// The field is there always, and its button when it would do something.
function tokenField(): HTMLElement {
  const typed = signal(token.peek()), fresh = computed(() => typed().trim() !== token());
  const input = h("input", { type: "password", autocomplete: "off", spellcheck: "false", id: "token", value: typed, placeholder: "Token", oninput: () => typed.set(input.value) }) as HTMLInputElement;
  const use = (value: string) => {
    setToken(value);
    typed.set(token.peek());
    input.focus(); // the button that was pressed goes
  };
  return h(
    "form",
    { class: "token", onsubmit: (e: Event) => (e.preventDefault(), use(input.value)) },
    h("label", { class: "sr", for: "token" }, "Token"),
    input,
    h("button", { type: "submit", class: "plain", hidden: () => !fresh() || typed().trim() === "" }, "Use"),
    h("button", { type: "button", class: "plain", hidden: () => token() === "" || (fresh() && typed().trim() !== ""), "aria-label": "Forget the token", onclick: () => use("") }, "Forget"),
  );
}
