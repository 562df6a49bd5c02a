// Digests and ciphers: they gather what they are given, and Go computes at the end.
import { Transform } from "./stream.js";
import { coded, invalidType } from "./_errors.js";

const { sync, toWire, fromWire, asBytes } = __bdk;
const shown = (bytes, encoding) => (encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes);

function chunkOf(data, encoding) {
  const bytes = typeof data === "string" ? Buffer.from(data, encoding) : asBytes(data);
  if (!bytes) throw invalidType("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
  return typeof data === "string" ? bytes : bytes.slice();
}

export class Digest extends Transform {
  #parts = [];
  #finish;
  constructor(finish, options) {
    super(options);
    this.#finish = finish;
  }

  #open() {
    if (!this.#parts) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    return this.#parts;
  }

  update(data, encoding) {
    const bytes = chunkOf(data, encoding);
    this.#open().push(bytes);
    return this;
  }

  digest(encoding) {
    const data = toWire(Buffer.concat(this.#open()));
    this.#parts = undefined;
    return shown(Buffer.from(fromWire(this.#finish(data))), encoding);
  }

  copy() {
    const d = new this.constructor(this.#finish);
    for (const p of this.#open()) d.update(p);
    return d;
  }

  _transform(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  }
  _flush(done) {
    this.push(this.digest());
    done();
  }
}

// A Cipher gives everything in final: what update and final give together is what Node gives.
export class Cipher extends Transform {
  #about;
  #parts = [];
  #done = false;
  #tag;

  constructor(name, encrypt, key, iv, options) {
    super(options);
    this.#about = { name, encrypt, key, iv, padding: true };
    if (!/^aes-(128|192|256)-(cbc|ctr|gcm)$/.test(name)) this.#run(new Uint8Array(0));
  }

  #run(data) {
    const { key, iv, aad, ...rest } = this.#about;
    return JSON.parse(sync("crypto.cipher", JSON.stringify({ ...rest, key: toWire(key), iv: toWire(iv), data: toWire(data), aad: aad && toWire(aad), tag: this.#tag && toWire(this.#tag) })));
  }

  update(data, from, to) {
    if (this.#done) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state for operation update");
    this.#parts.push(chunkOf(data, from));
    return shown(Buffer.alloc(0), to);
  }

  final(encoding) {
    if (this.#done) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state for operation final");
    this.#done = true;
    const { data, tag } = this.#run(Buffer.concat(this.#parts));
    if (tag) this.#tag = Buffer.from(tag, "base64");
    return shown(Buffer.from(data ?? "", "base64"), encoding);
  }

  getAuthTag() { return this.#tag; }
  setAuthTag(tag, encoding) {
    this.#tag = Buffer.from(chunkOf(tag, encoding));
    return this;
  }
  setAAD(data) {
    this.#about.aad = chunkOf(data);
    return this;
  }
  setAutoPadding(padding = true) {
    this.#about.padding = Boolean(padding);
    return this;
  }

  _transform(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  }
  _flush(done) {
    try {
      this.push(this.final());
      done();
    } catch (e) {
      done(e);
    }
  }
}
