// Where the page is: "#/view/id?name=value". Links are plain anchors.
import { signal } from "./dom.js";

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
