// Colours that a person chose for all pages: what was told by colour is told otherwise.
(() => {
  const { at, everything, ground, ratio, rgba } = look;
  const all = () => [...document.body.querySelectorAll("*")];
  const bordered = (s) => ["Top", "Right", "Bottom", "Left"].some((k) => parseFloat(s[`border${k}Width`]) >= 1 && s[`border${k}Style`] !== "none" && rgba(s[`border${k}Color`])[3] > 0);
  const seen = (el) => {
    const s = getComputedStyle(el);
    return bordered(s) || (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1) || s.backgroundImage !== "none" || ratio(ground(el), ground(el.parentElement)) >= 1.5;
  };
  /** The places of what is drawn by its ground alone, such as the bars of a chart. */
  checks.drawn = () => everything().filter((el) => !el.closest("svg, .sr") && t.words(el.textContent) === "" && !/^(INPUT|TEXTAREA|SELECT|BUTTON|HR|IMG)$/.test(el.tagName) && el.childElementCount === 0 && seen(el)).map((el) => all().indexOf(el));
  /** Those of the places at which nothing can be seen. */
  checks.gone = (places) => places.map((n) => all()[n]).filter((el) => el && t.shown(el) && !seen(el)).map((el) => `${at(el)} in ${at(el.parentElement)} is drawn by its colour alone`);

  const marks = "[aria-current]:not([aria-current=false]), [aria-selected=true], [aria-pressed=true]";
  const look1 = (el) => { const s = getComputedStyle(el); return [s.fontWeight, s.textDecorationLine, s.color, s.backgroundColor, s.boxShadow, s.borderTopWidth, s.borderLeftWidth, s.borderBottomWidth, s.borderTopStyle, s.borderBottomStyle, s.borderTopColor, s.borderBottomColor, s.outlineStyle, s.outlineWidth].join(); };
  /** What is chosen looks otherwise than what lies beside it. */
  checks.marked = () => {
    const found = new Set();
    for (const el of document.querySelectorAll(marks)) {
      const other = t.shown(el) && [...document.querySelectorAll(`${el.tagName}[class], ${el.tagName}`)].find((o) => o !== el && !o.matches(marks) && t.shown(o) && o.parentElement?.tagName === el.parentElement?.tagName && kin(o, el));
      if (other && look1(el) === look1(other)) found.add(`${at(el)} is chosen and looks as ${at(other)}`);
    }
    return [...found];
  };
  const kin = (a, b) => a.parentElement === b.parentElement || a.parentElement.parentElement === b.parentElement.parentElement;
})();
