// One artifact: its record, and its contents.
import { ApiError, get, path } from "../../api.js";
import { type Child, cleanup, h, signal } from "../../dom.js";
import { isolated, pretty, visible } from "../../format.js";
import { save } from "../../file.js";
import { reading, nothing } from "../../frame.js";
import { to } from "../../router.js";
import { copy, value } from "../chat/value.js";
import { bytes, fileName } from "./kind.js";
import { preview } from "./preview.js";

export interface Artifact {
  id: string;
  kind: string;
  key: string;
  title: string;
  data?: unknown;
  sessionId: string;
  turnId?: string;
  createdAt: string;
  updatedAt: string;
  size?: number;
  contentType?: string;
  fileName?: string;
  sha256?: string;
  hasContent: boolean;
}

export function record(id: string): Child {
  const found = signal<Artifact | undefined>(undefined), fault = signal("");
  let ended = false;
  cleanup(() => (ended = true));
  get(path`/v1/artifacts/${id}`).then(
    (reply) => ended || found.set(reply.artifact),
    (e) => ended || fault.set(e instanceof ApiError && e.code === "unknown_artifact" ? "There is no such artifact, or no more: the oldest of an owner make room for new ones." : e.message),
  );
  const title = () => (found() ? isolated(found()!.title || found()!.key || id) : "Artifact");
  const tools = () => found() && [h("span", { class: "chip" }, visible(found()!.kind)), found()!.hasContent && h("button", { type: "button", class: "main last", onclick: () => download(found()!) }, "Download")];
  const body = () => {
    if (fault()) return nothing("It cannot be shown.", visible(fault()), ["artifacts", "About artifacts"]);
    return found() ? shown(found()!) : h("p", { class: "dim" }, "…");
  };
  return reading("made-page", { title, above: ["Artifacts", to("artifacts")], tools }, body);
}

const download = (a: Artifact): void => void save(path`/v1/artifacts/${a.id}/content`, fileName(a.fileName || a.key || a.id));

function shown(a: Artifact): Child {
  return h("div", { class: "made-one" }, h("div", { class: "stack made-main" }, h("h2", { class: "sr" }, "Contents"), a.hasContent ? preview(a) : h("p", { class: "dim card" }, "It is a record alone: it has no contents."), a.data != null && h("section", { class: "card" }, value("Data", () => pretty(a.data)))), facts(a));
}

function facts(a: Artifact): HTMLElement {
  const one = (name: string, content: Child) => content !== undefined && content !== "" && content !== false && h("div", null, h("dt", null, name), h("dd", null, content));
  const time = (at: string) => h("time", { datetime: at }, new Date(at).toLocaleString());
  return h(
    "dl",
    { class: "card facts" },
    one("Key", visible(a.key)),
    one("Session", a.sessionId && h("span", { class: "row small" }, h("a", { href: to("chat", a.sessionId) }, "Chat"), h("a", { href: to("trace", a.sessionId) }, "Trace"), h("a", { href: to("artifacts", "", { session: a.sessionId }) }, "Its artifacts"))),
    one("Created", time(a.createdAt)),
    one("Updated", a.updatedAt !== a.createdAt && time(a.updatedAt)),
    one("File", a.fileName && visible(a.fileName)),
    one("Type", a.contentType && visible(a.contentType)),
    one("Size", a.size !== undefined && bytes(a.size)),
    one("SHA-256", a.sha256 && h("span", { class: "mono" }, a.sha256.slice(0, 16), "… ", copy(() => a.sha256!))),
    one("Id", h("span", { class: "mono" }, visible(a.id), " ", copy(() => a.id))),
  );
}
