// What those hear who do not see the page.
(() => {
  const { shown, name, controls } = t, { at, withText } = look;
  const landmarks = "main, header, nav, aside, footer, dialog, [role=main], [role=navigation], [role=complementary], [role=search], [role=alert]";
  /** Each control has a name, each field a label, each id stands once, pictures say what they are. */
  checks.names = () => {
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
  };

  /** One main, one h1, a title, a language, headings that leave no level out, and all text in landmarks. */
  checks.structure = () => {
    const found = [], mains = [...document.querySelectorAll("main, [role=main]")].filter(shown);
    if (mains.length !== 1) found.push(`there are ${mains.length} mains`);
    if (!document.documentElement.lang) found.push("the page says no language");
    if (!document.title.trim()) found.push("the page has no title");
    const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((el) => el.checkVisibility());
    const first = headings.filter((el) => el.tagName === "H1");
    if (first.length !== 1) found.push(`there are ${first.length} h1: ${first.map(at)}`);
    for (const el of withText()) if (!el.closest(landmarks)) found.push(`${at(el)} stands in no landmark`);
    const inMain = headings.filter((el) => mains[0]?.contains(el) && !el.closest("aside, .markdown, dialog"));
    inMain.forEach((el, i) => { if (i > 0 && Number(el.tagName[1]) > Number(inMain[i - 1].tagName[1]) + 1) found.push(`${at(el)} comes after ${at(inMain[i - 1])}`); });
    for (const kind of ["nav, [role=navigation]", "aside, [role=complementary]", "[role=search]"]) for (const el of document.querySelectorAll(kind)) if (shown(el) && document.querySelectorAll(kind).length > 1 && !called(el)) found.push(`${at(el)} is one of several and has no name`);
    return found;
  };
  const called = (el) => el.getAttribute("aria-label") || el.getAttribute("aria-labelledby");
})();
