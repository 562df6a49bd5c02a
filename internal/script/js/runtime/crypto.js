// crypto and crypto.subtle for digests and HMAC. Go computes.
import { asBytes, fromWire, sync, toWire } from "./bridge.js";
import { expose } from "./primordials.js";

const nameOf = (algorithm) => (typeof algorithm === "string" ? algorithm : algorithm?.name ?? "").toUpperCase();
const hashOf = (algorithm) => nameOf(algorithm?.hash ?? algorithm);
const buffer = (wire) => fromWire(wire).buffer;
const refuse = (what) => { throw new DOMException(`${what} is not supported; digest, and sign and verify with HMAC, are`, "NotSupportedError"); };

const secret = Symbol("a key is made by subtle");

class CryptoKey {
  #bytes;
  #about;
  constructor(mark, bytes, about) {
    if (mark !== secret) throw Object.assign(new TypeError("Illegal constructor"), { code: "ERR_ILLEGAL_CONSTRUCTOR" });
    this.#bytes = bytes;
    this.#about = about;
  }
  get type() { return "secret"; }
  get algorithm() { return this.#about.algorithm; }
  get extractable() { return this.#about.extractable; }
  get usages() { return this.#about.usages; }
  static bytes(key) { return key.#bytes; }
}
const bytesOfKey = CryptoKey.bytes;
delete CryptoKey.bytes;

const sizes = { "SHA-1": 64, "SHA-256": 64, "SHA-384": 128, "SHA-512": 128 };
const algorithms = { "SHA-1": "HS1", "SHA-256": "HS256", "SHA-384": "HS384", "SHA-512": "HS512" };
const fault = (name, text) => { throw new DOMException(text, name); };

// bytesFrom views a BufferSource.
function bytesFrom(data) {
  const bytes = asBytes(data);
  if (!bytes) throw Object.assign(new TypeError("the data must be an ArrayBuffer or a view of one"), { code: "ERR_INVALID_ARG_TYPE" });
  return bytes;
}

function hmac(key, data, usage) {
  if (!(key instanceof CryptoKey)) throw new TypeError("the key must be a CryptoKey");
  if (!key.usages.includes(usage)) fault("InvalidAccessError", `Unable to use this key to ${usage}`);
  return sync("crypto.hmac", hashOf(key.algorithm), toWire(bytesOfKey(key)), toWire(bytesFrom(data)));
}

// hmacKey makes a key of checked parts.
function hmacKey(bytes, algorithm, extractable, usages) {
  if (nameOf(algorithm) !== "HMAC") refuse(nameOf(algorithm));
  if (algorithm?.hash === undefined) throw Object.assign(new TypeError("the algorithm HMAC needs a hash"), { code: "ERR_MISSING_OPTION" });
  const hash = hashOf(algorithm);
  if (!(hash in sizes)) refuse(hash);
  const wanted = [...new Set(usages)];
  if (wanted.length === 0) fault("SyntaxError", "Usages cannot be empty when importing a secret key.");
  if (wanted.some((u) => u !== "sign" && u !== "verify")) fault("SyntaxError", "Unsupported key usage for an HMAC key");
  return (made) => {
    if (made.length === 0) fault("DataError", "Zero-length key is not supported");
    return new CryptoKey(secret, made, { algorithm: { name: "HMAC", hash: { name: hash }, length: made.length * 8 }, extractable: Boolean(extractable), usages: wanted });
  };
}

class SubtleCrypto {
  async digest(algorithm, data) {
    const name = nameOf(algorithm);
    if (!(name in sizes)) fault("NotSupportedError", `Unrecognized algorithm name: ${name}`);
    return buffer(sync("crypto.hash", name, toWire(bytesFrom(data))));
  }
  async importKey(format, data, algorithm, extractable, usages) {
    const make = hmacKey(data, algorithm, extractable, usages);
    if (format === "raw") return make(bytesFrom(data).slice());
    if (format !== "jwk") refuse("the key format " + format);
    if (data?.kty !== "oct" || typeof data.k !== "string") fault("DataError", "Invalid keyData");
    return make(Uint8Array.fromBase64(data.k, { alphabet: "base64url" }));
  }
  async generateKey(algorithm, extractable, usages) {
    const make = hmacKey(undefined, algorithm, extractable, usages);
    return make(fromWire(sync("crypto.random", algorithm.length ? algorithm.length / 8 : sizes[hashOf(algorithm)])));
  }
  async exportKey(format, key) {
    if (!key.extractable) fault("InvalidAccessError", "key is not extractable");
    if (format === "raw") return bytesOfKey(key).slice().buffer;
    if (format !== "jwk") refuse("the key format " + format);
    return { kty: "oct", k: bytesOfKey(key).toBase64({ alphabet: "base64url", omitPadding: true }), alg: algorithms[hashOf(key.algorithm)], key_ops: key.usages, ext: true };
  }
  async sign(algorithm, key, data) {
    if (nameOf(algorithm) !== "HMAC") refuse(nameOf(algorithm));
    return buffer(hmac(key, data, "sign"));
  }
  async verify(algorithm, key, signature, data) {
    if (nameOf(algorithm) !== "HMAC") refuse(nameOf(algorithm));
    return sync("crypto.equal", hmac(key, data, "verify"), toWire(bytesFrom(signature)));
  }
}
for (const name of ["encrypt", "decrypt", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"]) SubtleCrypto.prototype[name] = async () => refuse("subtle." + name);

class Crypto {
  #subtle = new SubtleCrypto();
  get subtle() { return this.#subtle; }
  randomUUID() { return sync("crypto.uuid"); }
  getRandomValues(view) {
    const bytes = asBytes(view);
    if (!ArrayBuffer.isView(view) || /^(Float|DataView)/.test(view[Symbol.toStringTag] ?? "DataView")) fault("TypeMismatchError", "The data argument must be an integer-type TypedArray");
    if (bytes.length > 65536) fault("QuotaExceededError", `The requested length exceeds 65,536 bytes`);
    bytes.set(fromWire(sync("crypto.random", bytes.length)));
    return view;
  }
}

expose({ Crypto, SubtleCrypto, CryptoKey });
globalThis.crypto = new Crypto();
