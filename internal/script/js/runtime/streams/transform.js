// TransformStream, and those that come with the platform: text and compression.
import { async, asBytes, fromWire, toWire } from "../bridge.js";
import { expose } from "../primordials.js";
import { strategyOf } from "./queue.js";
import { inner, ReadableStream } from "./readable.js";
import { WritableStream } from "./writable.js";

export class TransformStream {
  #readable;
  #writable;

  constructor(transformer = {}, writableStrategy, readableStrategy) {
    if (transformer?.readableType !== undefined || transformer?.writableType !== undefined) throw new RangeError("the types of a transformer must be absent");
    const { mark, size } = strategyOf(readableStrategy, 0);
    let controls, room = Promise.withResolvers();
    const controller = new TransformStreamDefaultController({
      desired: () => controls.desiredSize,
      enqueue: (chunk) => {
        controls.enqueue(chunk);
        if (controls.desiredSize <= 0) room = Promise.withResolvers();
      },
      error: (e) => this.#fail(controls, sink, e),
      terminate: () => {
        controls.close();
        sink.error(new TypeError("the transform stream was terminated"));
      },
    });
    this.#readable = new ReadableStream({
      start(c) { controls = c; },
      pull() { room.resolve(); },
      cancel: async (reason) => {
        sink?.error(reason);
        room.resolve();
        await transformer?.cancel?.(reason);
      },
    }, { highWaterMark: mark, size });
    let sink;
    const run = async (f) => {
      try {
        return await f();
      } catch (e) {
        controls.error(e);
        throw e;
      }
    };
    this.#writable = new WritableStream({
      start(c) {
        sink = c;
        return transformer?.start?.(controller);
      },
      write: (chunk) => run(async () => {
        if (!(controls.desiredSize > 0)) await room.promise;
        await (transformer?.transform ? transformer.transform(chunk, controller) : controller.enqueue(chunk));
      }),
      close: () => run(async () => {
        await transformer?.flush?.(controller);
        if (inner(this.#readable).state === "readable" && !inner(this.#readable).closing) controls.close();
      }),
      abort: async (e) => {
        controls.error(e);
        await transformer?.cancel?.(e);
      },
    }, writableStrategy);
  }

  #fail(controls, sink, e) {
    controls.error(e);
    sink.error(e);
  }

  get readable() { return this.#readable; }
  get writable() { return this.#writable; }
}

class TransformStreamDefaultController {
  #own;
  constructor(own) { this.#own = own; }
  get desiredSize() { return this.#own.desired(); }
  enqueue(chunk) { this.#own.enqueue(chunk); }
  error(e) { this.#own.error(e); }
  terminate() { this.#own.terminate(); }
}

class TextDecoderStream extends TransformStream {
  #decoder;
  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    const tell = (c, text) => { if (text) c.enqueue(text); };
    super({
      transform: (chunk, c) => tell(c, decoder.decode(chunk, { stream: true })),
      flush: (c) => tell(c, decoder.decode()),
    });
    this.#decoder = decoder;
  }
  get encoding() { return this.#decoder.encoding; }
  get fatal() { return this.#decoder.fatal; }
  get ignoreBOM() { return this.#decoder.ignoreBOM; }
}

class TextEncoderStream extends TransformStream {
  constructor() {
    const encoder = new TextEncoder();
    let half = ""; // the first half of a pair that a chunk may end with
    super({
      transform: (chunk, c) => {
        const text = half + String(chunk);
        half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
        if (text.length > half.length) c.enqueue(encoder.encode(text.slice(0, text.length - half.length)));
      },
      flush: (c) => { if (half) c.enqueue(encoder.encode(half)); },
    });
  }
  get encoding() { return "utf-8"; }
}

// packing gathers what is written; Go packs or unpacks it at the end.
function packing(names) {
  return class extends TransformStream {
    constructor(format) {
      const name = names[format];
      if (!name) throw new TypeError(`the format ${format} is not one of gzip, deflate, deflate-raw`);
      const parts = [];
      super({
        transform(chunk) {
          const bytes = asBytes(chunk);
          if (!bytes) throw new TypeError("a chunk must be bytes");
          parts.push(bytes.slice());
        },
        async flush(c) {
          const out = fromWire(await async(0, "zlib", name, toWire(await new Blob(parts).bytes()), -1));
          if (out.length) c.enqueue(out);
        },
      });
    }
  };
}
const CompressionStream = packing({ gzip: "gzip", deflate: "deflate", "deflate-raw": "deflateRaw" });
const DecompressionStream = packing({ gzip: "gunzip", deflate: "inflate", "deflate-raw": "inflateRaw" });

expose({ TransformStream, TransformStreamDefaultController, TextDecoderStream, TextEncoderStream, CompressionStream, DecompressionStream });
