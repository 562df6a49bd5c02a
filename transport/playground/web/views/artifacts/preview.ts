// Looks into the contents of an artifact: images from a copy that the page made, all else as
// text. Nothing that is shown can load or run anything.
import { path } from "../../api.js";
import { type Child, cleanup, h, signal } from "../../dom.js";
import { visible } from "../../format.js";
import { contents } from "../../file.js";
import { markdown } from "../../markdown.js";
import { layout } from "../../rawjson.js";
import { bytes, type Shape, shape, typeOf } from "./kind.js";
import type { Artifact } from "./record.js";

const mostText = 256 << 10, mostImage = 20 << 20;

export function preview(a: Artifact): Child {
  const kind = shape(a.contentType, a.fileName), size = a.size ?? 0;
  if (kind === "none") return note(`There is no preview of ${visible(a.contentType || "such a file")}. Download it to look at it.`);
  if (size === 0) return note("The file is empty.");
  if (kind === "image" && size > mostImage) return note(`The image has ${bytes(size)}: too much to show here. Download it to look at it.`);
  const blob = signal<Blob | undefined>(undefined), fault = signal(""), stop = new AbortController();
  cleanup(() => stop.abort());
  contents(path`/v1/artifacts/${a.id}/content`, kind === "image" ? 0 : mostText, stop.signal).then(blob.set, (e) => stop.signal.aborted || fault.set(e instanceof TypeError ? "The host did not answer." : e.message));
  return () => (fault() ? note(visible(fault())) : !blob() ? note("…") : kind === "image" ? image(a, blob()!) : h("div", { class: "stack" }, text(a, kind, blob()!)));
}

const note = (words: string): HTMLElement => h("p", { class: "dim card" }, words);

function image(a: Artifact, from: Blob): Child {
  const url = URL.createObjectURL(new Blob([from], { type: typeOf(a.contentType) })), broken = signal(false);
  cleanup(() => URL.revokeObjectURL(url));
  return () => (broken() ? note("This is no image that the browser can show.") : h("figure", { class: "card made-image" }, h("img", { src: url, alt: visible(a.title || a.fileName || a.key), onerror: () => broken.set(true) })));
}

function text(a: Artifact, kind: Shape, from: Blob): Child {
  const words = signal<string | undefined>(undefined), source = signal(false), cut = (a.size ?? 0) > mostText;
  let ended = false;
  cleanup(() => (ended = true));
  void from.text().then((t) => ended || words.set(t));
  const plain = (t: string) => h("pre", { class: "made-text", tabindex: "0", "aria-label": "Contents" }, visible(t));
  const body = (t: string): Child => {
    if (source()) return plain(t);
    if (kind === "markdown" && !cut) return h("div", { class: "card" }, markdown(() => t, () => true));
    return plain(kind === "json" ? laid(t) : t);
  };
  return [
    (kind === "markdown" || kind === "json") && !cut && h("div", null, h("button", { type: "button", "aria-pressed": () => String(source()), onclick: () => source.set(!source.peek()) }, "Source")),
    cut && h("p", { class: "small dim" }, `These are the first ${bytes(mostText)} of ${bytes(a.size!)}.`),
    () => (words() === undefined ? [] : body(words()!)),
  ];
}

function laid(json: string): string {
  try {
    JSON.parse(json);
  } catch {
    return json; // it calls itself JSON and is none, or it was cut
  }
  return layout(json);
}
