// How the parts of an inspected value come together: on one line where they fit.
const colors = { number: [33, 39], string: [32, 39], special: [36, 39], undefined: [90, 39], null: [1, 22], date: [35, 39], regexp: [31, 39] };

export const colored = (ctx, text, style) => (ctx.colors ? `\u001b[${colors[style][0]}m${text}\u001b[${colors[style][1]}m` : text);

const plain = (text) => text.replace(/\u001b\[\d+m/g, "");
const widthOf = (ctx, text) => (ctx.colors ? plain(text) : text).length;

// fit puts entries on one line, where they are few, short and not deep.
export function fit(ctx, list, base, open, close, level, array) {
  const lead = base ? base + " " : "";
  if (base && list.length === 0) return base;
  if (ctx.compact !== false && (ctx.compact === true || (ctx.level - level < ctx.compact && !list.grouped))) {
    const total = list.reduce((n, s) => n + widthOf(ctx, s), 0) + 2 * list.length + ctx.indent + open.length + base.length + 10;
    if (total <= ctx.breakLength && !base.includes("\n") && !list.some((s) => s.includes("\n"))) {
      return `${lead}${open} ${list.join(", ")} ${close}`;
    }
  }
  const pad = "\n" + " ".repeat(ctx.indent);
  return `${lead}${open}${pad}  ${list.join("," + pad + "  ")}${pad}${close}`;
}

// group puts the items of a long list into columns, numbers to the right.
export function group(ctx, list, values, more) {
  const n = more ? list.length - 1 : list.length, widths = list.slice(0, n).map((s) => widthOf(ctx, s) + 2);
  const widest = Math.max(...widths), total = widths.reduce((a, b) => a + b, 0);
  if (list.some((s) => s.includes("\n")) || widest * 3 + ctx.indent >= ctx.breakLength || !(total / widest > 5 || widest <= 8)) return list;
  const biased = Math.max(widest - 3, 1);
  const columns = Math.min(Math.round(Math.sqrt(2.5 * biased * n) / biased), Math.floor((ctx.breakLength - ctx.indent) / widest), ctx.compact * 4, 15);
  if (columns <= 1) return list;
  const right = values !== undefined && Array.prototype.every.call(values, (v) => typeof v === "number" || typeof v === "bigint");
  const room = Array.from({ length: columns }, (_, c) => Math.max(...widths.filter((_, i) => i % columns === c)));
  const rows = [];
  for (let i = 0; i < n; i += columns) {
    const row = [];
    for (let c = 0; c < columns && i + c < n; c++) {
      const text = list[i + c], last = c === columns - 1 || i + c === n - 1, gap = " ".repeat(room[c] - widths[i + c]);
      row.push(right ? gap + text + (last ? "" : ", ") : text + (last ? "" : ", " + gap));
    }
    rows.push(row.join(""));
  }
  if (more) rows.push(list[n]);
  rows.grouped = true;
  return rows;
}
