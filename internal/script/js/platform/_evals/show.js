// How values read in the names of assertions and in what they say.
const most = 200;

// show writes a value in one line, cut where it is long.
export function show(value) {
  const text = write(value, 0);
  if (text.length <= most) return text;
  const end = most - 1;
  const half = text.charCodeAt(end - 1);
  return text.slice(0, half >= 0xd800 && half < 0xdc00 ? end - 1 : end) + "…";
}

function write(value, depth) {
  switch (typeof value) {
    case "string": return JSON.stringify(value.length > 2 * most ? value.slice(0, 2 * most) : value);
    case "function": return "predicate";
    case "bigint": return `${value}n`;
    case "object": break;
    default: return String(value);
  }
  if (value === null) return "null";
  if (value instanceof RegExp) return String(value);
  if (typeof value.check === "string" && typeof value.label === "string") return value.label;
  if (depth > 5) return Array.isArray(value) ? "[…]" : "{…}";
  try {
    if (typeof value.toJSON === "function") return write(value.toJSON(), depth + 1);
    return Array.isArray(value) ? list(value, depth) : fields(value, depth);
  } catch {
    return "[unreadable]";
  }
}

function list(value, depth) {
  const parts = value.slice(0, 20).map((x) => write(x, depth + 1));
  if (value.length > 20) parts.push("…");
  return `[${parts.join(", ")}]`;
}

const plain = /^[A-Za-z_$][\w$]*$/;

function fields(value, depth) {
  const names = Object.keys(value), parts = names.slice(0, 20).map((key) => `${plain.test(key) ? key : JSON.stringify(key)}: ${write(value[key], depth + 1)}`);
  if (names.length > 20) parts.push("…");
  return parts.length === 0 ? "{}" : `{${parts.join(", ")}}`;
}

// kindOf says what a value is, for whoever meant another.
export const kindOf = (x) => __bdk.evals.kindOf(x);

// called writes an assertion as it reads in the test; arguments that were left out are not there.
export function called(name, args) {
  let last = args.length;
  while (last > 0 && args[last - 1] === undefined) last--;
  return `${name}(${args.slice(0, last).map(show).join(", ")})`;
}

// times is how often something happened.
export const times = (n) => (n === 0 ? "never" : n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);
