// crypto and crypto.subtle for digests and HMAC. Go computes.
import { asBytes, fromWire, sync, toWire } from "./bridge.js";

const nameOf = (algorithm) => (typeof algorithm === "string" ? algorithm : algorithm?.name ?? "").toUpperCase();
const hashOf = (algorithm) => nameOf(algorithm?.hash ?? algorithm);
const buffer = (wire) => fromWire(wire).buffer;
const refuse = (what) => { throw new DOMException(`${what} is not supported; digest, and sign and verify with HMAC, are`, "NotSupportedError"); };

class CryptoKey {
  #bytes;
  constructor(bytes, algorithm, extractable, usages) {
    this.#bytes = bytes;
    Object.assign(this, { type: "secret", algorithm, extractable, usages });
  }
  static bytes(key) { return key.#bytes; }
}
const bytesOfKey = CryptoKey.bytes;
delete CryptoKey.bytes;

const sizes = { "SHA-1": 64, "SHA-256": 64, "SHA-384": 128, "SHA-512": 128 };

function hmac(key, data) {
  if (nameOf(key.algorithm) !== "HMAC") refuse(nameOf(key.algorithm));
  return sync("crypto.hmac", hashOf(key.algorithm), toWire(bytesOfKey(key)), toWire(asBytes(data)));
}

const subtle = {
  async digest(algorithm, data) {
    const name = nameOf(algorithm);
    if (!(name in sizes)) refuse(name);
    return buffer(sync("crypto.hash", name, toWire(asBytes(data))));
  },
  async importKey(format, data, algorithm, extractable, usages) {
    if (nameOf(algorithm) !== "HMAC") refuse(nameOf(algorithm));
    let bytes;
    if (format === "raw") bytes = asBytes(data).slice();
    else if (format === "jwk") bytes = Uint8Array.fromBase64(data.k, { alphabet: "base64url" });
    else refuse("the key format " + format);
    return new CryptoKey(bytes, { name: "HMAC", hash: { name: hashOf(algorithm) }, length: bytes.length * 8 }, extractable, [...usages]);
  },
  async generateKey(algorithm, extractable, usages) {
    if (nameOf(algorithm) !== "HMAC") refuse(nameOf(algorithm));
    const size = algorithm.length ? algorithm.length / 8 : sizes[hashOf(algorithm)];
    return new CryptoKey(fromWire(sync("crypto.random", size)), { name: "HMAC", hash: { name: hashOf(algorithm) }, length: size * 8 }, extractable, [...usages]);
  },
  async exportKey(format, key) {
    if (!key.extractable) throw new DOMException("the key is not extractable", "InvalidAccessError");
    if (format === "raw") return bytesOfKey(key).slice().buffer;
    return format === "jwk" ? { kty: "oct", k: bytesOfKey(key).toBase64({ alphabet: "base64url", omitPadding: true }), ext: true, key_ops: key.usages } : refuse("the key format " + format);
  },
  async sign(_, key, data) { return buffer(hmac(key, data)); },
  async verify(_, key, signature, data) { return sync("crypto.equal", hmac(key, data), toWire(asBytes(signature))); },
};
for (const name of ["encrypt", "decrypt", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"]) subtle[name] = async () => refuse("subtle." + name);

globalThis.crypto = {
  subtle,
  randomUUID: () => sync("crypto.uuid"),
  getRandomValues(view) {
    const bytes = asBytes(view);
    if (bytes.length > 65536) throw new DOMException("more than 65536 bytes were asked for", "QuotaExceededError");
    bytes.set(fromWire(sync("crypto.random", bytes.length)));
    return view;
  },
};
globalThis.CryptoKey = CryptoKey;
