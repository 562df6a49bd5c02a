// node:crypto: hashes, MACs, ciphers, signatures and random values.
import { coded, invalidType, needsFunction, outOfRange } from "./_errors.js";
import { createPrivateKey, createPublicKey, createSecretKey, KeyObject, pemOf, secretOf } from "./_keys.js";
import { Cipher, Digest } from "./_digest.js";

const { sync, toWire, fromWire, asBytes } = __bdk;
export { createPrivateKey, createPublicKey, createSecretKey, KeyObject };

const bytesOf = (data, encoding, name = "data") => {
  const bytes = typeof data === "string" ? Buffer.from(data, encoding) : asBytes(data instanceof KeyObject ? data.export() : data);
  if (!bytes) throw invalidType(name, "of type string or an instance of Buffer, TypedArray, or DataView", data);
  return bytes;
};
const out = (wire, encoding) => {
  const bytes = Buffer.from(fromWire(wire));
  return encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;
};
const later = (f, done) => {
  needsFunction(done);
  let value;
  try {
    value = f();
  } catch (e) {
    return process.nextTick(done, e);
  }
  process.nextTick(done, null, value);
};

export class Hash extends Digest {}
export class Hmac extends Digest {}
export const createHash = (name, options) => {
  sync("crypto.hash", String(name), "");
  return new Hash((data) => sync("crypto.hash", String(name), data), options);
};
export const createHmac = (name, key, options) => {
  sync("crypto.hash", String(name), "");
  const wire = toWire(secretOf(key));
  return new Hmac((data) => sync("crypto.hmac", String(name), wire, data), options);
};
export const hash = (name, data, encoding = "hex") => createHash(name).update(data).digest(encoding);
export const getHashes = () => ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256", "RSA-SHA1", "RSA-SHA256", "RSA-SHA384", "RSA-SHA512"];

export const randomUUID = () => sync("crypto.uuid");

export function randomBytes(size, done) {
  if (typeof size !== "number") throw invalidType("size", "of type number", size);
  if (!(size >= 0 && size <= 2147483647)) throw outOfRange("size", ">= 0 && <= 2147483647", size);
  const bytes = out(sync("crypto.random", size));
  if (!done) return bytes;
  process.nextTick(done, null, bytes);
}
export { randomBytes as pseudoRandomBytes };

export function randomInt(min, max, done) {
  if (max === undefined || typeof max === "function") [min, max, done] = [0, min, max];
  const range = max - min;
  if (!Number.isSafeInteger(min)) throw invalidType("min", "a safe integer", min);
  if (!Number.isSafeInteger(max)) throw invalidType("max", "a safe integer", max);
  if (range <= 0) throw outOfRange("max", `greater than the value of "min" (${min})`, max);
  if (range > 2 ** 48 - 1) throw outOfRange("max - min", "<= 281474976710655", range);
  const limit = 2 ** 48 - (2 ** 48 % range);
  let n;
  do n = randomBytes(6).readUIntBE(0, 6); while (n >= limit);
  n = min + (n % range);
  if (!done) return n;
  process.nextTick(done, null, n);
}

export function randomFillSync(view, offset = 0, size = undefined) {
  const bytes = bytesOf(view, undefined, "buf").subarray(offset, size === undefined ? undefined : offset + size);
  bytes.set(randomBytes(bytes.length));
  return view;
}
export const randomFill = (view, ...rest) => later(() => randomFillSync(view, ...rest.slice(0, -1)), rest.at(-1));
export const getRandomValues = (view) => globalThis.crypto.getRandomValues(view);

export function timingSafeEqual(a, b) {
  const x = asBytes(a), y = asBytes(b);
  if (!x) throw invalidType("buf1", "an instance of ArrayBuffer, Buffer, TypedArray, or DataView", a);
  if (!y) throw invalidType("buf2", "an instance of ArrayBuffer, Buffer, TypedArray, or DataView", b);
  if (x.length !== y.length) throw coded(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
  return sync("crypto.equal", toWire(x), toWire(y));
}

export const pbkdf2Sync = (password, salt, iterations, size, digest) =>
  out(sync("crypto.pbkdf2", digest, toWire(bytesOf(password)), toWire(bytesOf(salt)), iterations, size));
export const pbkdf2 = (...args) => later(() => pbkdf2Sync(...args.slice(0, -1)), args.at(-1));
export const hkdfSync = (digest, key, salt, info, size) => fromWire(sync("crypto.hkdf", digest, toWire(secretOf(key)), toWire(bytesOf(salt)), toWire(bytesOf(info)), size)).buffer;
export const hkdf = (...args) => later(() => hkdfSync(...args.slice(0, -1)), args.at(-1));

const cipher = (encrypt) => (name, key, iv, options) => new Cipher(String(name).toLowerCase(), encrypt, secretOf(key), iv === null ? new Uint8Array(0) : bytesOf(iv), options);
export const createCipheriv = cipher(true), createDecipheriv = cipher(false);
export const getCiphers = () => [128, 192, 256].flatMap((bits) => ["cbc", "ctr", "gcm"].map((mode) => `aes-${bits}-${mode}`));

export const constants = { RSA_PKCS1_PADDING: 1, RSA_PKCS1_PSS_PADDING: 6, RSA_PSS_SALTLEN_DIGEST: -1 };

// signing reads a key that may come with how to sign.
function signing(key, wanted) {
  const options = key !== null && typeof key === "object" && !asBytes(key) && !(key instanceof KeyObject) ? key : {};
  return [pemOf(key, wanted), options.padding === constants.RSA_PKCS1_PSS_PADDING, options.dsaEncoding ?? "der"];
}

export function sign(algorithm, data, key, done) {
  if (done) return later(() => sign(algorithm, data, key), done);
  const [pem, pss, encoding] = signing(key, "private");
  return out(sync("crypto.sign", algorithm ?? "", pem, toWire(bytesOf(data)), pss, encoding));
}
export function verify(algorithm, data, key, signature, done) {
  if (done) return later(() => verify(algorithm, data, key, signature), done);
  const [pem, pss, encoding] = signing(key, "public");
  return sync("crypto.verify", algorithm ?? "", pem, toWire(bytesOf(data)), pss, encoding, toWire(bytesOf(signature)));
}

class Gathering {
  #parts = [];
  #algorithm;
  constructor(algorithm) {
    sync("crypto.hash", String(algorithm).replace(/^RSA-/i, ""), "");
    this.#algorithm = algorithm;
  }
  update(data, encoding) {
    this.#parts.push(bytesOf(data, encoding).slice());
    return this;
  }
  write(data, encoding) { return Boolean(this.update(data, encoding)); }
  end(data, encoding) {
    if (data !== undefined) this.update(data, encoding);
    return this;
  }
  static all(g) { return [g.#algorithm, Buffer.concat(g.#parts)]; }
}
const all = Gathering.all;
delete Gathering.all;
export class Sign extends Gathering {
  sign(key, encoding) {
    const bytes = sign(...all(this), key);
    return encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;
  }
}
export class Verify extends Gathering {
  verify(key, signature, encoding) { return verify(...all(this), key, bytesOf(signature, encoding)); }
}
export const createSign = (algorithm) => new Sign(algorithm);
export const createVerify = (algorithm) => new Verify(algorithm);

export const webcrypto = globalThis.crypto;
export const subtle = globalThis.crypto.subtle;

export default {
  Hash, Hmac, Sign, Verify, KeyObject, constants, createHash, createHmac, createSign, createVerify, createCipheriv, createDecipheriv, createSecretKey, createPrivateKey,
  createPublicKey, sign, verify, hash, getHashes, getCiphers, randomUUID, randomBytes, pseudoRandomBytes: randomBytes, randomInt, randomFill, randomFillSync,
  getRandomValues, timingSafeEqual, pbkdf2, pbkdf2Sync, hkdf, hkdfSync, webcrypto, subtle,
};
