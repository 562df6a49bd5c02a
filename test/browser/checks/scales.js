// One scale of spacing, one of type, and targets that a finger meets.
(() => {
  const { controls } = t, { at, apart, big, everything, floats, visibleBox, withText } = look;
  const visibleRect = (el) => { const { left, top, right, bottom } = visibleBox(el); return new DOMRect(left, top, right - left, bottom - top); };
  const tokens = (prefix) => {
    const s = getComputedStyle(document.documentElement);
    return Array.from({ length: 7 }, (_, i) => s.getPropertyValue(`--${prefix}${i + 1}`)).filter(Boolean).map(parseFloat);
  };
  /** "One spacing scale, one type scale": what text and boxes have is among the tokens. */
  checks.scales = () => {
    const root = getComputedStyle(document.documentElement), found = new Set();
    const sizes = ["small", "body", "large", "title", "head"].map((n) => parseFloat(root.getPropertyValue("--t-" + n)));
    const spaces = new Set([0, 1, 2, ...tokens("s")]); // 1 and 2: hairlines between what belongs together
    if (sizes.filter((n) => n > 0).length < 4 || spaces.size < 10) return ["the page has no scales"];
    for (const el of withText()) {
      const size = parseFloat(getComputedStyle(el).fontSize);
      if (!sizes.includes(size)) found.add(`${at(el)} has letters of ${size} px, which no token has`);
    }
    for (const el of everything()) {
      if (apart(el) || (el.textContent === "" && getComputedStyle(el).position === "absolute")) continue; // drawn
      const nested = el.closest("[aria-level]") !== null, s = el.computedStyleMap();
      for (const p of ["padding-left", "padding-right", "padding-top", "padding-bottom", "margin-left", "margin-right", "margin-top", "margin-bottom", "row-gap", "column-gap"]) {
        const v = s.get(p);
        if (v?.unit === "px" && !spaces.has(Math.abs(v.value)) && !(nested && p === "padding-left" && v.value % 4 === 0)) found.add(`${at(el)} has a ${p} of ${v.value} px, which no token has`);
      }
    }
    return [...found];
  };

  /** Targets are at least 24 px high and wide, or have that room to themselves; links in
   *  running text are as high as it is. */
  checks.targets = () => {
    const found = [], box = (el) => el.getBoundingClientRect(), fits = (r) => r.width >= 23.5 && r.height >= 23.5;
    const pressed = "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=slider], [role=switch], [role=checkbox], [role=menuitem]";
    const all = controls().filter((el) => el.matches(pressed) && !apart(el) && el.tagName !== "OPTION" && big(visibleBox(el)));
    for (const el of all) {
      const r = box(el), [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
      if ([el, ...(el.labels ?? [])].some((e) => fits(box(e))) || (el.tagName === "A" && getComputedStyle(el).display === "inline" && el.closest("p, .md, .markdown, .prose"))) continue;
      const near = all.find((o) => {
        if (o === el || o.contains(el) || el.contains(o) || floats(o) !== floats(el)) return false;
        const b = visibleRect(o), small = !fits(b), px = small ? b.left + b.width / 2 : Math.max(b.left, Math.min(x, b.right)), py = small ? b.top + b.height / 2 : Math.max(b.top, Math.min(y, b.bottom));
        return Math.hypot(px - x, py - y) < (small ? 24 : 12);
      });
      if (near) found.push(`${at(el)} is ${r.width.toFixed(1)} × ${r.height.toFixed(1)} px and too near to ${at(near)}`);
    }
    return found;
  };
})();
