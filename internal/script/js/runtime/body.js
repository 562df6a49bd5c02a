// What Request and Response share: a body that can be read once.
import { asBytes } from "./bridge.js";
import { bytesOfBlob, concat, multipart, parseMultipart } from "./blob.js";

const encoder = new TextEncoder();

// extract gives a body's bytes, or its stream, and the type that it implies.
function extract(body) {
  if (typeof body === "string") return { bytes: encoder.encode(body), type: "text/plain;charset=UTF-8" };
  if (body instanceof URLSearchParams) return { bytes: encoder.encode(body.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  if (body instanceof FormData) return multipart(body);
  if (body instanceof Blob) return { bytes: bytesOfBlob(body), type: body.type || undefined };
  const bytes = asBytes(body);
  if (bytes) return { bytes: bytes.slice() };
  if (body instanceof ReadableStream) return { stream: body };
  if (typeof body?.[Symbol.asyncIterator] === "function") return { stream: ReadableStream.from(body) };
  return { bytes: encoder.encode(String(body)), type: "text/plain;charset=UTF-8" };
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

  // share gives a second reader of the same body.
  static share(from, to) {
    if (from.bodyUsed) throw new TypeError("the body was already read");
    to.#bytes = from.#bytes;
    if (from.#stream) [from.#stream, to.#stream] = from.#stream.tee();
  }

  static take(from) { return from.#take(); }
  static has(from) { return from.#bytes !== undefined || from.#stream !== undefined; }

  get body() {
    if (this.#stream === undefined && this.#bytes !== undefined) {
      const bytes = this.#bytes;
      this.#stream = ReadableStream.from(bytes.length ? [bytes] : []);
    }
    return this.#stream ?? null;
  }

  get bodyUsed() { return this.#used || Boolean(this.#stream?.locked); }

  async #take() {
    if (this.bodyUsed) throw new TypeError("Body is unusable: it was already read");
    if (this.#bytes === undefined && this.#stream === undefined) return new Uint8Array(0);
    this.#used = true;
    if (!this.#stream) return this.#bytes;
    const parts = [];
    for await (const chunk of this.#stream) {
      const bytes = typeof chunk === "string" ? encoder.encode(chunk) : asBytes(chunk);
      if (!bytes) throw new TypeError("a body's chunks must be bytes");
      parts.push(bytes);
    }
    return concat(parts);
  }

  async text() { return new TextDecoder().decode(await this.#take()); }
  async json() { return JSON.parse(await this.text()); }
  async bytes() { return (await this.#take()).slice(); }
  async arrayBuffer() { return (await this.#take()).slice().buffer; }
  async blob() { return new Blob([await this.#take()], { type: this.headers.get("content-type") ?? "" }); }

  async formData() {
    const type = this.headers.get("content-type") ?? "";
    const boundary = /multipart\/form-data.*boundary="?([^";]+)/i.exec(type)?.[1];
    if (boundary) return parseMultipart(await this.#take(), boundary);
    if (!/application\/x-www-form-urlencoded/i.test(type)) throw new TypeError("the body is not a form");
    const form = new FormData();
    for (const [n, v] of new URLSearchParams(await this.text())) form.append(n, v);
    return form;
  }
}

export const { fill, share, take, has } = Body;
for (const name of ["fill", "share", "take", "has"]) delete Body[name];
