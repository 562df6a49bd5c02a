// encode writes a result as JSON. BigInts keep their digits; NaN and Infinity,
// which JSON.stringify would turn into null without a word, are refused.
export function encode(value) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (e) {
    if (!holdsBigInt(e)) throw e;
    text = JSON.stringify(value, (_, x) => (typeof x === "bigint" ? JSON.rawJSON(x.toString()) : x));
  }
  if (text === undefined) return "null";
  if (text.includes("null")) refuseNaN(value, "", new Set());
  return text;
}

const holdsBigInt = (e) => e instanceof TypeError && /bigint/i.test(e.message);

// refuseNaN looks for numbers that JSON does not have.
function refuseNaN(value, path, seen) {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`the result holds ${value}${path ? " at " + path : ""}, which JSON cannot express`);
  }
  if (value === null || typeof value !== "object" || seen.has(value)) return;
  seen.add(value);
  if (typeof value.toJSON === "function") return refuseNaN(value instanceof Date ? null : value.toJSON(), path, seen);
  if (Array.isArray(value)) value.forEach((x, i) => refuseNaN(x, `${path}[${i}]`, seen));
  else for (const key of Object.keys(value)) refuseNaN(value[key], path ? `${path}.${key}` : key, seen);
}
