// node:readline over a stream: lines of a file, or of a process's output.
import { EventEmitter } from "./events.js";
import { invalidType } from "./_errors.js";

export class Interface extends EventEmitter {
  #rest = "";
  #input;
  #asked = [];
  closed = false;

  constructor(input, output) {
    super();
    const options = input?.input ? input : { input, output };
    if (typeof options.input?.on !== "function") throw invalidType("input", "a stream", options.input);
    this.#input = options.input;
    this.input = options.input;
    this.output = options.output;
    this.terminal = false;
    const decoder = new TextDecoder();
    this.#input.on("data", (chunk) => this.#heard(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })));
    this.#input.on("end", () => {
      this.#heard(decoder.decode());
      if (this.#rest) this.#line(this.#rest);
      this.#rest = "";
      this.close();
    });
    this.#input.on("error", (e) => this.emit("error", e));
  }

  #heard(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line);
  }
  #line(line) {
    const asked = this.#asked.shift();
    if (asked) asked(line);
    else this.emit("line", line);
  }

  question(text, options, done = options) {
    this.output?.write(text);
    this.#asked.push(done);
  }
  setPrompt(text) { this.prompted = text; }
  prompt() { if (this.prompted) this.output?.write(this.prompted); }
  write() {}
  pause() {
    this.#input.pause();
    return this;
  }
  resume() {
    this.#input.resume();
    return this;
  }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.#input.pause?.();
    this.emit("close");
  }

  async *[Symbol.asyncIterator]() {
    const waiting = [];
    let wake, failure;
    const poke = () => wake?.();
    this.on("line", (line) => { waiting.push(line); poke(); });
    this.on("close", poke);
    this.on("error", (e) => { failure = { e }; poke(); });
    try {
      for (;;) {
        while (waiting.length) yield waiting.shift();
        if (failure) throw failure.e;
        if (this.closed) return;
        await new Promise((r) => { wake = r; });
      }
    } finally {
      this.close();
    }
  }
}

export const createInterface = (...args) => new Interface(...args);
export const clearLine = () => true, cursorTo = () => true, moveCursor = () => true, clearScreenDown = () => true;
export const emitKeypressEvents = () => {};

class Promised extends Interface {
  question(text) { return new Promise((resolve) => super.question(text, resolve)); }
}
export const promises = { Interface: Promised, createInterface: (...args) => new Promised(...args) };
export default { Interface, createInterface, clearLine, cursorTo, moveCursor, clearScreenDown, emitKeypressEvents, promises };
