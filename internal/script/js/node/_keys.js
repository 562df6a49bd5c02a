// KeyObject: keys of node:crypto, as Go describes them.
import { coded, invalidType } from "./_errors.js";

const { sync, toWire, asBytes } = __bdk;
const secret = Symbol("made here");

export class KeyObject {
  #about;
  constructor(mark, about) {
    if (mark !== secret) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", "a KeyObject is made by createSecretKey, createPrivateKey or createPublicKey");
    this.#about = about;
  }
  get type() { return this.#about.kind; }
  get asymmetricKeyType() { return this.#about.type; }
  get asymmetricKeyDetails() {
    if (this.type === "secret") return undefined;
    return this.#about.curve ? { namedCurve: this.#about.curve } : this.#about.bits ? { modulusLength: this.#about.bits, publicExponent: 65537n } : {};
  }
  get symmetricKeySize() { return this.#about.bytes?.length; }

  export(options) {
    if (this.type === "secret") return options?.format === "jwk" ? { kty: "oct", k: Buffer.from(this.#about.bytes).toString("base64url") } : Buffer.from(this.#about.bytes);
    if (options?.format === "jwk") throw coded(Error, "ERR_CRYPTO_UNSUPPORTED_OPERATION", "keys with two parts are exported as pem or der here");
    const { pem } = this.#about;
    return options?.format === "der" ? Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64") : pem;
  }
  equals(other) { return this.type === other.type && (this.type === "secret" ? Buffer.compare(this.export(), other.export()) === 0 : this.export() === other.export()); }
}

function describe(key, wantsPublic) {
  const given = key !== null && typeof key === "object" && !asBytes(key) ? key.key : key;
  if (given instanceof KeyObject) return describe(given.export({ format: "pem" }), wantsPublic);
  if (key?.format === "jwk") throw coded(Error, "ERR_CRYPTO_UNSUPPORTED_OPERATION", "keys in the format jwk are not read here; give pem");
  if (key?.passphrase) throw coded(Error, "ERR_CRYPTO_UNSUPPORTED_OPERATION", "encrypted keys are not read here; decrypt the key first");
  if (key?.format === "der") return JSON.parse(sync("crypto.key", "", toWire(asBytes(given)), wantsPublic));
  const text = typeof given === "string" ? given : Buffer.from(asBytes(given) ?? "").toString();
  if (text === "") throw invalidType("key", "of type string or an instance of Buffer or KeyObject", key);
  return JSON.parse(sync("crypto.key", text, "", wantsPublic));
}

export const createSecretKey = (key, encoding) => new KeyObject(secret, { kind: "secret", bytes: (typeof key === "string" ? Buffer.from(key, encoding) : asBytes(key)).slice() });
export const createPublicKey = (key) => new KeyObject(secret, describe(key instanceof KeyObject ? key.export({ format: "pem" }) : key, true));
export function createPrivateKey(key) {
  const about = describe(key, false);
  if (about.kind !== "private") throw coded(Error, "ERR_OSSL_UNSUPPORTED", "the key is not a private one");
  return new KeyObject(secret, about);
}

// pemOf gives a key for a signature as text.
export function pemOf(key, wanted) {
  if (key instanceof KeyObject) {
    if (key.type === "secret" || (wanted === "private" && key.type !== "private")) throw coded(TypeError, "ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE", `Invalid key object type ${key.type}, expected ${wanted}.`);
    return key.export({ format: "pem" });
  }
  return describe(key, wanted === "public").pem;
}

// secretOf gives the bytes of a symmetric key.
export function secretOf(key) {
  if (key instanceof KeyObject) {
    if (key.type !== "secret") throw coded(TypeError, "ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE", `Invalid key object type ${key.type}, expected secret.`);
    return key.export();
  }
  const bytes = typeof key === "string" ? Buffer.from(key) : asBytes(key);
  if (!bytes) throw invalidType("key", "of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView or KeyObject", key);
  return bytes;
}
