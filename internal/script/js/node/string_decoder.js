// node:string_decoder: text out of chunks that may cut a character.
import { coded } from "./_errors.js";

export class StringDecoder {
  #decoder;
  #rest = Buffer.alloc(0);
  #unit;

  constructor(encoding = "utf8") {
    const name = String(encoding ?? "utf8").toLowerCase();
    if (!Buffer.isEncoding(name)) throw coded(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${encoding}`);
    const utf8 = /^utf-?8$/.test(name);
    this.encoding = utf8 ? "utf8" : /^(ucs-?2|utf-?16le)$/.test(name) ? "utf16le" : name === "binary" ? "latin1" : name;
    if (utf8) this.#decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.#unit = /^base64/.test(name) ? 3 : this.encoding === "utf16le" ? 2 : 1;
  }

  write(chunk) {
    if (typeof chunk === "string") return chunk;
    const bytes = __bdk.asBytes(chunk);
    if (!bytes) throw coded(TypeError, "ERR_INVALID_ARG_TYPE", 'The "buf" argument must be an instance of Buffer, TypedArray, or DataView.');
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true });
    const all = Buffer.concat([this.#rest, bytes]);
    let whole = all.length - (all.length % this.#unit);
    if (this.#unit === 2 && whole >= 2 && (all[whole - 1] & 0xfc) === 0xd8) whole -= 2; // half of a pair
    this.#rest = all.subarray(whole);
    return all.toString(this.encoding, 0, whole);
  }

  end(chunk) {
    const text = chunk === undefined ? "" : this.write(chunk);
    if (this.#decoder) return text + this.#decoder.decode();
    const rest = this.#rest.toString(this.encoding);
    this.#rest = Buffer.alloc(0);
    return text + rest;
  }
}
export default { StringDecoder };
