// Links to the host's documentation, which a host may be told not to serve.
import { type Child, h } from "./dom.js";

/** Where the documentation is; undefined where the host serves none. */
export const guides = (): string | undefined => document.querySelector("link[rel=help]")?.getAttribute("href") ?? undefined;

/** Words that lead to a page of the documentation where there is one, and stand by themselves
 *  where there is none. */
export function guide(page: string, words: Child, more = ""): HTMLElement {
  const root = guides();
  return root ? h("a", { href: `${root}/${page}`, class: more }, words) : h("span", { class: more }, words);
}
