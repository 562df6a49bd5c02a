// Deep equality, for node:util and node:assert.
export const isDeepStrictEqual = (a, b) => equal(a, b, true, new Map());
export const isDeepEqual = (a, b) => equal(a, b, false, new Map());

function equal(a, b, strict, seen) {
  if (strict ? Object.is(a, b) : a == b || (a !== a && b !== b)) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
  if (seen.get(a) === b) return true;
  seen.set(a, b);
  if (a instanceof Date) return a.getTime() === b.getTime() && fields(a, b, strict, seen);
  if (a instanceof RegExp) return String(a) === String(b);
  if (a instanceof Error && (a.message !== b.message || a.name !== b.name)) return false;
  if (a instanceof Number || a instanceof String || a instanceof Boolean) return Object.is(a.valueOf(), b.valueOf());
  if (ArrayBuffer.isView(a)) return a.byteLength === b.byteLength && bytes(a).every((x, i) => x === bytes(b)[i]);
  if (a instanceof Map) return a.size === b.size && [...a].every(([k, v]) => pairs(b, strict, seen, k, v));
  if (a instanceof Set) return a.size === b.size && [...a].every((x) => b.has(x) || [...b].some((y) => equal(x, y, strict, seen)));
  if (Array.isArray(a) && a.length !== b.length) return false;
  return fields(a, b, strict, seen);
}

const bytes = (v) => new Uint8Array(v.buffer, v.byteOffset, v.byteLength);

const pairs = (map, strict, seen, key, value) =>
  map.has(key) ? equal(value, map.get(key), strict, seen) : [...map].some(([k, v]) => equal(key, k, strict, seen) && equal(value, v, strict, seen));

function fields(a, b, strict, seen) {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k], strict, seen));
}
