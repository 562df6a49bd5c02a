// Expressions over the modules of Node, and in modules.json what Node says of them; record.mjs records it.
import * as SC from "node:stream/consumers";
import fs, { readFileSync } from "node:fs";
import fsp from "node:fs/promises";
import path from "node:path";
import url from "node:url";
import os from "node:os";
import C from "node:crypto";
import util from "node:util";
import events, { EventEmitter, once } from "node:events";
import assert from "node:assert";
import strict from "node:assert/strict";
import qs from "node:querystring";
import { StringDecoder } from "node:string_decoder";
import timers from "node:timers";
import tp from "node:timers/promises";
import cp from "node:child_process";
import stream, { Readable, Writable, Transform, PassThrough, pipeline, finished, Duplex } from "node:stream";
import sp from "node:stream/promises";
import zlib from "node:zlib";
import buffer from "node:buffer";
import net, { BlockList } from "node:net";
import { createRequire, isBuiltin, builtinModules } from "node:module";
const err = async (f) => {
  try {
    return ["ok", await f()];
  } catch (e) {
    return [e?.name, e?.message, e?.code];
  }
};
const code = async (f) => {
  try {
    await f();
    return "ok";
  } catch (e) {
    return [e?.name, e?.code];
  }
};
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const tmp = async (f) => {
  const d = await fsp.mkdtemp(path.join(os.tmpdir(), "gp-"));
  try {
    return await f(d);
  } finally {
    await fsp.rm(d, { recursive: true, force: true });
  }
};
const missing = (m, o) => m.split(" ").filter((n) => o[n] === void 0);
const items = {
  fsNames: () => missing("readFileSync writeFileSync appendFileSync statSync lstatSync accessSync existsSync readdirSync mkdirSync mkdtempSync rmSync rmdirSync unlinkSync renameSync copyFileSync cpSync realpathSync readlinkSync symlinkSync linkSync chmodSync truncateSync utimesSync openSync closeSync readSync writeSync fstatSync createReadStream createWriteStream readFile writeFile open close read write access stat promises constants Stats Dirent opendirSync fsyncSync ftruncateSync opendir", fs),
  fspNames: () => missing("readFile writeFile appendFile stat lstat access readdir mkdir mkdtemp rm rmdir unlink rename copyFile cp realpath readlink symlink link chmod truncate utimes open opendir constants", fsp),
  fs1: () => tmp(async (d) => {
    const f = path.join(d, "a.txt");
    await fsp.writeFile(f, "hé");
    await fsp.appendFile(f, "!");
    fs.writeFileSync(f, "x", { flag: "a" });
    const st = await fsp.stat(f);
    return [await fsp.readFile(f, "utf8"), await fsp.readFile(f, { encoding: "base64" }), st.size, st.isFile(), st.isDirectory(), st.mtime instanceof Date, typeof st.mtimeMs, (st.mode & 511).toString(8), fs.readdirSync(d), (await fsp.readdir(d, { withFileTypes: true })).map((e) => [e.name, e.isFile(), e.parentPath === d]), await code(() => fsp.readFile(path.join(d, "no"))), await code(() => fsp.mkdir(d)), await code(() => fsp.rmdir(f)), await code(() => fsp.readFile(d)), await code(() => fsp.readdir(f)), await code(() => fsp.access(f, fs.constants.X_OK)), fs.existsSync(f), (await code(() => fsp.rm(d)))[1], await code(() => fsp.writeFile(f, "", { flag: "wx" })), await code(() => fsp.unlink(d)), await code(() => fs.readFileSync("a\0b"))];
  }),
  fs2: () => tmp(async (d) => {
    fs.mkdirSync(path.join(d, "a/b/c"), { recursive: true });
    fs.writeFileSync(path.join(d, "a/b/f"), "1");
    fs.symlinkSync("f", path.join(d, "a/b/l"));
    return [fs.readdirSync(d, { recursive: true }).sort(), fs.lstatSync(path.join(d, "a/b/l")).isSymbolicLink(), fs.readlinkSync(path.join(d, "a/b/l")), fs.realpathSync(path.join(d, "a/b/l")) === fs.realpathSync(path.join(d, "a/b/f")), fs.statSync(path.join(d, "nope"), { throwIfNoEntry: false }), (fs.cpSync(path.join(d, "a"), path.join(d, "z"), { recursive: true }), fs.readdirSync(path.join(d, "z/b")).sort()), (fs.renameSync(path.join(d, "z"), path.join(d, "y")), fs.existsSync(path.join(d, "y/b/f"))), fs.mkdirSync(path.join(d, "a/b"), { recursive: true }), fs.mkdirSync(path.join(d, "n1/n2"), { recursive: true }).endsWith("/n1"), (fs.truncateSync(path.join(d, "a/b/f")), fs.statSync(path.join(d, "a/b/f")).size)];
  }),
  fs3: () => tmp(async (d) => {
    const f = path.join(d, "a");
    const h = await fsp.open(f, "w+");
    await h.writeFile("hello");
    const { bytesRead, buffer: b } = await h.read(Buffer.alloc(3), 0, 3, 1);
    const st = await h.stat();
    await h.close();
    const fd = fs.openSync(f, "r");
    const b2 = Buffer.alloc(10);
    const n = fs.readSync(fd, b2, 0, 10, 0);
    const fst = fs.fstatSync(fd).size;
    fs.closeSync(fd);
    const fd2 = fs.openSync(f, "a");
    fs.writeSync(fd2, "XY");
    fs.closeSync(fd2);
    return [bytesRead, b.toString(), st.size, n, b2.toString("utf8", 0, n), fst, fs.readFileSync(f, "utf8"), await code(() => fs.closeSync(9999))];
  }),
  fs4: () => tmp(async (d) => {
    const f = path.join(d, "a");
    await sp.pipeline(Readable.from(["a", "b"]), fs.createWriteStream(f));
    const parts = [];
    for await (const c of fs.createReadStream(f, { encoding: "utf8" })) parts.push(c);
    let s = "";
    for await (const c of fs.createReadStream(f, { start: 1, end: 1 })) s += c;
    return [fs.readFileSync(f, "utf8"), parts.join(""), s, await err(async () => {
      for await (const c of fs.createReadStream(path.join(d, "nope"))) ;
    }).then((x) => x[2])];
  }),
  fs5: () => tmp(async (d) => {
    const cb = await new Promise((r) => fs.readFile(path.join(d, "no"), "utf8", (e, t) => r([e.code, e.syscall, e.errno, t])));
    const ok = await new Promise((r) => fs.writeFile(path.join(d, "x"), "1", (e) => r(e)));
    let d2 = [];
    for await (const e of await fsp.opendir(d)) d2.push(e.name);
    return [cb, ok, d2, await fsp.utimes(path.join(d, "x"), 1, 2), fs.statSync(path.join(d, "x")).mtimeMs, (await fsp.stat(path.join(d, "x"), { bigint: true })).size];
  }),
  fs6: () => tmp(async (d) => {
    const lines = [];
    fs.writeFileSync(path.join(d, "l"), "a\nb\nc");
    const h = await fsp.open(path.join(d, "l"));
    for await (const l of h.readLines()) lines.push(l);
    return lines;
  }),
  path1: () => [path.join("a", "", "..", "..", "b"), path.join(""), path.resolve("/a", "../..", "b"), path.normalize("/../a//b/./c/.."), path.normalize(""), path.relative("/a/b", "/a/b"), path.relative("/a", "/b/c"), path.dirname("/a"), path.dirname("a"), path.dirname(""), path.basename("/a/b/"), path.basename("a.b", ".b"), path.basename("b", "b"), path.extname(".a"), path.extname("a."), path.extname("a.b.c"), path.parse("/srv/u/f.txt"), path.parse("f"), path.parse("/"), path.parse("./a"), path.format({ dir: "/a", name: "b", ext: "c" }), path.format({ root: "/", base: "x" }), path.isAbsolute(""), path.sep, path.delimiter, path.posix === path, path.win32 !== void 0, path.join("/a/", "/b"), path.normalize("a/../.."), path.normalize("./"), path.toNamespacedPath("x")],
  path2: async () => [await code(() => path.join(1)), await code(() => path.basename()), path.win32.join("a", "b"), path.win32.basename("C:\\a\\b.txt")],
  url1: async () => [url.fileURLToPath("file:///a%20b"), url.pathToFileURL("/a b?#%").href, await code(() => url.fileURLToPath("http://a")), url.parse("http://u:p@h:80/p?q=1#x"), url.parse("/a?b=c", true).query, url.format({ protocol: "http", host: "a.b", pathname: "/x", query: { a: 1 } }), url.resolve("http://a/b/c", "../d"), url.resolve("/one/two", "three"), url.domainToASCII("español.com"), url.domainToUnicode("xn--espaol-zwa.com"), url.urlToHttpOptions(new URL("http://a:1/b?c")).path, url.fileURLToPath(new URL("file:///x"))],
  os1: () => [os.EOL, typeof os.tmpdir(), typeof os.hostname(), typeof os.cpus().length, os.cpus().length > 0, typeof os.totalmem(), typeof os.freemem(), os.uptime() > 0, typeof os.release(), os.endianness(), os.userInfo().username !== void 0, os.devNull, os.availableParallelism() > 0, os.loadavg().length, os.constants.signals.SIGINT, typeof os.networkInterfaces()],
  cNames: () => missing("createHash createHmac randomBytes randomUUID randomInt randomFill randomFillSync timingSafeEqual pbkdf2 pbkdf2Sync getHashes webcrypto subtle createCipheriv createDecipheriv createSign createVerify sign verify createPublicKey createPrivateKey createSecretKey hkdfSync hkdf getRandomValues constants getCiphers KeyObject", C),
  c1: async () => [C.createHash("sha256").update("a").digest("hex"), C.createHash("md5").update("a").digest("base64"), C.createHash("sha1").update("a").digest("base64url"), C.createHash("sha512").update(Buffer.from("a")).digest().length, C.createHmac("sha256", "k").update("d").digest("hex"), C.createHmac("sha1", Buffer.from("k")).update("d").digest("hex"), C.createHash("sha256").update("YQ==", "base64").digest("hex").slice(0, 8), C.timingSafeEqual(Buffer.from("a"), Buffer.from("b")), await code(() => C.timingSafeEqual(Buffer.from("a"), Buffer.from("bb"))), (await code(() => C.createHash("nope")))[0], C.randomBytes(4).length, C.randomInt(5) < 5, C.randomUUID().length, await new Promise((r) => C.randomBytes(3, (e, b) => r(b.length))), C.pbkdf2Sync("p", "s", 10, 16, "sha256").toString("hex"), C.getHashes().includes("sha256"), (() => {
    const h = C.createHash("sha1").update("a");
    const c = h.copy();
    return c.update("b").digest("hex") === C.createHash("sha1").update("ab").digest("hex");
  })(), await code(() => C.createHash("sha1").update(5)), (() => {
    const h = C.createHash("sha1");
    h.digest();
    try {
      h.digest();
    } catch (e) {
      return e.code;
    }
  })()],
  c2: async () => {
    const key = Buffer.alloc(32, 1), iv = Buffer.alloc(12, 2), iv16 = Buffer.alloc(16, 3);
    const c = C.createCipheriv("aes-256-gcm", key, iv);
    const e = Buffer.concat([c.update("secret", "utf8"), c.final()]);
    const tag = c.getAuthTag();
    const d = C.createDecipheriv("aes-256-gcm", key, iv);
    d.setAuthTag(tag);
    const p = d.update(e, void 0, "utf8") + d.final("utf8");
    const cb = C.createCipheriv("aes-256-cbc", key, iv16);
    const eb = cb.update("secret", "utf8", "hex") + cb.final("hex");
    return [e.toString("hex"), tag.toString("hex"), p, eb, Buffer.from(C.hkdfSync("sha256", "k", "s", "i", 16)).toString("hex")];
  },
  utilNames: () => missing("promisify callbackify inspect format formatWithOptions inherits deprecate debuglog types isDeepStrictEqual TextDecoder TextEncoder parseArgs stripVTControlCharacters toUSVString styleText isArray aborted transferableAbortController getSystemErrorName parseEnv", util),
  inspect1: () => [{ a: 1, b: "x", c: [1, 2, { d: { e: { f: 1 } } }] }, [1, , 3], /* @__PURE__ */ new Map([["a", { b: 1 }]]), /* @__PURE__ */ new Set([1, "a"]), "it's", 'q"q', null, void 0, -0, 5n, /* @__PURE__ */ Symbol("s"), () => 1, function foo() {
  }, class A {
  }, new class Foo {
    x = 1;
  }(), /* @__PURE__ */ new Date(0), /a/g, new Error("x").message, [void 0, null], { "a-b": 1, 2: 3 }, new Uint8Array([1, 2]), Buffer.from("ab"), /* @__PURE__ */ new WeakMap(), /* @__PURE__ */ Object.create(null), { get a() {
    return 1;
  }, set b(v) {
  } }, [["nested", ["deep", ["deeper", ["deepest"]]]]], { [/* @__PURE__ */ Symbol("k")]: 1 }, [..."x".repeat(120)].map((_, i) => i), "x".repeat(5), { f() {
  }, async g() {
  }, *h() {
  } }, Object.assign(() => {
  }, { p: 1 }), new Proxy({ a: 1 }, {}), new Boolean(true), new String("abc"), [/* @__PURE__ */ new Date(NaN)], new ArrayBuffer(2), { a: { b: { c: { d: 1 } } } }, globalThis === 1, new URL("http://a/b"), new Headers({ a: "1" }) instanceof Headers].map((x) => util.inspect(x)),
  inspect2: () => [util.inspect({ a: { b: { c: {} } } }, { depth: 0 }), util.inspect({ a: { b: { c: { d: 1 } } } }, { depth: null }), util.inspect({ a: { b: { c: { d: 1 } } } }, { depth: Infinity }), util.inspect("a\nb"), util.inspect({ [util.inspect.custom]() {
    return "custom!";
  } }), util.inspect({ a: 1, b: 2 }, { compact: false }), util.inspect({ b: 1, a: 2 }, { sorted: true }), util.inspect({ long: "x".repeat(100), other: "y".repeat(30) }), util.inspect([1, 2, 3], { maxArrayLength: 1 }), (() => {
    const o = {};
    o.self = o;
    return util.inspect(o);
  })(), util.inspect([["a", 1], ["b", 2]]), util.inspect(/* @__PURE__ */ new Map([["k", /* @__PURE__ */ new Map([["x", 1]])]])), util.inspect({ a: 1 }, { colors: true }), util.inspect(Array.from({ length: 30 }, (_, i) => i)), util.inspect("x".repeat(200)).length, util.inspect({ s: "a'b" }), util.inspect(new class extends Array {
  }(3)), util.inspect(/* @__PURE__ */ Object.create({ constructor: { name: "Zed" } })), util.inspect({ a: [], b: {}, c: /* @__PURE__ */ new Map(), d: /* @__PURE__ */ new Set(), e: "" })],
  format1: () => [util.format("%s %d %i %f %j %o %O %%", "a", 1.5, "2.7", "3.1", { a: 1 }, 1, { b: 2 }), util.format("a", "b", { c: 1 }), util.format("%s", null), util.format("%s", { toString() {
    return "ts";
  } }), util.format("%d", "x"), util.format("%s", 5n), util.format("%s", -0), util.format("%x", 1), util.format(1, 2, "3"), util.format("%s", [1, [2]]), util.format("%s"), util.format("%c", "css"), util.format("%s", /* @__PURE__ */ Symbol("a")), util.format("%d", 5n), util.format("100%", 1), util.format("%s", new Error("q")).split("\n")[0]],
  util1: async () => [await util.promisify((a, cb) => cb(null, a + 1))(1), await err(() => util.promisify((cb) => cb(new Error("x")))()), await new Promise((r) => util.callbackify(async (x) => x * 2)(4, (e, v) => r(v))), util.isDeepStrictEqual({ a: [1, /* @__PURE__ */ new Map([[1, 2]])] }, { a: [1, /* @__PURE__ */ new Map([[1, 2]])] }), util.isDeepStrictEqual([1], ["1"]), util.isDeepStrictEqual(NaN, NaN), util.isDeepStrictEqual(0, -0), util.types.isPromise(Promise.resolve()), util.types.isDate({}), util.types.isRegExp(/a/), util.types.isUint8Array(Buffer.from("")), util.types.isAsyncFunction(async () => {
  }), util.types.isMap(/* @__PURE__ */ new Map()), util.types.isNativeError(new TypeError()), util.types.isTypedArray(new Int8Array()), util.types.isSymbolObject(Object(/* @__PURE__ */ Symbol())), util.stripVTControlCharacters("\x1B[31mx\x1B[0m"), util.inherits !== void 0, util.deprecate(() => 5, "dep", "DEP1")()],
  parseArgs: async () => [util.parseArgs({ args: ["-f", "--bar", "b", "pos"], options: { foo: { type: "boolean", short: "f" }, bar: { type: "string" } }, allowPositionals: true }), await code(() => util.parseArgs({ args: ["--no"], options: {} })), await code(() => util.parseArgs({ args: ["x"] })), util.parseArgs({ args: ["-ab", "--c=1", "--c", "2", "--no-d"], options: { a: { type: "boolean", short: "a" }, b: { type: "boolean", short: "b" }, c: { type: "string", multiple: true }, d: { type: "boolean" } }, allowNegative: true, strict: true }).values, await code(() => util.parseArgs({ args: ["--s"], options: { s: { type: "string" } } }))],
  ev1: async () => {
    const e = new EventEmitter();
    const got = [];
    e.on("a", (x) => got.push(["on", x]));
    e.once("a", (x) => got.push(["once", x]));
    e.prependListener("a", () => got.push("first"));
    e.emit("a", 1);
    e.emit("a", 2);
    const p = once(e, "b");
    e.emit("b", 1, 2);
    return [got, await p, e.listenerCount("a"), e.eventNames(), e.rawListeners("a").length, await err(() => e.emit("error", new Error("x"))), await err(() => e.emit("error", "str")).then((x) => [x[0], x[2]]), e.getMaxListeners(), EventEmitter.defaultMaxListeners, events === EventEmitter, events.EventEmitter === EventEmitter, e.emit("none"), await code(() => e.on("a", 1)), new class X extends EventEmitter {
    }() instanceof EventEmitter];
  },
  ev2: async () => {
    const e = new EventEmitter();
    setTimeout(() => {
      e.emit("x", 1);
      e.emit("x", 2);
      e.emit("error", new Error("end"));
    }, 1);
    const got = [];
    try {
      for await (const [v] of events.on(e, "x")) got.push(v);
    } catch (x) {
      got.push(x.message);
    }
    const t = new EventTarget();
    setTimeout(() => t.dispatchEvent(new Event("q")), 1);
    const [q] = await once(t, "q");
    const c = new AbortController();
    const p = err(() => once(e, "never", { signal: c.signal }));
    c.abort();
    return [got, q.type, (await p)[0], (await p)[2], events.getEventListeners(e, "x").length, events.captureRejectionSymbol !== void 0];
  },
  ev3: () => {
    function Old() {
      EventEmitter.call(this);
    }
    util.inherits(Old, EventEmitter);
    const o = new Old();
    let n = 0;
    o.on("x", () => n++);
    o.emit("x");
    return [n, Object.keys(new EventEmitter()).includes("_events")];
  },
  assert1: async () => [await code(() => assert(0)), await code(() => assert.equal(1, "1")), await code(() => strict.equal(1, "1")), await code(() => assert.deepEqual({ a: 1 }, { a: "1" })), await code(() => assert.deepStrictEqual({ a: 1 }, { a: "1" })), await code(() => assert.throws(() => {
    throw new TypeError("x");
  }, TypeError)), await code(() => assert.throws(() => {
    throw new TypeError("x");
  }, /y/)), await code(() => assert.throws(() => {
  })), await code(() => assert.rejects(Promise.reject(new Error("z")), { message: "z" })), await code(() => assert.match("abc", /b/)), await code(() => assert.notStrictEqual(1, 1)), await code(() => assert.fail("m")), await code(() => assert.ifError(null)), await code(() => assert.ok(1)), await code(() => assert.strictEqual(1, 2, "msg")), await code(() => assert.doesNotThrow(() => {
  })), new assert.AssertionError({ actual: 1, expected: 2, operator: "strictEqual" }).code, typeof assert.strict, typeof assert.CallTracker !== "x", await code(() => assert.notDeepStrictEqual({}, {})), await code(() => assert.deepEqual(/* @__PURE__ */ new Set([{ a: 1 }]), /* @__PURE__ */ new Set([{ a: 1 }]))), await code(() => assert.rejects(async () => {
  }))],
  qs1: () => [qs.parse("a=1&a=2&b=%20x+y&c"), qs.stringify({ a: [1, 2], b: "x y", c: true, d: null, e: void 0 }), qs.escape("a b&"), qs.unescape("%zz"), qs.parse("a:1;b:2", ";", ":"), qs.stringify({ a: "ü" }), qs.parse(""), qs.parse("a=1&b=2&c=3", null, null, { maxKeys: 2 })],
  sd1: () => {
    const d = new StringDecoder("utf8");
    const h = new StringDecoder("base64");
    return [d.write(Buffer.from([226, 130])), d.write(Buffer.from([172])), d.end(), h.write(Buffer.from("ab")), h.end(), new StringDecoder("utf16le").write(Buffer.from([65, 0, 66])), d.encoding, new StringDecoder("hex").write(Buffer.from("a")), (() => {
      const x = new StringDecoder("utf8");
      x.write(Buffer.from([226]));
      return x.end();
    })()];
  },
  tp1: async () => [await tp.setTimeout(1, "v"), await tp.setImmediate("i"), await (async () => {
    let n = 0;
    for await (const v of tp.setInterval(1, "x")) {
      if (++n > 2) return v;
    }
  })(), await err(() => tp.setTimeout(1e3, 0, { signal: AbortSignal.abort() })).then((e) => [e[0], e[2]]), typeof tp.scheduler.wait, typeof timers.promises.setTimeout],
  cp1: async () => {
    const run = util.promisify(cp.execFile);
    const s = cp.spawnSync("sh", ["-c", "cat; echo err >&2; exit 3"], { input: "in", encoding: "utf8" });
    const e = await err(() => run("sh", ["-c", "echo o; exit 2"]));
    let er;
    try {
      await run("sh", ["-c", "echo o; echo e >&2; exit 2"]);
    } catch (x) {
      er = [x.code, x.stdout, x.stderr, x.killed, x.signal, x.cmd];
    }
    return [(await run("echo", ["hi"])).stdout, cp.execSync("echo $X", { env: { X: "1", PATH: process.env.PATH } }).toString(), cp.execFileSync("echo", ["a"], { encoding: "utf8" }), s.status, s.stdout, s.stderr, s.signal, er, await code(() => cp.execSync("exit 4", { stdio: "pipe" })), (() => {
      try {
        cp.execSync("echo out; exit 4", { stdio: "pipe" });
      } catch (x) {
        return [x.status, String(x.stdout), x.message];
      }
    })(), cp.spawnSync("nope-x").error?.code, await err(() => run("nope-x")).then((x) => x[2]), (() => {
      try {
        cp.execFileSync("nope-x");
      } catch (x) {
        return [x.code, x.syscall, x.path, x.errno];
      }
    })()];
  },
  cp2: async () => {
    const c = cp.spawn("cat");
    const out = [];
    c.stdout.on("data", (d) => out.push(String(d)));
    const ended = new Promise((r) => c.on("close", (code2, sig) => r([code2, sig])));
    c.stdin.write("a");
    c.stdin.end("b");
    const end = await ended;
    const k = cp.spawn("sleep", ["10"]);
    const kend = new Promise((r) => k.on("exit", (code2, sig) => r([code2, sig])));
    const killed = k.kill();
    const ne = cp.spawn("nope-y");
    const e = await new Promise((r) => ne.on("error", (x) => r([x.code, x.syscall, x.path])));
    return [out.join(""), end, typeof c.pid, killed, await kend, k.killed, k.signalCode, e, c.spawnargs, c.spawnfile];
  },
  cp3: async () => {
    const r = cp.spawnSync("sleep", ["5"], { timeout: 30 });
    const ac = new AbortController();
    setTimeout(() => ac.abort(), 20);
    const e = await err(() => util.promisify(cp.execFile)("sleep", ["5"], { signal: ac.signal }));
    const t = await err(() => util.promisify(cp.exec)("sleep 5", { timeout: 30 }));
    return [r.signal, r.error?.code, r.status, e[0], e[2], t[0]];
  },
  cp4: async () => {
    const c = cp.spawn("sh", ["-c", "echo a; echo b >&2"], { stdio: ["ignore", "pipe", "inherit"] });
    return [c.stdin, c.stderr, await new Promise((r) => {
      let s = "";
      c.stdout.setEncoding("utf8");
      c.stdout.on("data", (x) => s += x);
      c.on("close", () => r(s));
    }), c.stdio.length, cp.spawnSync("sh", ["-c", "echo x"], { stdio: "ignore" }).stdout, cp.execSync("echo hi", { stdio: "ignore" })];
  },
  cp5: async () => {
    const b = cp.spawn("sh", ["-c", "echo $0 $1", "x y", "z"], { shell: false });
    let s = "";
    for await (const d of b.stdout) s += d;
    return [s, cp.execFileSync("pwd", { cwd: "/tmp", encoding: "utf8" }), await err(() => util.promisify(cp.execFile)("head", ["-c", "2000000", "/dev/zero"])).then((x) => x[2])];
  },
  st1: async () => {
    const got = [];
    await sp.pipeline(Readable.from(["a", "b"]), new Transform({ transform(c, e, cb) {
      cb(null, String(c).toUpperCase());
    }, flush(cb) {
      this.push("!");
      cb();
    } }), new Writable({ write(c, e, cb) {
      got.push(String(c));
      cb();
    } }));
    return got;
  },
  st2: async () => {
    const r = new Readable({ read() {
    } });
    const got = [];
    r.push("x");
    r.push("y");
    r.push(null);
    for await (const c of r) got.push(String(c));
    const o = [];
    for await (const x of Readable.from([1, 2, 3]).map((x2) => x2 * 2)) o.push(x);
    return [got, o, await Readable.from([1, 2]).toArray(), r.destroyed, r.readableEnded];
  },
  st3: async () => {
    const e = await err(() => sp.pipeline(Readable.from(["a"]), new Transform({ transform(c, e2, cb) {
      cb(new Error("tf"));
    } }), new PassThrough()));
    const d = new Duplex({ read() {
      this.push("r");
      this.push(null);
    }, write(c, e2, cb) {
      cb();
    } });
    let s = "";
    d.end("w");
    for await (const c of d) s += c;
    return [e[1], s, await new Promise((r) => finished(d, (e2) => r(e2 === void 0 || e2 === null)))];
  },
  st4: async () => {
    const w = new Writable({ highWaterMark: 3, write(c, e, cb) {
      setTimeout(cb, 1);
    } });
    const a = w.write("ab"), b = w.write("cd");
    await once(w, "drain");
    w.end();
    await once(w, "finish");
    return [a, b, w.writableFinished, w.writableLength, w.destroyed, w.writableHighWaterMark];
  },
  st5: async () => {
    const web = Readable.toWeb(Readable.from([Buffer.from("a")]));
    let s = "";
    for await (const c of web) s += Buffer.from(c);
    const n = Readable.fromWeb(new Blob(["zz"]).stream());
    for await (const c of n) s += c;
    return s;
  },
  st6: async () => {
    const r = Readable.from(["a", "b"]);
    const out = [];
    r.pipe(new PassThrough()).on("data", (c) => out.push(String(c))).on("end", () => out.push("end"));
    await sleep(10);
    const p = new PassThrough();
    p.write("q");
    p.end();
    const x = await new Promise((res) => {
      p.on("readable", () => {
        let c, s = "";
        while ((c = p.read()) !== null) s += c;
        if (s) res(s);
      });
    });
    return [out, x, typeof stream.Stream, stream.default === void 0, stream.Readable === Readable, new Readable() instanceof stream, new Readable() instanceof EventEmitter];
  },
  st7: async () => {
    const d = new PassThrough();
    const e = await new Promise((r) => {
      d.on("error", (x) => r(x.message));
      d.destroy(new Error("x"));
    });
    return [e, d.destroyed, await err(() => {
      const w = new Writable({ write(c, e2, cb) {
        cb();
      } });
      w.end();
      return new Promise((_, no) => {
        w.on("error", no);
        w.write("x");
      });
    }).then((x) => x[2])];
  },
  st8: async () => {
    const { text, json, buffer: b } = SC;
    return [await text(Readable.from(["a", "b"])), await json(Readable.from(['{"a":1}'])), (await b(Readable.from([Buffer.from("q")]))).toString()];
  },
  zNames: () => missing("gzipSync gunzipSync deflateSync inflateSync deflateRawSync inflateRawSync unzipSync brotliCompressSync brotliDecompressSync gzip gunzip deflate inflate brotliDecompress createGzip createGunzip createBrotliDecompress constants crc32", zlib),
  z1: async () => {
    const s = "hello ".repeat(20);
    const p = util.promisify;
    return [zlib.gunzipSync(zlib.gzipSync(s)).toString() === s, zlib.inflateSync(zlib.deflateSync(s)).toString() === s, zlib.inflateRawSync(zlib.deflateRawSync(s)).toString() === s, zlib.unzipSync(zlib.deflateSync(s)).toString() === s, (await p(zlib.gunzip)(await p(zlib.gzip)(s))).toString() === s, await code(() => zlib.gunzipSync("nope")), await code(() => zlib.inflateSync(Buffer.from([1, 2]))), zlib.constants.Z_BEST_COMPRESSION, await (async () => {
      const out = [];
      await sp.pipeline(Readable.from([Buffer.from("abc")]), zlib.createGzip(), zlib.createGunzip(), new Writable({ write(c, e, cb) {
        out.push(c);
        cb();
      } }));
      return Buffer.concat(out).toString();
    })(), (await code(() => zlib.gunzipSync(zlib.gzipSync(s).subarray(0, 20))))[1], await code(() => zlib.gunzipSync(zlib.gzipSync(s), { maxOutputLength: 10 }))];
  },
  buf1: () => {
    const b = Buffer.from("héllo");
    return [b.toString("hex"), b.toString("base64"), b.toString("latin1"), b.slice(0, 2).toString(), b.indexOf("l"), b.lastIndexOf("l"), b.includes("lo"), b.equals(Buffer.from("héllo")), Buffer.compare(Buffer.from("a"), Buffer.from("b")), Buffer.concat([b, b]).length, b.readUInt16BE(0), Buffer.alloc(3, "ab").toString(), Buffer.from([256, -1]).toString("hex"), Buffer.byteLength("é"), Buffer.byteLength("YQ==", "base64"), b.write("zz", 1), b.toString(), b.swap16 !== void 0, Buffer.isEncoding("utf8"), Buffer.isEncoding("x"), Buffer.from("ff0", "hex").length, Buffer.from("YQ", "base64url").toString(), b.toJSON().type, Buffer.from(b.buffer, b.byteOffset, 2).length, b.subarray(1).parent !== void 0, [...b.entries()].length, b.fill(0).toString("hex"), Buffer.from(new String("x")).toString(), Buffer.poolSize, Buffer.from("€").readInt8(0), Buffer.from("test").copy(Buffer.alloc(2)), b.at(-1), Buffer.from("a").compare(Buffer.from("b")), typeof buffer.isUtf8, buffer.constants.MAX_LENGTH > 0, Buffer.from("abc").map((x) => x + 1).toString(), Buffer.isBuffer(Buffer.from("abc").map((x) => x)), Buffer.from("abc").filter((x) => x > 97).toString(), Buffer.from("x").toLocaleString()];
  },
  buf2: async () => {
    const b = Buffer.alloc(16);
    b.writeUInt32LE(3735928559, 0);
    b.writeDoubleBE(1.5, 4);
    b.writeInt16LE(-2, 12);
    b.writeUIntBE(1193046, 13, 3);
    return [b.toString("hex"), b.readUInt32LE(0), b.readDoubleBE(4), b.readIntBE(13, 3), b.readBigUInt64LE(0), await code(() => b.readInt8(16)), await code(() => Buffer.from(5)), await code(() => Buffer.from("x", "nope")), await code(() => Buffer.alloc(-1)), await code(() => Buffer.alloc("x")), await code(() => b.writeUInt8(256, 0)), await code(() => b.writeInt8(200)), Buffer.from("zz", "hex").length, Buffer.from("\uD83D").toString("hex"), Buffer.from([255]).toString(), Buffer.from("ab").toString("utf16le").length, Buffer.from("a\0b").toString("ascii"), Buffer.from({ length: 2, 0: 1, 1: 2 }).toString("hex"), Buffer.concat([Buffer.from("a")], 3).toString("hex"), await code(() => Buffer.concat("x")), Buffer.from("abcdef").subarray(-3, -1).toString(), Buffer.from("a").toString("nope-x".slice(0, 0) || void 0), Buffer.from("abc").readUIntLE(0, 3), new Uint8Array(Buffer.from("ab")).length, Buffer.copyBytesFrom !== void 0];
  },
  netAddresses: () => ["1.2.3.4", "1.2.3", "01.2.3.4", "256.1.1.1", "1.2.3.4 ", "1.2.3.4.", "::", "::1", "1::2::3", "fe80::1%eth0", "::ffff:1.2.3.4", "::1.2.3", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7::", "g::", "12345::", ":1", "1:", "", "a:b:c:d:e:f:1.2.3.4", undefined, 7].map((x) => [net.isIP(x), net.isIPv4(x), net.isIPv6(x)]),
  netBlockList: async () => {
    const b = new BlockList();
    b.addAddress("1.2.3.4");
    b.addRange("10.0.0.1", "10.0.0.9");
    b.addSubnet("127.0.0.0", 8, "ipv4");
    b.addSubnet("fe80::", 10, "ipv6");
    return [["1.2.3.4", "1.2.3.5", "10.0.0.1", "10.0.0.9", "10.0.0.10", "127.9.9.9", "128.0.0.0", "nonsense"].map((x) => b.check(x)), ["fe80::1", "fec0::1", "::ffff:127.0.0.1", "::ffff:7f00:1"].map((x) => b.check(x, "ipv6")), b.rules, await code(() => b.addAddress("x")), await code(() => b.addSubnet("1.2.3.4", 40)), await code(() => b.addRange("2.0.0.0", "1.0.0.0"))];
  },
  netRefusals: async () => [typeof net.connect, typeof net.createServer, typeof net.Socket, typeof net.Server, typeof net.SocketAddress],
  moduleNames: () => [["fs", "node:fs", "fs/promises", "nope", "node:nope", ""].map((x) => isBuiltin(x)), ["fs", "module", "net"].map((x) => builtinModules.includes(x))],
  moduleRequire: async () => {
    const require = createRequire("/no/such/folder/x.js");
    return [require("node:path").join("a", "..", "b"), require("os").EOL, require("util").inspect({ a: 1 }), require.resolve("fs"), require.resolve("node:fs"), await code(() => require("nope")), await code(() => require.resolve("./nope")), await code(() => require.resolve("@a/b/c"))];
  },
  moduleResolve: async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "require-")), at = (p) => path.join(dir, p), put = (p, text) => (fs.mkdirSync(path.dirname(at(p)), { recursive: true }), fs.writeFileSync(at(p), text));
    put("package.json", '{"version":"1.2.3"}');
    put("lib/data.json", '[1,2]');
    put("lib/index.js", "");
    put("node_modules/old/package.json", '{"main":"./m"}');
    put("node_modules/old/m.js", "");
    put("node_modules/old/part.js", "");
    put("node_modules/bare/index.js", "");
    put("node_modules/@s/new/package.json", '{"exports":{".":{"import":"./esm.mjs","require":{"node":"./n.cjs","default":"./d.cjs"}},"./sub":["./sub.js"],"./no":null}}');
    for (const f of ["esm.mjs", "n.cjs", "d.cjs", "sub.js", "no.js"]) put("node_modules/@s/new/" + f, "");
    const require = createRequire(url.pathToFileURL(at("lib/x.js"))), real = fs.realpathSync(dir);
    const find = (name) => {
      try {
        return require.resolve(name).replace(real, "");
      } catch (e) {
        return [e.name, e.code];
      }
    };
    const out = [require("../package.json").version, require("./data").length, require("./data.json")];
    for (const name of [".", "./data", "old", "old/part", "old/part.js", "old/none", "bare", "@s/new", "@s/new/sub", "@s/new/no", "@s/new/n.cjs", "none"]) out.push(find(name));
    fs.rmSync(dir, { recursive: true });
    return out;
  },
  fsWatchNames: () => [typeof fs.watch, typeof fs.watchFile, typeof fs.unwatchFile]
};
export {
  items
};
