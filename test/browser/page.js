// What tests do in pages. Nothing here changes a page.
globalThis.t = (() => {
  const shown = (el) => {
    if (!el?.isConnected || !el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const r = el.getBoundingClientRect();
    return r.width > 1 && r.height > 1;
  };
  const words = (x) => (x ?? "").replace(/\s+/g, " ").trim();
  const byIds = (ids) => words(ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" "));

  /** What a control is called, as assistive technology would. */
  const name = (el) => {
    const given = el.getAttribute("aria-labelledby") ? byIds(el.getAttribute("aria-labelledby")) : words(el.getAttribute("aria-label"));
    if (given) return given;
    if (el.labels?.length) return words([...el.labels].map((l) => l.textContent).join(" "));
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName)) return words(el.title);
    return words(text(el)) || words(el.title);
  };
  // The text of an element without what is hidden from everybody.
  const text = (el) => [...el.childNodes].map((n) => (n.nodeType === 3 ? n.data : n.nodeType === 1 && !n.hidden && n.getAttribute("aria-hidden") !== "true" ? n.getAttribute("aria-label") ?? text(n) : "")).join(" ");

  const interactive = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=option], [role=slider], [role=switch], [role=checkbox], [role=menuitem], [contenteditable=true], [tabindex]:not([tabindex='-1'])";
  const controls = () => [...document.querySelectorAll(interactive)].filter(shown);

  /** The control of a name: the one that is called so, or whose name begins so. */
  const control = (wanted) => {
    const all = controls().map((el) => [el, name(el)]);
    return (all.find(([, n]) => n === wanted) ?? all.find(([, n]) => n.startsWith(wanted)))?.[0];
  };

  const middle = (el) => {
    const r = el.getClientRects()[0];
    return [r.left + r.width / 2, r.top + r.height / 2];
  };
  /** Where a pointer meets the element, when it is still, enabled and not covered; else null. */
  const aim = async (find) => {
    const el = find();
    if (!shown(el) || el.disabled) return null;
    el.scrollIntoView({ block: "nearest", inline: "nearest" });
    const before = String(middle(el));
    await new Promise((done) => setTimeout(done, 50));
    if (!shown(el) || el.disabled || String(middle(el)) !== before) return null;
    const met = document.elementFromPoint(...middle(el));
    return el.contains(met) || [...(el.labels ?? [])].some((l) => l.contains(met)) ? middle(el) : null;
  };
  /** Holds when the page has been as it is for a fifth of a second. */
  let changed = performance.now();
  new MutationObserver(() => (changed = performance.now())).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  addEventListener("scroll", () => (changed = performance.now()), true);
  const calm = () => performance.now() - changed > 200 && document.fonts.status === "loaded";
  return { shown, words, name, text, controls, control, aim, calm };
})();
