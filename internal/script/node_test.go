package script

import "testing"

// "node: modules: fs and fs/promises, path, url, os, crypto, buffer, util, events, …; with and without the node: prefix."
func TestNode_ModulesThatRealProjectsUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"path": {`import path, { join } from "node:path"; import * as plain from "path";
			return [join("/a", "../b", "c"), path.resolve("/x", "y", "..", "z"), path.relative("/a/b/c", "/a/d"), path.basename("/q/w.ts", ".ts"), path.extname("a.b.c"), path.dirname("/a/b"), plain.isAbsolute("/x"), path.normalize("a//b/./../c/")]`,
			`["/b/c","/x/z","../../d","w",".c","/a",true,"a/c/"]`},
		"url": {`import { fileURLToPath, pathToFileURL } from "node:url";
			return [fileURLToPath(new URL("../x y.txt", import.meta.url)).endsWith("/x y.txt"), pathToFileURL("/a b#c").href, fileURLToPath("file:///h%C3%A9")]`,
			`[true,"file:///a%20b%23c","/hé"]`},
		"crypto": {`import { createHash, createHmac, randomUUID, randomBytes, timingSafeEqual } from "node:crypto";
			return [createHash("sha256").update("é").update(Buffer.from("x")).digest("hex"), createHmac("sha256", "k").update("d").digest("base64"), randomUUID().length, randomBytes(7).length, timingSafeEqual(Buffer.from("a"), Buffer.from("a"))]`,
			`["75ffd91e9de1dcdd5f349e17f877dd3ea559667e1bdbf4c8f3560ca0b81a0b02","5+ohw7y2Ok2jrXhQMWjTa9ygvmIjgupgoQj61OSWZnk=",36,7,true]`},
		"fs": {`import { readFileSync, existsSync, statSync, writeFileSync, mkdirSync, readdirSync, rmSync } from "fs";
			mkdirSync("d/e", { recursive: true }); writeFileSync("d/e/f.txt", "hé"); 
			let code; try { readFileSync("nope") } catch (e: any) { code = e.code + " " + e.message }
			const out = [readFileSync("d/e/f.txt", "utf8"), readFileSync("d/e/f.txt").length, existsSync("d/q"), statSync("d/e/f.txt").isFile(), statSync("d/e/f.txt").size, readdirSync("d"), code];
			rmSync("d", { recursive: true }); return [...out, existsSync("d")]`,
			`["hé",3,false,true,3,["e"],"ENOENT ENOENT: no such file or directory, open 'nope'",false]`},
		"fs/promises": {`import { readdir, readFile, writeFile, mkdtemp, mkdir, rm, access } from "node:fs/promises"; import { tmpdir } from "node:os"; import { join } from "path";
			const d = await mkdtemp(join(tmpdir(), "x-")); await mkdir(join(d, "sub")); await writeFile(join(d, "a.bin"), new Uint8Array([1, 255]));
			const list = (await readdir(d, { withFileTypes: true })).map((e) => [e.name, e.isDirectory()]); const bytes = [...await readFile(join(d, "a.bin"))];
			await rm(d, { recursive: true }); const gone = await access(d).then(() => false, (e) => e.code); return [list, bytes, gone]`,
			`[[["a.bin",false],["sub",true]],[1,255],"ENOENT"]`},
		"buffer": {`const b = Buffer.from("PK\u0003\u0004héllo", "latin1"); const c = Buffer.concat([Buffer.from("ab"), Buffer.from([1, 2, 3, 4])]);
			return [b.readUInt16LE(0), c.readUInt32LE(2), c.subarray(0, 2).toString(), Buffer.byteLength("é"), c.equals(Buffer.from("ab\x01\x02\x03\x04")), Buffer.from("abcabc").lastIndexOf("abc"), Buffer.from("aGk=", "base64").toString(), Buffer.from("hé").toString("hex"), Buffer.isBuffer(c.subarray(1)), c.toString("base64"), JSON.stringify(Buffer.from("a"))]`,
			`[19280,67305985,"ab",2,true,3,"hi","68c3a9",true,"YWIBAgME","{\"type\":\"Buffer\",\"data\":[97]}"]`},
		"zlib": {`import { inflateRawSync, deflateRawSync, gzipSync, gunzip } from "node:zlib"; import { promisify } from "node:util";
			return [inflateRawSync(deflateRawSync(Buffer.from("hello"))).toString(), (await promisify(gunzip)(gzipSync("x".repeat(1000)))).length]`,
			`["hello",1000]`},
		"util and events": {`import { inspect, format, promisify } from "node:util"; import EventEmitter, { once } from "node:events"; import assert from "node:assert/strict";
			const e = new EventEmitter(); const got = once(e, "x"); e.emit("x", 1, 2); assert.deepEqual({ a: [1] }, { a: [1] });
			let failed = ""; try { assert.equal(1, 2) } catch (x: any) { failed = x.code }
			return [inspect({ a: [1, "x"], m: new Map([[1, 2]]) }), format("%s-%d", "a", 2, "z"), await got, failed]`,
			`["{ a: [ 1, 'x' ], m: Map(1) { 1 => 2 } }","a-2 z",[1,2],"ERR_ASSERTION"]`},
		"child_process": {`import { spawn, execFile, execSync } from "node:child_process"; import { promisify } from "node:util";
			const c = spawn("sh", ["-c", "cat; echo err >&2; exit 3"], { cwd: "." }); c.stdin.end("in"); let out = "", err = "";
			c.stdout.on("data", (d) => out += d); c.stderr.on("data", (d) => err += d);
			const code = await new Promise((r) => c.on("close", r)); const { stdout } = await promisify(execFile)("echo", ["a b"]);
			const missing = await new Promise((r) => spawn("no-such-program").on("error", (e: any) => r(e.code)));
			return [out, err, code, stdout, execSync("echo $X", { encoding: "utf8", env: { X: "1" } }), missing]`,
			`["in","err\n",3,"a b\n","1\n","ENOENT"]`},
		"timers/promises": {`import { setTimeout as wait } from "node:timers/promises"; const order: number[] = []; setTimeout(() => order.push(2), 2); setTimeout(() => order.push(1), 1); setTimeout(() => order.push(3), 2); await wait(20, null); return order`, `[1,2,3]`},
		"querystring": {`import qs from "node:querystring"; import { StringDecoder } from "node:string_decoder"; const d = new StringDecoder("utf8"); const b = Buffer.from("é");
			return [qs.parse("a=1&a=2&b=x%20y"), qs.stringify({ a: [1, 2], b: "x y" }), d.write(b.subarray(0, 1)) + d.write(b.subarray(1))]`, `[{"a":["1","2"],"b":"x y"},"a=1&a=2&b=x%20y","é"]`},
		"stream": {`import { Readable, Transform } from "node:stream"; import { pipeline } from "node:stream/promises";
			const up = new Transform({ transform(c, _e, next) { next(null, String(c).toUpperCase()) } }); let out = ""; up.on("data", (c) => out += c);
			await pipeline(Readable.from(["a", "b"]), up); return out`, `"AB"`},
		"process": {`return [process.env.NOPE === undefined, process.cwd().length > 1, process.platform, process.version.startsWith("v"), typeof process.hrtime.bigint(), Array.isArray(process.argv)]`, `[true,true,"linux",true,"bigint",true]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := evaluate(t, c.body); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}
