// FormData, and how it becomes the bytes of a body.
import { bytesOfBlob, concat } from "./blob.js";
import { expose } from "./primordials.js";

const encoder = new TextEncoder();

class FormData {
  #list = [];

  constructor(form) {
    if (form !== undefined) throw new TypeError("FormData is made without a form here");
  }

  #entry([name, value, file]) {
    name = String(name).toWellFormed();
    if (!(value instanceof Blob)) {
      if (file !== undefined) throw new TypeError("a part of a form with a file name must be a Blob");
      return [name, String(value).toWellFormed()];
    }
    if (value instanceof File && file === undefined) return [name, value];
    const lastModified = value instanceof File ? value.lastModified : undefined;
    return [name, new File([value], file ?? "blob", { type: value.type, lastModified })];
  }

  append(...entry) {
    needs(entry, 2);
    this.#list.push(this.#entry(entry));
  }

  set(...entry) {
    needs(entry, 2);
    const made = this.#entry(entry), i = this.#list.findIndex(([n]) => n === made[0]);
    this.#list = this.#list.filter(([n], j) => j === i || n !== made[0]);
    this.#list[i < 0 ? this.#list.length : i] = made;
  }

  delete(name) { this.#list = this.#list.filter(([n]) => n !== String(name)); }
  get(name) { return this.#list.find(([n]) => n === String(name))?.[1] ?? null; }
  getAll(name) { return this.#list.filter(([n]) => n === String(name)).map(([, v]) => v); }
  has(name) { return this.#list.some(([n]) => n === String(name)); }
  forEach(f, self) { for (const [n, v] of this.#list) f.call(self, v, n, this); }
  *entries() { for (const [n, v] of this.#list) yield [n, v]; }
  *keys() { for (const [n] of this.#list) yield n; }
  *values() { for (const [, v] of this.#list) yield v; }
  [Symbol.iterator]() { return this.entries(); }
}

function needs(entry, n) {
  if (entry.length < n) throw new TypeError(`${n} arguments are needed, and there are ${entry.length}`);
}

const lines = (s) => s.replace(/\r?\n|\r/g, "\r\n");
const quotable = (s) => s.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");

// multipart writes a form as multipart/form-data.
export function multipart(form) {
  const boundary = "----bdk" + crypto.randomUUID().replaceAll("-", "");
  const parts = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quotable(lines(name))}"`;
    if (typeof value === "string") {
      parts.push(encoder.encode(`${head}\r\n\r\n${lines(value)}\r\n`));
      continue;
    }
    const type = value.type || "application/octet-stream";
    parts.push(encoder.encode(`${head}; filename="${quotable(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`), bytesOfBlob(value), encoder.encode("\r\n"));
  }
  parts.push(encoder.encode(`--${boundary}--\r\n`));
  return { bytes: concat(parts), type: "multipart/form-data; boundary=" + boundary };
}

const unquoted = (s) => s?.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%22", '"');

// parseMultipart reads one back.
export function parseMultipart(bytes, boundary) {
  const form = new FormData(), all = Buffer.from(bytes), mark = "--" + boundary;
  let at = all.indexOf(mark);
  if (at < 0) throw new TypeError("the body is not the multipart/form-data that its type says");
  for (;;) {
    const from = at + mark.length;
    if (all.toString("latin1", from, from + 2) === "--") return form;
    at = all.indexOf("\r\n" + mark, from);
    if (at < 0) throw new TypeError("the multipart/form-data ends before its last boundary");
    addPart(form, all.subarray(from + 2, at));
    at += 2;
  }
}

function addPart(form, part) {
  const cut = part.indexOf("\r\n\r\n"), head = part.toString("utf8", 0, cut), body = part.subarray(cut + 4);
  const name = unquoted(/[;\s]name="([^"]*)"/i.exec(head)?.[1]), file = unquoted(/[;\s]filename="([^"]*)"/i.exec(head)?.[1]);
  if (cut < 0 || name === undefined) throw new TypeError("a part of the multipart/form-data has no name");
  if (file === undefined) return form.append(name, body.toString());
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] ?? "text/plain";
  form.append(name, new File([body], file, { type }));
}

expose({ FormData });
