// Calls a route of a channel by hand: a dialog that the agent's page opens.
import { type Child, cleanup, cls, h, root, signal } from "../dom.js";
import { base, host, token } from "../api.js";
import { curl } from "../curl.js";
import { duration, pretty, visible } from "../format.js";
import { go, to } from "../router.js";
import { address, type Field, fields, hasBody, params, queryOf, type Route, sample, taken } from "../routes.js";
import { type Answer, answer as chatAnswer, callRoute, headersOf, issues, parsed } from "./chat/answer.js";
import { copy, value } from "./chat/value.js";

/** What was written for a route the last time; a token never stands in it. */
interface Kept {
  params: Record<string, string>;
  query: string;
  body: string;
}

const keyOf = (r: Route): string => `bdk.try ${base} ${r.method} ${r.channel} ${r.path}`;

function recall(r: Route): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(r)) ?? "");
    if (typeof kept.query === "string" && typeof kept.body === "string") return { params: kept.params ?? {}, query: kept.query, body: kept.body };
  } catch {
    // nothing is kept, or nothing that can be read
  }
  return begin(r);
}

/** What a route is first asked with: what its schemas want. */
function begin(r: Route): Kept {
  const query = r.querySchema && sample(r.querySchema);
  return { params: {}, query: queryOf(typeof query === "object" && query ? { ...query } : {}), body: r.bodySchema ? JSON.stringify(sample(r.bodySchema), null, 2) : "" };
}

function keep(r: Route, k: Kept): void {
  try {
    localStorage.setItem(keyOf(r), JSON.stringify(k));
  } catch {
    // a browser that keeps nothing
  }
}

/** Opens the dialog for a route; it ends when it is closed. */
export function tryRoute(r: Route): void {
  root((end) => {
    const dialog = h("dialog", { class: "try", "aria-labelledby": "try-title", onclose: () => (end(), dialog.remove()), onclick: (e: Event) => e.target === dialog && dialog.close() }, panel(r, () => dialog.close())) as HTMLDialogElement;
    document.body.append(dialog);
    dialog.showModal();
  });
}

function panel(r: Route, close: () => void): HTMLElement {
  const kept = signal(recall(r)), answer = signal<Answer | undefined>(undefined), fault = signal(""), sending = signal(false);
  const set = (more: Partial<Kept>) => {
    kept.set({ ...kept.peek(), ...more });
    fault.set(wrong(r, kept.peek()));
    keep(r, kept.peek());
  };
  let ended = false;
  cleanup(() => (ended = true));
  const where = () => address(r, kept().params, kept().query.trim());
  const send = async () => {
    fault.set(wrong(r, kept.peek()));
    if (fault.peek() || sending.peek()) return;
    sending.set(true);
    try {
      const { params, query, body } = kept.peek(), has = hasBody(r) && body.trim() !== "";
      const a = await callRoute(r, { params, query: query.trim(), body: has ? body : undefined, type: isJSON(r, body) ? "application/json" : "text/plain" });
      if (ended) return;
      if (!a.session) return answer.set(a);
      chatAnswer.set(a); // the conversation shows it
      close();
      go(to("chat", a.session));
    } catch (e) {
      if (!ended) fault.set(e instanceof TypeError ? "The host did not answer." : (e as Error).message);
    } finally {
      sending.set(false);
    }
  };
  const asCurl = () => curl(r.method, host + where(), hasBody(r) && kept().body.trim() ? kept().body : undefined, { token: token.peek() !== "", type: isJSON(r, kept().body) ? undefined : "text/plain" });
  return h(
    "form",
    { class: "try-in", onsubmit: (e: Event) => (e.preventDefault(), void send()), onkeydown: (e: KeyboardEvent) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && (e.preventDefault(), void send()) },
    h("header", { class: "row" }, h("h2", { id: "try-title" }, h("span", { class: "chip accent" }, r.method), " ", h("span", { class: "mono" }, visible(`/v1/channels/${r.channel}${r.path === "/" ? "" : r.path}`))), h("span", { class: "grow" }), h("button", { type: "button", class: "plain", "aria-label": "Close", onclick: close }, "Close")),
    r.description && h("p", { class: "dim" }, visible(r.description)),
    ...params(r.path).map((name) => labelled(visible(name), h("input", { value: () => kept().params[name] ?? "", required: true, oninput: (e: any) => set({ params: { ...kept.peek().params, [name]: e.target.value } }) }))),
    (r.querySchema || !hasBody(r)) && labelled("Query", h("input", { class: "mono", spellcheck: "false", value: () => kept().query, placeholder: "name=value&other=value", oninput: (e: any) => set({ query: e.target.value }) }), about(fields(r.querySchema))),
    hasBody(r) && labelled("Body", h("textarea", { class: "mono", rows: "8", spellcheck: "false", value: () => kept().body, oninput: (e: any) => set({ body: e.target.value }) }), about(fields(r.bodySchema))),
    h(
      "div",
      { class: "row" },
      h("span", { class: "grow bad-text small", role: "alert" }, () => fault()),
      h("button", { type: "button", class: "plain small", onclick: () => set(begin(r)) }, "Start over"),
      copy(asCurl, "Copy as curl"),
      h("button", { type: "submit", class: "main", disabled: () => sending() }, () => (sending() ? "Sending …" : "Send")),
    ),
    () => { const a = answer(); return a && shown(a); },
  );
}

const isJSON = (r: Route, body: string): boolean => r.bodySchema !== undefined || parsed(body) !== undefined;

// wrong says what is not written as it must be; what the schema wants the host says itself.
function wrong(r: Route, k: Kept): string {
  const missing = params(r.path).find((name) => !k.params[name]);
  if (missing) return `${missing}: is part of the path, and is required`;
  const up = params(r.path).find((name) => /^\.\.?$/.test(k.params[name]));
  if (up) return `${up}: a part of the path cannot be . or ..`;
  if (!hasBody(r) || !r.bodySchema) return "";
  try {
    JSON.parse(k.body);
    return "";
  } catch (e) {
    return `The body is no JSON: ${(e as Error).message}`;
  }
}

function labelled(label: string, field: HTMLElement, more?: Child): HTMLElement {
  const id = `try-${label.replace(/\W/g, "-")}`;
  field.id = id;
  return h("div", { class: "try-field" }, h("label", { for: id }, label), field, more);
}

function about(list: Field[]): Child {
  return list.length > 0 && h("p", { class: "small dim" }, list.map((f) => `${visible(f.name)}${f.required ? "" : "?"}: ${visible(taken(f))}`).join(", "));
}

function shown(a: Answer): HTMLElement {
  const ok = a.status < 400;
  return h(
    "section",
    { class: "try-answer", "aria-label": "Answer", role: "status" },
    h(
      "div",
      { class: "row" },
      h("span", { class: cls("chip", ok ? "good" : "bad") }, String(a.status)),
      h("span", { class: "dim small num" }, duration(a.took)),
      h("span", { class: "grow" }),
    ),
    issues(a.json),
    headersOf(a.headers),
    a.text !== "" ? value("Answer", () => (a.json === undefined ? a.text : pretty(a.json))) : h("p", { class: "dim" }, "The answer has no body."),
  );
}
