// What the checks share: what is shown, and which part of it.
globalThis.checks = {};
globalThis.look = (() => {
  const { shown, words } = t;
  const at = (el) => `${el.tagName.toLowerCase()}${el.id ? "#" + el.id : ""}${[...el.classList].map((c) => "." + c).join("")} "${words(el.textContent).slice(0, 40)}"`;
  const everything = () => [...document.body.querySelectorAll("*")].filter((el) => shown(el));
  const apart = (el) => el.closest(".sr, .skip, svg"); // read aloud alone, seen when focused, or drawn
  const own = (el) => [...el.childNodes].filter((n) => n.nodeType === 3 && n.data.trim() !== "");
  const big = (r) => r.right - r.left > 2 && r.bottom - r.top > 2;
  const withText = () => everything().filter((el) => !apart(el) && el.tagName !== "OPTION" && own(el).length > 0);
  const scrolls = (el, axis) => /auto|scroll/.test(getComputedStyle(el)["overflow" + axis]);
  const hides = (el, axis) => /hidden|clip/.test(getComputedStyle(el)["overflow" + axis]);
  const scroller = (el, axis) => { for (let p = el.parentElement; p; p = p.parentElement) if (scrolls(p, axis) || getComputedStyle(p).position === "fixed") return p; };
  const within = (r, clip) => ({ left: Math.max(r.left, clip.left), top: Math.max(r.top, clip.top), right: Math.min(r.right, clip.right), bottom: Math.min(r.bottom, clip.bottom) });
  /** The part of a box in an element that its scrollers and clips leave. */
  const left = (el, { left, top, right, bottom }) => {
    let r = { left, top, right, bottom };
    for (let p = el; p && p !== document.documentElement; p = p.parentElement) {
      const s = getComputedStyle(p);
      if ((s.overflowX !== "visible" || s.overflowY !== "visible")) r = within(r, p.getBoundingClientRect());
      if (s.position === "fixed") break;
    }
    return r;
  };
  const visibleBox = (el) => left(el.parentElement, el.getBoundingClientRect());
  /** The lines of an element's own text, each as high as its letters are. */
  const lines = (el) => own(el).flatMap((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].map((r) => ({ left: r.left, right: r.right, top: r.top + r.height * 0.2, bottom: r.bottom - r.height * 0.2 }));
  });
  /** What an element lies in that floats over the rest: things overlap in the same one alone. */
  const floats = (el) => {
    for (let p = el; p; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (p.tagName === "DIALOG" || s.zIndex !== "auto" || s.position === "fixed" || s.position === "sticky") return p;
    }
  };
  return { at, everything, apart, own, withText, scrolls, hides, scroller, visibleBox, left, lines, floats, big };
})();
