// Where the page is: "#/view/id?name=value". Links are plain anchors.
import { effect, signal, untracked } from "./dom.js";

export interface Place {
  view: string;
  id: string;
  query: URLSearchParams;
}

function read(): Place {
  const [where, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = where.split("/");
  let id = rest.join("/");
  try {
    id = decodeURIComponent(id);
  } catch {
    // it stays as it is written
  }
  return { view: view || "chat", id, query: new URLSearchParams(query ?? "") };
}

export const place = signal(read());
addEventListener("hashchange", () => place.set(read()));

/** The address of a view. */
export function to(view: string, id = "", query: Record<string, string> = {}): string {
  const q = new URLSearchParams(query).toString();
  return `#/${view}${id ? "/" + id.split("/").map(encodeURIComponent).join("/") : ""}${q ? "?" + q : ""}`;
}

export function go(hash: string, replace = false): void {
  if (replace) history.replaceState(null, "", hash);
  else location.hash = hash;
  place.set(read());
}

/** Gives what the address asks of a place, now and when it changes while the page is there:
 *  by a link to the place, or back and forth. */
export function asked(view: string, id: string, f: (query: URLSearchParams) => void): void {
  effect(() => {
    const p = place();
    if (p.view === view && p.id === id) untracked(() => f(p.query));
  });
}
