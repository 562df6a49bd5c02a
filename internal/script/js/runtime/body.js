// What Request and Response share: a body that can be read once.
import { asBytes } from "./bridge.js";
import { bytesOfBlob, concat } from "./blob.js";
import { multipart, parseMultipart } from "./form.js";
import { inner } from "./streams/readable.js";

const encoder = new TextEncoder();

// extract gives a body's bytes, or its stream, and the type that it implies.
function extract(body) {
  if (typeof body === "string") return { bytes: encoder.encode(body), type: "text/plain;charset=UTF-8" };
  if (body instanceof URLSearchParams) return { bytes: encoder.encode(body.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  if (body instanceof FormData) return multipart(body);
  if (body instanceof Blob) return { bytes: bytesOfBlob(body), type: body.type || undefined };
  const bytes = asBytes(body);
  if (bytes) return { bytes: bytes.slice() };
  if (body instanceof ReadableStream) {
    if (body.locked || inner(body).disturbed) throw new TypeError("the stream of a body must not be locked or read from");
    return { stream: body };
  }
  if (typeof body?.[Symbol.asyncIterator] === "function") return { stream: ReadableStream.from(body) };
  return { bytes: encoder.encode(String(body)), type: "text/plain;charset=UTF-8" };
}

// streamOf streams bytes that are there.
function streamOf(bytes) {
  let given = false;
  return new ReadableStream({
    type: "bytes",
    pull(c) {
      if (!given && bytes.length) c.enqueue(bytes.slice());
      else c.close();
      given = true;
    },
  }, { highWaterMark: 0 });
}

// chunkBytes are the bytes of a stream's chunk, which must be bytes.
export function chunkBytes(chunk) {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("the chunks of a body's stream must be Uint8Arrays");
}

export class Body {
  #bytes;
  #stream;
  #used = false;

  // fill sets the body, and the content type where none is given.
  static fill(target, body, headers) {
    if (body === null || body === undefined) return;
    const { bytes, stream, type } = extract(body);
    target.#bytes = bytes;
    target.#stream = stream;
    if (type && !headers.has("content-type")) headers.set("content-type", type);
  }

  // share gives a second reader of the same body, move gives the body away.
  static share(from, to) {
    from.#free();
    to.#bytes = from.#bytes;
    if (from.#stream) [from.#stream, to.#stream] = from.#stream.tee();
  }
  static move(from, to) {
    from.#free();
    to.#bytes = from.#bytes;
    to.#stream = from.#stream;
    from.#stream = undefined;
    from.#used = true;
  }

  static has(from) { return from.#bytes !== undefined || from.#stream !== undefined; }
  static take(from) { return from.#take(); }

  // source gives the bytes of a body that is to be sent, or its stream.
  static source(from) {
    from.#free();
    from.#used = from.#bytes !== undefined || from.#stream !== undefined;
    return from.#stream ? { stream: from.#stream } : { bytes: from.#bytes };
  }

  get body() {
    if (this.#stream === undefined && this.#bytes !== undefined) this.#stream = streamOf(this.#used ? new Uint8Array(0) : this.#bytes);
    return this.#stream ?? null;
  }

  get bodyUsed() { return this.#used || Boolean(this.#stream && inner(this.#stream).disturbed); }

  #free() {
    if (this.bodyUsed) throw new TypeError("Body is unusable: Body has already been read");
    if (this.#stream?.locked) throw new TypeError("Body is unusable: its stream is locked to a reader");
  }

  async #take() {
    this.#free();
    if (this.#stream === undefined) {
      this.#used = this.#bytes !== undefined;
      return this.#bytes ?? new Uint8Array(0);
    }
    this.#used = true;
    const parts = [];
    for await (const chunk of this.#stream) parts.push(chunkBytes(chunk));
    return concat(parts);
  }

  async text() { return new TextDecoder().decode(await this.#take()); }
  async json() { return JSON.parse(await this.text()); }
  async bytes() { return (await this.#take()).slice(); }
  async arrayBuffer() { return (await this.#take()).slice().buffer; }
  async blob() {
    const type = this.headers.get("content-type") ?? "";
    return new Blob([await this.#take()], { type });
  }

  async formData() {
    const type = this.headers.get("content-type") ?? "";
    if (/^\s*multipart\/form-data\b/i.test(type)) {
      const m = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
      if (!m) throw new TypeError("the type of the multipart/form-data has no boundary");
      return parseMultipart(await this.#take(), m[1] ?? m[2]);
    }
    if (!/^\s*application\/x-www-form-urlencoded\b/i.test(type)) throw new TypeError(`a body of type ${type || "none"} is not a form`);
    const form = new FormData();
    for (const [n, v] of new URLSearchParams(await this.text())) form.append(n, v);
    return form;
  }
}

export const { fill, share, move, take, has, source } = Body;
for (const name of ["fill", "share", "move", "take", "has", "source"]) delete Body[name];
