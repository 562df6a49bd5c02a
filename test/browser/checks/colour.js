// "Text contrast at least 4.5 (checked)."
(() => {
  const { shown } = t, { at, withText } = look;
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
  checks.contrast = () => {
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
  };

  /** What a control is known by besides its text has a contrast of at least 3: the edge or the
   *  ground of a field, the sign of a button that has no text. */
  checks.edges = () => {
    const found = new Set();
    for (const el of document.querySelectorAll("input:not([type=hidden], [type=range], [type=checkbox], [type=radio], [type=file]), select, textarea")) {
      if (shown(el) && !el.disabled && edge(el) < 3) found.add(`${at(el)} has an edge with a contrast of ${edge(el).toFixed(2)}`);
    }
    for (const el of document.querySelectorAll("button svg, a svg, summary svg")) {
      const button = el.closest("button, a, summary"), r = ratio(rgba(getComputedStyle(el).color), ground(button));
      if (shown(button) && !button.disabled && t.words(button.innerText) === "" && r < 3) found.add(`${at(button)} has a sign with a contrast of ${r.toFixed(2)}`);
    }
    return [...found];
  };
  // A field may have its edge from the box that it stands in.
  function edge(el) {
    let best = 0;
    for (let p = el, n = 0; p && n < 4; p = p.parentElement, n++) {
      const s = getComputedStyle(p), around = ground(p.parentElement);
      if (parseFloat(s.borderTopWidth) >= 1 && s.borderTopStyle !== "none") best = Math.max(best, ratio(over(rgba(s.borderTopColor), around), around));
      best = Math.max(best, ratio(ground(p), around));
      if (best >= 3) break;
    }
    return best;
  }
  Object.assign(look, { rgba, over, ratio, ground });
})();
