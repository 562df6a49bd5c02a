// The list of headings follows what is read.
export function contents(): void {
  const links = new Map<string, Element>();
  for (const a of document.querySelectorAll<HTMLAnchorElement>(".contents a")) links.set(decodeURIComponent(a.hash.slice(1)), a);
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((x) => x !== null);
  if (headings.length === 0) return;
  const mark = () => {
    const top = 120;
    const current = headings.findLast((x) => x.getBoundingClientRect().top < top) ?? headings[0];
    for (const [id, a] of links) {
      if (id === current.id) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    }
  };
  let asked = false;
  addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => ((asked = false), mark()));
  }, { passive: true });
  mark();
}
