// Where the focus is, whether that can be seen, and whether it goes the way the eye does.
(() => {
  const { shown } = t, { at, apart, ground, over, ratio, rgba } = look;
  let before, first;
  const ringed = (e) => { const s = getComputedStyle(e); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1; };

  /** Begins a walk at the first control of the page, or of the dialog that is open. */
  checks.begin = () => {
    before = first = undefined;
    const all = t.controls().filter((el) => el.matches("a, button, input, select, textarea, [tabindex]")), dialog = document.querySelector("dialog[open]");
    all.find((el) => !el.disabled && (dialog ? dialog.contains(el) : true))?.focus();
    return true;
  };

  /** What the focus came to, and what is wrong with that; null at the end of the page, and
   *  where it began. */
  checks.focus = () => {
    const el = document.activeElement, faults = [];
    if (!el || el === document.body || el === first) return null;
    let box = el; // a field may be marked by the box that it stands in
    for (let n = 0; n < 3 && /^(TEXTAREA|INPUT)$/.test(el.tagName) && !ringed(box) && box.parentElement; n++) box = box.parentElement;
    if (!shown(el)) faults.push(`the focus is on ${at(el)}, which is not shown`);
    else if (el.tagName !== "MAIN" && !/^date/.test(el.type)) { // the browser marks the part of a date itself
      const below = ground(box.parentElement), r = ringed(box) ? ratio(over(rgba(getComputedStyle(box).outlineColor), below), below) : 0;
      if (r < 3) faults.push(r === 0 ? `nobody sees that the focus is on ${at(el)}` : `the ring of ${at(el)} has a contrast of ${r.toFixed(2)}`);
      if (covered(el)) faults.push(`${at(el)} has the focus and is covered by ${at(covered(el))}`);
    }
    if (before?.isConnected && !apart(before) && goesBack(before, el)) faults.push(`the focus goes back from ${at(before)} to ${at(el)}`);
    first ??= el;
    before = el;
    return faults;
  };

  // What lies wholly over an element that has the focus, such as a bar that stays.
  function covered(el) {
    const r = el.getBoundingClientRect();
    if (r.height > innerHeight || r.width > innerWidth) return;
    const met = [[0.5, 0.5], [0.05, 0.5], [0.95, 0.5], [0.5, 0.1], [0.5, 0.9]].map(([x, y]) => document.elementFromPoint(r.left + r.width * x, r.top + r.height * y));
    if (met.every((m) => m && !el.contains(m) && !m.contains(el) && ![...(el.labels ?? [])].some((l) => l.contains(m)))) return met[0];
  }

  // Of two neighbours, the one that comes later stands below, or to the right.
  function goesBack(a, b) {
    let common = a.parentElement;
    while (common && !common.contains(b)) common = common.parentElement;
    if (!common || common === a || common === b || a.contains(b) || b.contains(a)) return false;
    const child = (el) => [...common.children].find((c) => c.contains(el));
    const flows = (el) => { while (getComputedStyle(el).display === "contents") el = el.firstElementChild; return el; };
    const [p, q] = [flows(child(a)), flows(child(b))];
    if ([p, q].some((el) => /absolute|fixed/.test(getComputedStyle(el).position))) return false;
    const [x, y] = [p.getBoundingClientRect(), q.getBoundingClientRect()];
    if (y.bottom <= x.top + 1) return true;
    const beside = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > Math.min(x.height, y.height) / 2;
    return beside && y.right <= x.left + 1 && getComputedStyle(common).direction === "ltr";
  }

  /** "prefers-reduced-motion" is honoured: where it is asked for, nothing moves. */
  checks.still = () => {
    const found = new Set(document.getAnimations().map((a) => `${at(a.effect.target)}${a.effect.pseudoElement ?? ""} moves`));
    for (const el of look.everything()) for (const pseudo of [undefined, "::before", "::after"]) {
      if (/[1-9]/.test(getComputedStyle(el, pseudo).transitionDuration)) found.add(`${at(el)}${pseudo ?? ""} has a transition`);
    }
    return [...found];
  };
})();
