// FileHandle, what fs.promises.open gives.
import { EventEmitter } from "./events.js";
import { coded } from "./_errors.js";
import { content, functions, room } from "./_files.js";
import { ReadStream, WriteStream } from "./_filestreams.js";

const ask = functions((name, ...args) => __bdk.async(0, "fs." + name, ...args), (p, f) => Promise.resolve(p).then(f));

export class FileHandle extends EventEmitter {
  #fd;
  constructor(fd) {
    super();
    this.#fd = fd;
  }
  get fd() { return this.#fd; }

  #open() {
    if (this.#fd === -1) throw coded(Error, "EBADF", "file closed", { syscall: "close" });
    return this.#fd;
  }

  async read(view, ...where) {
    if (view === undefined || (typeof view === "object" && view !== null && !__bdk.asBytes(view))) [view, where] = [view?.buffer ?? Buffer.alloc(16384), [view ?? {}]];
    const { part, at } = room(view, ...where);
    const bytes = await ask.fread(this.#open(), part.length, at);
    part.set(bytes);
    return { bytesRead: bytes.length, buffer: view };
  }

  async write(data, ...where) {
    if (typeof data === "string") {
      const [position, encoding] = where;
      return { bytesWritten: await ask.fwrite(this.#open(), content(data, encoding), position ?? -1), buffer: data };
    }
    const { part, at } = room(data, ...where);
    return { bytesWritten: await ask.fwrite(this.#open(), content(part), at), buffer: data };
  }

  async readFile(options) { return await ask.readAll(this.#open(), options); }
  async writeFile(data, options) {
    if (typeof data !== "string" && !__bdk.asBytes(data)) for await (const chunk of data) await ask.fwrite(this.#open(), content(chunk, options), -1);
    else await ask.fwrite(this.#open(), content(data, options), -1);
  }
  async appendFile(data, options) { await this.writeFile(data, options); }
  async stat(options) { return await ask.fstat(this.#open(), options); }
  async truncate(size) { await ask.ftruncate(this.#open(), size); }
  async sync() { await ask.fsync(this.#open()); }
  async datasync() { await ask.fsync(this.#open()); }
  createReadStream(options) { return new ReadStream(undefined, { ...options, fd: this }); }
  createWriteStream(options) { return new WriteStream(undefined, { ...options, fd: this }); }
  readableWebStream() { return ReadableStream.from(this.createReadStream({ autoClose: false })); }

  async *readLines(options) {
    let rest = "";
    for await (const text of this.createReadStream({ encoding: "utf8", ...options })) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop();
      yield* lines;
    }
    if (rest) yield rest;
  }

  async close() {
    const fd = this.#open();
    this.#fd = -1;
    await ask.close(fd);
    this.emit("close");
  }
  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() { if (this.#fd !== -1) await this.close(); }
}
