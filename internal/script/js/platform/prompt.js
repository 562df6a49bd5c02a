// prompt is a template tag for long texts: it takes the common indent away and
// trims the outer blank lines; inner ones and relative indent stay. What is
// interpolated goes in as it is.
export function prompt(strings, ...values) {
  if (!Array.isArray(strings)) return dedent([String(strings)], [], (x) => x);
  return dedent(strings.raw ?? strings, values, strings.raw ? cook : (x) => x);
}

// dedent works on the text as it stands in the file, so that an escape such as
// \n is no line of its own; the escapes are read at the end.
function dedent(parts, values, read) {
  const indent = commonIndent(parts);
  const texts = parts.map((part, i) => {
    const lines = part.split("\n");
    return lines.map((line, n) => (n === 0 && i > 0 ? line : cut(line, indent))).join("\n");
  });
  texts[0] = texts[0].replace(/^(?:[ \t]*\r?\n)+/, "");
  texts[texts.length - 1] = texts[texts.length - 1].replace(/(?:\r?\n[ \t]*)+$/, "").replace(/^[ \t]+$/, "");
  let out = read(texts[0]);
  values.forEach((value, i) => {
    out += (value === undefined || value === null ? "" : String(value)) + read(texts[i + 1]);
  });
  return out;
}

const escapes = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" };

// cook reads the escapes of a raw template.
const cook = (raw) => raw.replace(/\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|([^]))/g, (_, point, unit, byte, line, c) => {
  if (point) return String.fromCodePoint(parseInt(point, 16));
  if (unit ?? byte) return String.fromCharCode(parseInt(unit ?? byte, 16));
  return line ? "" : escapes[c] ?? c;
});

// commonIndent is the least indent of all lines that hold something. The first
// line of the template has none of its own; a line that starts with a value counts.
function commonIndent(parts) {
  let least = Infinity;
  parts.forEach((part, i) => {
    const lines = part.split("\n");
    lines.forEach((line, n) => {
      if (n === 0) return;
      const last = n === lines.length - 1 && i < parts.length - 1;
      if (line.trim() === "" && !last) return;
      least = Math.min(least, /^[ \t]*/.exec(line)[0].length);
    });
  });
  return least === Infinity ? 0 : least;
}

const cut = (line, indent) => (line.trim() === "" && line.length <= indent ? "" : line.slice(Math.min(indent, /^[ \t]*/.exec(line)[0].length)));
