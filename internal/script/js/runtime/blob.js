// Blob, File and FormData, and how they become the bytes of a body.
import { asBytes } from "./bridge.js";

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

class Blob {
  #bytes;
  constructor(parts = [], options = {}) {
    this.#bytes = concat([...parts].map((p) => (p instanceof Blob ? p.#bytes : asBytes(p) ?? encoder.encode(String(p)))));
    this.type = String(options?.type ?? "").toLowerCase();
  }
  static bytes(blob) { return blob.#bytes; }
  get size() { return this.#bytes.length; }
  async arrayBuffer() { return this.#bytes.slice().buffer; }
  async bytes() { return this.#bytes.slice(); }
  async text() { return new TextDecoder().decode(this.#bytes); }
  slice(start, end, type = "") { return new Blob([this.#bytes.slice(start, end)], { type }); }
  stream() { return ReadableStream.from([this.#bytes.slice()]); }
}
export const bytesOfBlob = Blob.bytes;
delete Blob.bytes;

class File extends Blob {
  constructor(parts, name, options = {}) {
    super(parts, options);
    this.name = String(name);
    this.lastModified = options.lastModified ?? Date.now();
  }
}

class FormData {
  #list = [];
  #entry(name, value, file) {
    if (!(value instanceof Blob)) return [String(name), String(value)];
    return [String(name), value instanceof File && file === undefined ? value : new File([value], file ?? "blob", { type: value.type })];
  }
  append(name, value, file) { this.#list.push(this.#entry(name, value, file)); }
  set(name, value, file) {
    const i = this.#list.findIndex(([n]) => n === String(name));
    this.delete(name);
    this.#list.splice(i < 0 ? this.#list.length : i, 0, this.#entry(name, value, file));
  }
  delete(name) { this.#list = this.#list.filter(([n]) => n !== String(name)); }
  get(name) { return this.#list.find(([n]) => n === String(name))?.[1] ?? null; }
  getAll(name) { return this.#list.filter(([n]) => n === String(name)).map(([, v]) => v); }
  has(name) { return this.#list.some(([n]) => n === String(name)); }
  forEach(f, self) { for (const [n, v] of this.#list) f.call(self, v, n, this); }
  *entries() { yield* this.#list.map(([n, v]) => [n, v]); }
  *keys() { for (const [n] of this.#list) yield n; }
  *values() { for (const [, v] of this.#list) yield v; }
  [Symbol.iterator]() { return this.entries(); }
}

// multipart writes a form as multipart/form-data.
export function multipart(form) {
  const boundary = "----bdk" + crypto.randomUUID().replaceAll("-", "");
  const escape = (s) => s.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
  const parts = [];
  for (const [name, value] of form) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"`;
    if (typeof value === "string") parts.push(encoder.encode(`${head}\r\n\r\n${value.replace(/\r?\n/g, "\r\n")}\r\n`));
    else {
      head += `; filename="${escape(value.name)}"\r\nContent-Type: ${value.type || "application/octet-stream"}`;
      parts.push(encoder.encode(head + "\r\n\r\n"), bytesOfBlob(value), encoder.encode("\r\n"));
    }
  }
  parts.push(encoder.encode(`--${boundary}--\r\n`));
  return { bytes: concat(parts), type: "multipart/form-data; boundary=" + boundary };
}

// parseMultipart reads one back.
export function parseMultipart(bytes, boundary) {
  const form = new FormData(), all = Buffer.from(bytes), mark = "--" + boundary;
  let at = all.indexOf(mark);
  while (at >= 0) {
    const next = all.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const part = all.subarray(at + mark.length + 2, next - 2), cut = part.indexOf("\r\n\r\n");
    const head = part.toString("utf8", 0, cut), body = part.subarray(cut + 4);
    const name = /\bname="([^"]*)"/i.exec(head)?.[1] ?? "", file = /\bfilename="([^"]*)"/i.exec(head)?.[1];
    const type = /^content-type:\s*(.*)$/im.exec(head)?.[1] ?? "text/plain";
    form.append(name, file === undefined ? body.toString() : new File([body], file, { type }));
    at = next;
  }
  return form;
}

Object.assign(globalThis, { Blob, File, FormData });
