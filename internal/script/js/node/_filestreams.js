// Files as streams.
import { Readable, Writable } from "./stream.js";
import { encodingOf, flagsOf, functions, modeOf, pathOf } from "./_files.js";

const ask = functions((name, ...args) => __bdk.async(0, "fs." + name, ...args), (p, f) => Promise.resolve(p).then(f));

// A Descriptor is opened when it is first needed, unless it is given.
class Descriptor {
  #opening;
  constructor(path, given, flags, mode, opened) {
    this.given = given;
    this.open = () => (this.#opening ??= given !== undefined ? Promise.resolve(typeof given === "number" ? given : given.fd) : ask.open(path, flags, mode).then((fd) => {
      opened(fd);
      return fd;
    }));
  }
  async close() {
    if (this.#opening === undefined && typeof this.given?.close !== "function") return;
    if (typeof this.given?.close === "function") return this.given.fd === -1 ? undefined : await this.given.close();
    await ask.close(await this.#opening);
  }
}

function begin(stream, path, options, flags) {
  stream.path = path === undefined ? undefined : pathOf(path);
  stream.fd = null;
  stream.flags = options?.flags ?? flags;
  stream._file = new Descriptor(stream.path, options?.fd ?? undefined, flagsOf(stream.flags), modeOf(options?.mode ?? 0o666), (fd) => {
    stream.fd = fd;
    stream.emit("open", fd);
    stream.emit("ready");
  });
  stream._autoClose = options?.autoClose !== false;
  stream._file.open().catch((e) => stream.destroy(e));
}

function end(stream, error, done) {
  if (!stream._autoClose) return done(error);
  stream._file.close().then(() => done(error), (e) => done(error ?? e));
}

export class ReadStream extends Readable {
  constructor(path, options) {
    if (typeof options === "string") options = { encoding: options };
    super({ highWaterMark: 64 << 10, ...options, encoding: encodingOf(options) ?? undefined, destroy: undefined });
    this.start = options?.start;
    this.end = options?.end ?? Infinity;
    this.bytesRead = 0;
    this._at = options?.start ?? (typeof options?.fd === "object" ? -1 : 0);
    begin(this, path, options, "r");
  }

  _read(size) {
    const from = this.start ?? 0, left = this.end === Infinity ? size : this.end - from + 1 - this.bytesRead;
    if (left <= 0) return void this.push(null);
    this._file.open().then((fd) => ask.fread(fd, Math.min(size, left), this._at)).then((bytes) => {
      if (this._at >= 0) this._at += bytes.length;
      this.bytesRead += bytes.length;
      this.push(bytes.length ? Buffer.from(bytes) : null);
    }).catch((e) => this.destroy(e));
  }

  _destroy(error, done) { end(this, error, done); }
  close(done) {
    if (done) this.once("close", done);
    this.destroy();
  }
}

export class WriteStream extends Writable {
  constructor(path, options) {
    if (typeof options === "string") options = { encoding: options };
    super({ highWaterMark: 16 << 10, ...options, defaultEncoding: encodingOf(options) ?? undefined, decodeStrings: true, destroy: undefined });
    this.bytesWritten = 0;
    this._at = options?.start ?? -1;
    begin(this, path, options, "w");
  }

  _write(chunk, _, done) {
    this._file.open().then((fd) => ask.fwrite(fd, __bdk.toWire(chunk), this._at)).then((n) => {
      if (this._at >= 0) this._at += n;
      this.bytesWritten += n;
      done();
    }, done);
  }

  _final(done) { this._file.open().then(() => done(), done); }
  _destroy(error, done) { end(this, error, done); }
  close(done) {
    if (done) this.once("close", done);
    if (this.writableEnded) this.destroy();
    else this.end();
  }
}
