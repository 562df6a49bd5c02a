// node:string_decoder: text out of chunks that may cut a character.
export class StringDecoder {
  #decoder;
  #rest = Buffer.alloc(0);
  #unit;

  constructor(encoding = "utf8") {
    this.encoding = encoding;
    const name = String(encoding).toLowerCase();
    if (!Buffer.isEncoding(name)) throw Object.assign(new TypeError(`Unknown encoding: ${encoding}`), { code: "ERR_UNKNOWN_ENCODING" });
    if (/^utf-?8$/.test(name)) this.#decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.#unit = /^base64/.test(name) ? 3 : /^(ucs-?2|utf-?16le)$/.test(name) ? 2 : 1;
  }

  write(chunk) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, this.encoding) : __bdk.asBytes(chunk);
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true });
    const all = Buffer.concat([this.#rest, bytes]), whole = all.length - (all.length % this.#unit);
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
