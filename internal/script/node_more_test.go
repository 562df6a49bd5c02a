package script

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"maps"
	"slices"
	"strings"
	"testing"
)

// testKeys gives an RSA and an EC key as PEM of the older kinds, as JSON.
func testKeys(t *testing.T) string {
	t.Helper()
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(e)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{
		"rsa": string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(r)})),
		"ec":  string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNode_MoreModules(t *testing.T) {
	t.Parallel()
	keys := testKeys(t)
	for name, c := range map[string]struct{ body, want string }{
		"readline": {`import readline from "node:readline"; import rp from "node:readline/promises"; import { Readable } from "node:stream";
			const lines: string[] = []; for await (const l of readline.createInterface({ input: Readable.from(["a\nb", "c\r\n", "\nlast"]) })) lines.push(l);
			const rl = rp.createInterface({ input: Readable.from(["yes\n"]) }); return [lines, await rl.question("sure? ")]`, `[["a","bc","","last"],"yes"]`},
		"tty and channels": {`import tty from "node:tty"; import dc from "node:diagnostics_channel"; const got: any[] = []; dc.subscribe("x", (m, n) => got.push(m, n)); dc.channel("x").publish(1); return [tty.isatty(1), got, dc.hasSubscribers("y")]`, `[false,[1,"x"],false]`},
		"signatures": {`import * as c from "node:crypto";
			const rsa = c.createPrivateKey(KEYS.rsa), ec = KEYS.ec; const s = c.createSign("RSA-SHA256").update("a").update("b").sign(rsa, "base64"); const e = c.sign("sha256", Buffer.from("x"), { key: ec, dsaEncoding: "ieee-p1363" });
			let refused = ""; try { c.sign("sha256", Buffer.from("x"), c.createPublicKey(rsa)) } catch (x: any) { refused = x.code }
			return [c.createVerify("RSA-SHA256").update("ab").verify(c.createPublicKey(rsa), s, "base64"), c.verify("sha256", Buffer.from("y"), ec, e), c.verify("sha256", Buffer.from("x"), { key: ec, dsaEncoding: "ieee-p1363" }, e), e.length, rsa.asymmetricKeyType, c.createPublicKey(ec).asymmetricKeyDetails, c.createPublicKey(rsa).export({ type: "spki", format: "pem" }).slice(0, 26), refused, c.createSecretKey("k").export().toString(), c.createSecretKey("k") instanceof c.KeyObject]`,
			`[true,false,true,64,"rsa",{"namedCurve":"prime256v1"},"-----BEGIN PUBLIC KEY-----","ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE","k",true]`},
		"ciphers": {`import * as c from "node:crypto"; const key = Buffer.alloc(32, 1), iv = Buffer.alloc(12, 2); const e = c.createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from("a")); const data = Buffer.concat([e.update("secret"), e.final()]);
			const d = (tag: Buffer) => { const x = c.createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from("a")); x.setAuthTag(tag); return x.update(data, undefined, "utf8") + x.final("utf8") };
			const bad = (f: () => any) => { try { f(); return "went well" } catch (x: any) { return x.code ?? x.message } };
			return [d(e.getAuthTag()), bad(() => d(Buffer.alloc(16))), bad(() => c.createCipheriv("des", key, iv)), bad(() => c.createCipheriv("aes-128-cbc", key, iv).final()), c.getCiphers().length]`,
			`["secret","Unsupported state or unable to authenticate data","ERR_CRYPTO_UNKNOWN_CIPHER","ERR_CRYPTO_INVALID_KEYLEN",9]`},
		"a hash is a stream": {`import { createHash } from "node:crypto"; import { Readable } from "node:stream"; import { pipeline } from "node:stream/promises"; const h = createHash("sha1"); await pipeline(Readable.from(["a", "b"]), h); return [h.read().toString("hex"), createHash("sha1").update("ab").digest("hex")]`, `["da23614e02469a0d7c7bd1bdab5c9c474b1904dc","da23614e02469a0d7c7bd1bdab5c9c474b1904dc"]`},
		"messages":           {`const { port1, port2 } = new MessageChannel(); const got: any[] = []; port2.onmessage = (e) => got.push(e.data); const sent = { a: [1] }; port1.postMessage(sent); sent.a.push(2); await new Promise((r) => setTimeout(r, 1)); port1.close(); return got`, `[{"a":[1]}]`},
		"zlib's classes are extended": {`import { DeflateRaw, inflateRawSync, createGunzip, Gzip, gzipSync } from "node:zlib"; import { Readable, Transform } from "node:stream"; import { buffer } from "node:stream/consumers";
			class Counting extends DeflateRaw { size = 0; out = 0; _transform(c: any, e: any, next: any) { this.size += c.length; super._transform(c, e, next) } push(c: any, e?: any) { if (c) this.out += c.length; return super.push(c, e) } }
			const s = new Counting({ level: 9 }), packed = await buffer(Readable.from(["abc", "abc".repeat(100)]).pipe(s));
			return [inflateRawSync(packed).length, s.size, s.out === packed.length, s.bytesWritten, s instanceof Transform, createGunzip().constructor.name, Gzip() instanceof Gzip, (await buffer(Readable.from([gzipSync("x")]).pipe(createGunzip()))).toString()]`,
			`[303,303,true,303,true,"Gunzip",true,"x"]`},
		"what Brotli lacks": {`import zlib from "node:zlib"; try { zlib.brotliDecompressSync(Buffer.from("")) } catch (e: any) { return [e.message, zlib.crc32("hello")] }`, `["node:zlib has no Brotli in this runtime: use gzip or deflate, or node:child_process with a program that has it",907060870]`},
		"undici is fetch":   {`import { fetch as f, Request as R } from "undici"; import * as all from "undici"; let refused = ""; try { new all.ProxyAgent("http://x") } catch (e: any) { refused = e.message } return [f === fetch, R === Request, refused]`, `[true,true,"undici's ProxyAgent is not part of this runtime: use fetch; HTTPS_PROXY sets a proxy"]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := evaluate(t, "const KEYS = "+keys+";"+c.body); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// What a process says, with stdio "inherit", is in the log; "ignore" is nothing.
func TestChild_InheritedOutputIsLogged(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `
import { execSync, spawn, spawnSync } from "node:child_process"; import { once } from "node:events";
export default { async execute() {
  execSync("echo sync out; echo sync err >&2", { stdio: "inherit" });
  const c = spawn("sh", ["-c", "echo one; printf two; echo lost >&2"], { stdio: ["ignore", "inherit", "ignore"] });
  const [code] = await once(c, "close");
  return [code, c.stdin, c.stdout, spawnSync("sh", ["-c", "cat"], { input: "fed", encoding: "utf8" }).stdout];
} };`}, func(o *Options) { o.Env = map[string]string{"PATH": "/usr/bin:/bin"} })
	p.want("x", "{}", `[0,null,null,"fed"]`)
	text := p.log.String()
	for _, want := range []string{`"level":"info","source":"console","call":"call_1","tool":"x","message":"sync out"`, `"level":"error","source":"console","call":"call_1","tool":"x","message":"sync err"`, `"message":"one"`, `"message":"two"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, "lost") {
		t.Error(text)
	}
}

// "A rejected promise that nobody awaits is logged with its place", one of module
// scope too, and what a callback throws.
func TestRejections_OfEveryKindHaveTheirPlace(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `fetch("http://a/");
Promise.reject(new Error("top level"));
export default { async execute() {
  void (async () => { await null; throw new TypeError("inner"); })();
  setTimeout(() => { throw new Error("of a timer"); }, 1);
  process.nextTick(() => { throw new Error("of a tick"); });
  new EventTarget().dispatchEvent(new Event("x"));
  await new Promise((r) => setTimeout(r, 20));
  return "done";
} };`})
	p.want("x", "{}", `"done"`)
	text := p.log.String()
	for message, place := range map[string]string{
		"unhandled rejection: fetch is not available while the project loads; call it inside a tool": "tools/x.ts:1:",
		"unhandled rejection: top level": "tools/x.ts:2:", "unhandled rejection: inner": "tools/x.ts:4:", `"error":"of a timer"`: "tools/x.ts:5:", "unhandled rejection: of a tick": "tools/x.ts:6:",
	} {
		found := false
		for line := range strings.SplitSeq(text, "\n") {
			found = found || strings.Contains(line, message) && strings.Contains(line, `"place":"`+place)
		}
		if !found {
			t.Errorf("no line with %q at %s in\n%s", message, place, text)
		}
	}
}

// A class keeps its name, also where it speaks of itself, and so do functions.
func TestLoad_NamesAreKept(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"lib/errors.ts": `export class AppError extends Error {
  static make(m: string) { return new AppError(m); }
  constructor(m: string) {
    super(m);
    this.name = this.constructor.name;
  }
}
export function raise(m: string): never {
  throw AppError.make(m);
}`, "tools/x.ts": `import { AppError, raise } from "../lib/errors.js";
export default { execute({ how }: any) { if (how === "throw") raise("bad"); return [AppError.name, raise.name, (function named() {}).name, (class Local { static me = Local; }).name, new AppError("x").name]; } };`})
	p.want("x", "{}", `["AppError","raise","named","Local","AppError"]`)
	settings := load(t, map[string]string{"tsconfig.json": `{"compilerOptions":{"useDefineForClassFields":false, /* as before ES2022 */ "jsxFactory":"h","jsx":"react"}}`, "tools/x.tsx": `const h = (...all: any[]) => all;
class Base { constructor() { (this as any).v = 1; } }
class Own extends Base { declare w: number; v: any; static make() { return new Own(); } }
export default { execute: () => [Own.make().v, Own.name, <b>x</b>] };`})
	settings.want("x", "{}", `[1,"Own",["b",null,"x"]]`)
	_, err := p.call(OpExecute, "x", `{"how":"throw"}`)
	e, ok := err.(*Error)
	if !ok || e.Name != "AppError" || !strings.HasPrefix(e.Place(), "lib/errors.ts:") || !strings.Contains(e.Stack, "at raise (lib/errors.ts:9:") {
		t.Errorf("%v %s %s", err, e.Place(), e.Stack)
	}
}

// A package may name a module of Node that is missing; it throws when it calls it.
func TestLoad_PackagesMayNameMissingModules(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"node_modules/p/package.json": `{"name":"p","main":"m.js"}`,
		"node_modules/p/m.js":         `const { Worker, isMainThread } = require("worker_threads"); const { constants: { A } } = require("http2"); class Mine extends require("net").Socket {} exports.has = [typeof Worker, A]; exports.start = () => new Worker("x"); exports.mine = () => new Mine();`,
		"tools/x.ts":                  `import p from "p"; const say = (f: () => any) => { try { return f(); } catch (e: any) { return e.message; } }; export default { execute: () => [p.has, say(p.start), say(p.mine)] };`,
	})
	p.want("x", "{}", `[["function",null],"node:worker_threads is not part of this runtime: start bdk with --script-workers, or use node:child_process","node:net Socket is not part of this runtime: use the global fetch, or node:child_process for a tool that speaks the protocol"]`)
}

// What a package asks for at its top, and seldom uses, is there and says no only when it is called.
func TestLoad_PackagesMayNameWhatIsMissing(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"node_modules/p/package.json": `{"name":"p","type":"module","main":"m.js","version":"7.0.1"}`,
		"node_modules/p/m.js": `import { watch, watchFile, unwatchFile } from "fs"; import { BlockList, connect } from "net"; import { createRequire } from "module";
			const require = createRequire(import.meta.url), { readFileSync } = require("fs"), words = new Intl.Segmenter("en", { granularity: "grapheme" }), list = new BlockList();
			list.addSubnet("10.0.0.0", 8);
			export const has = [list.check("10.1.2.3"), require("./package.json").version, typeof readFileSync, [...words.segment("ae\u0301")].length, unwatchFile("x") ?? null];
			export const calls = [() => watch("x"), () => watchFile("x", () => {}), () => connect(80), () => require("./m.js"), () => new Intl.Segmenter("en", { granularity: "word" })];`,
		"tools/x.ts": `import { has, calls } from "p"; const say = (f: () => any) => { try { return f(); } catch (e: any) { return e.message; } }; export default { execute: () => [...has, ...calls.map(say)] };`,
	})
	p.want("x", "{}", `[true,"7.0.1","function",2,null,"node:fs watch is not part of this runtime: read the file again where it may have changed","node:fs watchFile is not part of this runtime: read the file again where it may have changed","node:net connect is not part of this runtime: use the global fetch, or node:child_process for a tool that speaks the protocol","Cannot find module './m.js': what runs here was bundled, so import code; what createRequire makes gives JSON and modules of Node","Intl.Segmenter knows the granularity \"grapheme\" here, not \"word\""]`)
}

// node:module names the modules that Node has, whether the runtime has them or not.
func TestNode_ModuleNames(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `import { builtinModules } from "node:module"; export default { execute: () => builtinModules.toSorted().join(" ") };`})
	p.want("x", "{}", `"`+strings.Join(slices.Sorted(maps.Keys(nodeBuiltins)), " ")+`"`)
}
