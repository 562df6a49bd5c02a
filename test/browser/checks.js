// What holds on every page: each function gives sentences about what is wrong.
globalThis.checks = (() => {
  const { shown, words, name, controls } = t;
  const at = (el) => `${el.tagName.toLowerCase()}${el.id ? "#" + el.id : ""}${[...el.classList].map((c) => "." + c).join("")} "${words(el.textContent).slice(0, 40)}"`;
  const everything = () => [...document.body.querySelectorAll("*")].filter((el) => shown(el));
  const apart = (el) => el.closest(".sr, .skip, svg"); // read aloud alone, seen when focused, or drawn
  const withText = () => everything().filter((el) => !apart(el) && [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== ""));
  const scrolls = (el, axis) => /auto|scroll/.test(getComputedStyle(el)["overflow" + axis]);
  const scroller = (el, axis) => { for (let p = el.parentElement; p; p = p.parentElement) if (scrolls(p, axis) || getComputedStyle(p).position === "fixed") return p; };
  // The part of an element that its scrollers and clips leave.
  const visibleBox = (el) => {
    let { left, top, right, bottom } = el.getBoundingClientRect();
    for (let p = el.parentElement; p && p !== document.documentElement; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (s.overflowX === "visible" && s.overflowY === "visible") continue;
      const r = p.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, r.left), Math.max(top, r.top), Math.min(right, r.right), Math.min(bottom, r.bottom)];
    }
    return { left, top, right, bottom };
  };

  /** "Nothing … is cut off": no page is wider than its window, no text leaves it or its box. */
  function cut() {
    const found = [], page = document.scrollingElement;
    if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} px wide in a window of ${innerWidth}`);
    for (const el of withText()) {
      const s = getComputedStyle(el), r = el.getBoundingClientRect();
      const told = el.closest("[title]") || el.closest("[aria-label]");
      if (/hidden|clip/.test(s.overflowX) && el.scrollWidth > el.clientWidth + 1 && !(s.textOverflow === "ellipsis" && told)) found.push(`${at(el)} is cut off: ${el.scrollWidth} px in ${el.clientWidth}, and no ${s.textOverflow === "ellipsis" ? "title says the rest" : "ellipsis says so"}`);
      if (r.right > innerWidth + 1 && !scroller(el, "X") && getComputedStyle(el).position !== "fixed") found.push(`${at(el)} leaves the window at ${Math.round(r.right)} px`);
    }
    for (const el of everything()) {
      if (scrolls(el, "X") && !scrolls(el, "Y") && el.scrollWidth > el.clientWidth + 1 && el.clientWidth < 40) found.push(`${at(el)} has no room`);
    }
    return found;
  }

  /** "Nothing overlaps": no two controls share a place. */
  function overlaps() {
    const found = [], all = controls().filter((el) => !apart(el)).map((el) => [el, visibleBox(el)]).filter(([, r]) => r.right - r.left > 2 && r.bottom - r.top > 2);
    const floats = (el) => { for (let p = el; p; p = p.parentElement) if (p.tagName === "DIALOG" || getComputedStyle(p).zIndex !== "auto") return p; };
    all.forEach(([a, ra], i) => all.slice(i + 1).forEach(([b, rb]) => {
      const wide = Math.min(ra.right, rb.right) - Math.max(ra.left, rb.left), high = Math.min(ra.bottom, rb.bottom) - Math.max(ra.top, rb.top);
      if (wide > 2 && high > 2 && !a.contains(b) && !b.contains(a) && floats(a) === floats(b)) found.push(`${at(a)} and ${at(b)} overlap by ${Math.round(wide)} × ${Math.round(high)} px`);
    }));
    return found;
  }

  /** Each control has a name, each field a label, each id stands once, pictures say what they are. */
  function names() {
    const heard = (el) => !el.closest("[aria-hidden=true]");
    const found = controls().filter((el) => heard(el) && name(el) === "").map((el) => `${at(el)} has no name`);
    for (const el of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
      if (shown(el) && heard(el) && !el.labels?.length && !el.getAttribute("aria-label") && !el.getAttribute("aria-labelledby")) found.push(`${at(el)} has no label`);
    }
    const ids = new Map();
    for (const el of document.querySelectorAll("[id]")) ids.set(el.id, (ids.get(el.id) ?? 0) + 1);
    ids.forEach((n, id) => n > 1 && found.push(`#${id} stands ${n} times`));
    for (const el of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
      for (const id of `${el.getAttribute("aria-labelledby") ?? ""} ${el.getAttribute("aria-describedby") ?? ""}`.split(/\s+/).filter(Boolean)) if (!ids.has(id)) found.push(`${at(el)} is described by #${id}, which is not there`);
    }
    for (const el of document.querySelectorAll("img, [role=img]")) if (shown(el) && !el.getAttribute("alt") && !name(el) && !el.closest("[aria-hidden=true]")) found.push(`${at(el)} is a picture that says nothing`);
    for (const el of document.querySelectorAll("[aria-hidden=true] a[href], [aria-hidden=true] button, [aria-hidden=true] input")) if (shown(el) && el.tabIndex >= 0) found.push(`${at(el)} takes the focus and is hidden from those who listen`);
    return found;
  }

  /** One main, a title, a language, headings that leave no level out, and lists of list items. */
  function structure() {
    const found = [], mains = [...document.querySelectorAll("main, [role=main]")].filter(shown);
    if (mains.length !== 1) found.push(`there are ${mains.length} mains`);
    if (!document.documentElement.lang) found.push("the page says no language");
    if (!document.title.trim()) found.push("the page has no title");
    const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((el) => el.checkVisibility());
    if (!headings.some((el) => el.tagName === "H1")) found.push("there is no h1");
    const inMain = headings.filter((el) => mains[0]?.contains(el) && !el.closest("aside, .md, dialog"));
    inMain.forEach((el, i) => { if (i > 0 && Number(el.tagName[1]) > Number(inMain[i - 1].tagName[1]) + 1) found.push(`${at(el)} comes after ${at(inMain[i - 1])}`); });
    for (const kind of ["nav, [role=navigation]", "aside, [role=complementary]", "[role=search]"]) for (const el of document.querySelectorAll(kind)) if (shown(el) && document.querySelectorAll(kind).length > 1 && !called(el)) found.push(`${at(el)} is one of several and has no name`);
    return found;
  }
  const called = (el) => el.getAttribute("aria-label") || el.getAttribute("aria-labelledby");

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r * a + below[0] * (1 - a), g * a + below[1] * (1 - a), b * a + below[2] * (1 - a), 1];
  const light = ([r, g, b]) => [r, g, b].map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((m, n) => n - m); return (x + 0.05) / (y + 0.05); };
  function ground(el) {
    const layers = [];
    for (let p = el; p; p = p.parentElement) {
      const c = rgba(getComputedStyle(p).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((below, c) => over(c, below), rgba("canvas"));
  }
  /** "Text contrast at least 4.5 (checked)". */
  function contrast() {
    const found = new Set();
    for (const el of withText()) {
      const s = getComputedStyle(el), below = ground(el);
      let faded = 1;
      for (let p = el; p; p = p.parentElement) faded *= Number(getComputedStyle(p).opacity);
      const ink = rgba(s.color), r = ratio(over([ink[0], ink[1], ink[2], ink[3] * faded], below), below);
      if (r < 4.5) found.add(`${at(el)} has a contrast of ${r.toFixed(2)}: ${s.color} on ${below.map(Math.round).slice(0, 3)}`);
    }
    for (const el of document.querySelectorAll("input, textarea, select")) {
      if (!shown(el)) continue;
      const below = ground(el);
      for (const pseudo of [undefined, "::placeholder"]) {
        const r = ratio(over(rgba(getComputedStyle(el, pseudo).color), below), below);
        if (r < 4.5) found.add(`${at(el)}${pseudo ?? ""} has a contrast of ${r.toFixed(2)}`);
      }
    }
    return [...found];
  }

  const tokens = (prefix) => {
    const s = getComputedStyle(document.documentElement);
    return Array.from({ length: 7 }, (_, i) => s.getPropertyValue(`--${prefix}${i + 1}`)).filter(Boolean).map(parseFloat);
  };
  /** "One spacing scale, one type scale": what text and boxes have is among the tokens. */
  function scales() {
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
  }

  /** Targets are at least 24 px high and wide, or have that room to themselves; links in
   *  running text are as high as it is. */
  function targets() {
    const found = [], box = (el) => el.getBoundingClientRect(), fits = (r) => r.width >= 23.5 && r.height >= 23.5;
    const all = controls().filter((el) => !apart(el) && el.tagName !== "OPTION");
    for (const el of all) {
      const r = box(el), [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
      if ([el, ...(el.labels ?? [])].some((e) => fits(box(e))) || (el.tagName === "A" && getComputedStyle(el).display === "inline" && el.closest("p, .md, .markdown, .prose"))) continue;
      const near = all.find((o) => {
        if (o === el || o.contains(el) || el.contains(o)) return false;
        const b = box(o), small = !fits(b), px = small ? b.left + b.width / 2 : Math.max(b.left, Math.min(x, b.right)), py = small ? b.top + b.height / 2 : Math.max(b.top, Math.min(y, b.bottom));
        return Math.hypot(px - x, py - y) < (small ? 24 : 12);
      });
      if (near) found.push(`${at(el)} is ${r.width.toFixed(1)} × ${r.height.toFixed(1)} px and too near to ${at(near)}`);
    }
    return found;
  }

  /** What the focus is on, and whether that can be seen. */
  function focus() {
    const el = document.activeElement;
    if (!el || el === document.body) return null;
    const ringed = (e) => { const s = getComputedStyle(e); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1; };
    let box = el; // a field may be marked by the box that it stands in
    for (let n = 0; n < 3 && /^(TEXTAREA|INPUT)$/.test(el.tagName) && !ringed(box) && box.parentElement; n++) box = box.parentElement;
    const ring = ringed(box) || el.tagName === "MAIN" || /^date/.test(el.type); // the browser marks the part of a date itself
    return { what: at(el), visible: shown(el) && ring, place: [...document.querySelectorAll("*")].indexOf(el) };
  }
  return { cut, overlaps, names, structure, contrast, scales, targets, focus };
})();
