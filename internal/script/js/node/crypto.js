// node:crypto: hashes, MACs and random values.
const { sync, toWire, fromWire, asBytes } = __bdk;

const bytesOf = (data, encoding) => (typeof data === "string" ? Buffer.from(data, encoding) : asBytes(data?.export?.() ?? data));
const out = (wire, encoding) => {
  const bytes = Buffer.from(fromWire(wire));
  return encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;
};

// A Digest gathers what it is given; Go computes at the end.
class Digest {
  #parts = [];
  #finish;
  constructor(finish) { this.#finish = finish; }

  update(data, encoding) {
    const bytes = bytesOf(data, encoding);
    if (!bytes) throw Object.assign(new TypeError('The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.'), { code: "ERR_INVALID_ARG_TYPE" });
    if (!this.#parts) throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
    this.#parts.push(bytes);
    return this;
  }

  digest(encoding) {
    if (!this.#parts) throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
    const data = toWire(Buffer.concat(this.#parts));
    this.#parts = undefined;
    return out(this.#finish(data), encoding);
  }

  copy() {
    const d = new Digest(this.#finish);
    for (const p of this.#parts) d.update(p);
    return d;
  }
}

export { Digest as Hash, Digest as Hmac };
export const createHash = (name) => {
  sync("crypto.hash", String(name), "");
  return new Digest((data) => sync("crypto.hash", String(name), data));
};
export const createHmac = (name, key) => {
  const wire = toWire(bytesOf(key));
  return new Digest((data) => sync("crypto.hmac", String(name), wire, data));
};
export const hash = (name, data, encoding = "hex") => createHash(name).update(data).digest(encoding);
export const getHashes = () => ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256"];
export const createSecretKey = (key, encoding) => ({ type: "secret", export: () => Buffer.from(bytesOf(key, encoding)) });

export const randomUUID = () => sync("crypto.uuid");

export function randomBytes(size, done) {
  const bytes = out(sync("crypto.random", size));
  if (!done) return bytes;
  queueMicrotask(() => done(null, bytes));
}

export function randomInt(min, max, done) {
  if (max === undefined || typeof max === "function") [min, max, done] = [0, min, max];
  const range = max - min;
  if (!Number.isSafeInteger(range) || range <= 0 || range > 2 ** 48) throw Object.assign(new RangeError('The value of "max" is out of range.'), { code: "ERR_OUT_OF_RANGE" });
  const limit = 2 ** 48 - (2 ** 48 % range);
  let n;
  do n = randomBytes(6).readUIntBE(0, 6); while (n >= limit);
  n = min + (n % range);
  if (!done) return n;
  queueMicrotask(() => done(null, n));
}

export const randomFillSync = (view) => {
  asBytes(view).set(randomBytes(view.byteLength));
  return view;
};
export const getRandomValues = (view) => globalThis.crypto.getRandomValues(view);

export function timingSafeEqual(a, b) {
  const x = asBytes(a), y = asBytes(b);
  if (x.length !== y.length) throw Object.assign(new RangeError("Input buffers must have the same byte length"), { code: "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH" });
  return sync("crypto.equal", toWire(x), toWire(y));
}

export const pbkdf2Sync = (password, salt, iterations, size, digest) =>
  out(sync("crypto.pbkdf2", digest, toWire(bytesOf(password)), toWire(bytesOf(salt)), iterations, size));

export const webcrypto = globalThis.crypto;
export const subtle = globalThis.crypto.subtle;

export default {
  Hash: Digest, Hmac: Digest, createHash, createHmac, hash, getHashes, createSecretKey, randomUUID, randomBytes, randomInt, randomFillSync,
  getRandomValues, timingSafeEqual, pbkdf2Sync, webcrypto, subtle,
};
