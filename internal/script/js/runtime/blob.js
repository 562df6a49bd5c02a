// Blob and File.
import { asBytes } from "./bridge.js";
import { expose } from "./primordials.js";

export function concat(parts) {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

const encoder = new TextEncoder();
const chunkSize = 64 << 10;

// typeOf reads a MIME type; one with characters that none has is no type.
const typeOf = (type) => (/^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : "");

class Blob {
  #bytes;
  #type;

  constructor(parts, options) {
    if (parts !== undefined && (parts === null || typeof parts !== "object" || typeof parts[Symbol.iterator] !== "function")) {
      throw Object.assign(new TypeError("The parts of a Blob must be an iterable"), { code: "ERR_INVALID_ARG_TYPE" });
    }
    this.#bytes = concat([...(parts ?? [])].map((p) => (p instanceof Blob ? p.#bytes : asBytes(p) ?? encoder.encode(String(p)))));
    this.#type = typeOf(String(options?.type ?? ""));
  }

  static bytes(blob) { return blob.#bytes; }
  get size() { return this.#bytes.length; }
  get type() { return this.#type; }
  async arrayBuffer() { return this.#bytes.slice().buffer; }
  async bytes() { return this.#bytes.slice(); }
  async text() { return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.#bytes); }
  slice(start, end, type = "") { return new Blob([this.#bytes.subarray(start, end)], { type }); }

  stream() {
    const bytes = this.#bytes;
    let at = 0;
    return new ReadableStream({
      type: "bytes",
      pull(c) {
        if (at < bytes.length) c.enqueue(bytes.slice(at, at += chunkSize));
        if (at >= bytes.length) c.close();
      },
    }, { highWaterMark: 0 });
  }
}
export const bytesOfBlob = Blob.bytes;
delete Blob.bytes;

class File extends Blob {
  #name;
  #lastModified;
  constructor(parts, name, options) {
    if (arguments.length < 2) throw new TypeError("a File needs its parts and a name");
    super(parts, options);
    this.#name = String(name).toWellFormed();
    this.#lastModified = Number(options?.lastModified ?? Date.now());
  }
  get name() { return this.#name; }
  get lastModified() { return this.#lastModified; }
  get webkitRelativePath() { return ""; }
}

expose({ Blob, File });
