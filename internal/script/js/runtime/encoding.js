// Text and bytes: TextEncoder, TextDecoder, btoa, atob.
import { asBytes, fromWire, sync, toWire } from "./bridge.js";
import { Boolean, expose, String, TypeError, Uint8Array } from "./primordials.js";

// longText is from where on Go encodes faster, the way there and back included.
const longText = 64;

class TextEncoder {
  get encoding() { return "utf-8"; }

  encode(text = "") {
    text = String(text).toWellFormed();
    if (text.length > longText) return fromWire(sync("text.encode", text));
    const out = new Uint8Array(text.length * 3);
    return out.slice(0, this.encodeInto(text, out).written);
  }

  encodeInto(text, out) {
    let read = 0, n = 0;
    for (const char of String(text).toWellFormed()) {
      const c = char.codePointAt(0);
      const size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
      if (n + size > out.length) break;
      if (size === 1) out[n++] = c;
      else {
        out[n++] = [0, 0, 0xc0, 0xe0, 0xf0][size] | (c >> (6 * (size - 1)));
        for (let shift = 6 * (size - 2); shift >= 0; shift -= 6) out[n++] = 0x80 | ((c >> shift) & 0x3f);
      }
      read += char.length;
    }
    return { read, written: n };
  }
}

class TextDecoder {
  #label;
  #rest = new Uint8Array(0);

  constructor(label = "utf-8", options = {}) {
    this.#label = sync("text.encoding", String(label));
    this.fatal = Boolean(options?.fatal);
    this.ignoreBOM = Boolean(options?.ignoreBOM);
  }

  get encoding() { return this.#label; }

  decode(input, options = {}) {
    let bytes = input === undefined ? new Uint8Array(0) : asBytes(input);
    if (!bytes) throw new TypeError("TextDecoder.decode needs bytes");
    if (this.#rest.length) {
      const both = new Uint8Array(this.#rest.length + bytes.length);
      both.set(this.#rest);
      both.set(bytes, this.#rest.length);
      bytes = both;
    }
    this.#rest = options?.stream ? tail(bytes, this.#label) : new Uint8Array(0);
    if (this.#rest.length) bytes = bytes.subarray(0, bytes.length - this.#rest.length);
    return sync("text.decode", this.#label, toWire(bytes), this.fatal, this.ignoreBOM);
  }
}

// tail gives the bytes of a character that is not complete yet.
function tail(bytes, label) {
  if (label.startsWith("utf-16")) return bytes.slice(bytes.length - (bytes.length % 2));
  if (label !== "utf-8") return new Uint8Array(0);
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const b = bytes[bytes.length - back];
    if ((b & 0xc0) === 0x80) continue;
    const size = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc0 ? 2 : 1;
    return size > back ? bytes.slice(bytes.length - back) : new Uint8Array(0);
  }
  return new Uint8Array(0);
}

function btoa(text) {
  text = String(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c > 255) throw new DOMException("The string to be encoded contains characters outside of the Latin1 range.", "InvalidCharacterError");
    bytes[i] = c;
  }
  return toWire(bytes);
}

function atob(text) {
  const clean = String(text).replace(/[\t\n\f\r ]/g, "");
  try {
    return latin1(fromWire(clean));
  } catch {
    throw new DOMException("The string to be decoded is not correctly encoded.", "InvalidCharacterError");
  }
}

// latin1 reads each byte as one character.
export function latin1(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192));
  return text;
}

expose({ TextEncoder, TextDecoder });
Object.assign(globalThis, { btoa, atob });
