// "Nothing overlaps or is cut off."
(() => {
  const { at, everything, apart, withText, scrolls, hides, scroller, visibleBox, left, lines, floats, big } = look;
  // Who sees a part of a text can have the rest: it is told, or what it stands in opens.
  const told = (el) => el.closest("[title], [aria-label]:not([role]), a[href], button, summary, [aria-expanded], [aria-selected], select") || el.closest("[role=row], li")?.querySelector("a[href]");

  /** No page is wider than its window, no text leaves it or its box. */
  checks.cut = () => {
    const found = [], page = document.scrollingElement;
    if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} px wide in a window of ${innerWidth}`);
    for (const el of withText()) {
      const s = getComputedStyle(el), r = visibleBox(el);
      if (hides(el, "X") && el.scrollWidth > el.clientWidth + 1 && !(s.textOverflow === "ellipsis" && told(el))) found.push(`${at(el)} is cut off: ${el.scrollWidth} px in ${el.clientWidth}, and ${s.textOverflow === "ellipsis" ? "nothing tells the rest" : "no ellipsis says so"}`);
      if (r.right > innerWidth + 1 && !scroller(el, "X") && s.position !== "fixed") found.push(`${at(el)} leaves the window at ${Math.round(r.right)} px`);
    }
    for (const el of everything()) {
      if (scrolls(el, "X") && !scrolls(el, "Y") && el.scrollWidth > el.clientWidth + 1 && el.clientWidth < 40) found.push(`${at(el)} has no room`);
      if (scrolls(el, "Y") && el.scrollHeight > el.clientHeight + 1 && el.clientHeight < 30 && !/^(TEXTAREA|SELECT)$/.test(el.tagName)) found.push(`${at(el)} shows ${el.clientHeight} px of ${el.scrollHeight}`);
    }
    return found;
  };

  /** No line of text is cut by a box that does not scroll. */
  checks.clipped = () => {
    const found = [];
    for (const el of withText()) {
      for (const line of lines(el)) {
        const cutBy = clip(el, line);
        if (cutBy) { found.push(`${at(el)} is cut off by ${at(cutBy)}`); break; }
      }
    }
    return found;
  };
  function clip(el, line) {
    for (let p = el; p && p !== document.body; p = p.parentElement) {
      const s = getComputedStyle(p), r = p.getBoundingClientRect();
      // What a scroller shows a part of is no fault of the boxes around it, if it lies in them.
      if (scrolls(p, "Y") || scrolls(p, "X") || s.position === "fixed") return;
      if (hides(p, "Y") && (line.bottom > r.bottom + 1 || line.top < r.top - 1)) return p;
      if (hides(p, "X") && s.textOverflow !== "ellipsis" && (line.right > r.right + 2 || line.left < r.left - 2) && !(p.closest("select") || ellipsed(el, p))) return p;
    }
  }
  const ellipsed = (el, until) => { for (let p = el; p && p !== until; p = p.parentElement) if (getComputedStyle(p).textOverflow === "ellipsis") return true; };

  const shared = (a, b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];

  /** No two controls share a place. */
  checks.overlaps = () => {
    const found = [], all = t.controls().filter((el) => !apart(el)).map((el) => [el, visibleBox(el)]).filter(([, r]) => big(r));
    all.forEach(([a, ra], i) => all.slice(i + 1).forEach(([b, rb]) => {
      const [wide, high] = shared(ra, rb);
      if (wide > 2 && high > 2 && !a.contains(b) && !b.contains(a) && floats(a) === floats(b)) found.push(`${at(a)} and ${at(b)} overlap by ${Math.round(wide)} × ${Math.round(high)} px`);
    }));
    return found;
  };

  /** No line of text lies on another one, or on a control that it is no part of. */
  checks.crossed = () => {
    const found = new Set();
    const texts = withText().filter((el) => el.tagName !== "KBD").flatMap((el) => lines(el).map((r) => [el, left(el, r)])).filter(([, r]) => big(r));
    const all = [...texts, ...t.controls().filter((el) => !apart(el) && !el.closest("[aria-hidden=true]") && !/^(LI|DIV|SECTION|PRE|ASIDE|MAIN)$/.test(el.tagName)).flatMap((el) => (getComputedStyle(el).display === "inline" ? [...el.getClientRects()].map((r) => [el, left(el, r)]) : [[el, visibleBox(el)]]))].sort((a, b) => a[1].top - b[1].top);
    all.forEach(([a, ra], i) => {
      for (let k = i + 1; k < all.length && all[k][1].top < ra.bottom; k++) {
        const [b, rb] = all[k], [wide, high] = shared(ra, rb);
        if (wide <= 2 || high <= 2 || a.contains(b) || b.contains(a) || floats(a) !== floats(b)) continue;
        if ([...(a.labels ?? []), ...(b.labels ?? [])].some((l) => l.contains(a) && l.contains(b))) continue;
        found.add(`${at(a)} and ${at(b)} lie on each other, ${Math.round(wide)} × ${Math.round(high)} px`);
      }
    });
    return [...found];
  };
})();
