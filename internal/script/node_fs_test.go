//go:build !windows

package script

import (
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What could hold its reader for good is refused, in every form, and at once.
func TestFS_WhatIsNoFileIsRefused(t *testing.T) {
	t.Parallel()
	p := write(t, map[string]string{"tools/x.ts": `
import fs from "node:fs"; import fsp from "node:fs/promises";
const text = async (f: () => any) => { try { await f(); return "went well" } catch (e: any) { return e.code + " " + e.message.replace(process.cwd(), "DIR") } };
export default { async execute() {
  const all: string[] = [];
  for (const name of ["pipe", "socket"]) for (const f of [
    () => fs.readFileSync(name), () => fsp.readFile(name), () => fs.writeFileSync(name, "x"), () => fsp.appendFile(name, "x"), () => fs.openSync(name), () => fsp.open(name),
    () => fs.copyFileSync(name, "copy"), async () => { for await (const _ of fs.createReadStream(name)); }, () => new Promise((ok, no) => fs.createWriteStream(name).on("error", no).on("finish", ok).end("x")),
  ]) all.push(await text(f));
  return { all: [...new Set(all)], stat: [fs.statSync("pipe").isFIFO(), fs.statSync("socket").isSocket()], null: fs.readFileSync("/dev/null", "utf8"), random: Buffer.alloc(4).fill(0).length === fs.readSync(fs.openSync("/dev/urandom"), Buffer.alloc(4)) };
} };`})
	if err := syscall.Mkfifo(filepath.Join(p.o.Dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	short, err := net.Listen("unix", filepath.Join(p.o.Dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { short.Close() })
	p.open()
	out, err := p.call(OpExecute, "x", "{}")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"EINVAL EINVAL: 'pipe' is a named pipe, and node:fs opens files and folders alone: use node:child_process for a program that reads it",
		`"stat":[true,true],"null":"","random":true`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if strings.Contains(out, "went well") {
		t.Error(out)
	}
}

// A file that is larger than a VM could hold is not read at once.
func TestFS_AFileTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `
import fs from "node:fs";
export default { async execute() {
  fs.writeFileSync("big", ""); fs.truncateSync("big", 9 << 20);
  let n = 0; for await (const chunk of fs.createReadStream("big")) n += chunk.length;
  try { fs.readFileSync("big"); } catch (e: any) { return [e.code, e.message, n]; }
} };`}, func(o *Options) { o.MemoryLimit = 32 << 20 })
	p.want("x", "{}", `["ERR_FS_FILE_TOO_LARGE","'big' is larger than the 8 MiB that are read at once: read it in parts, with createReadStream",9437184]`)
}

// "Loading/validating a project never …": module scope may read, and write nothing.
func TestFS_LoadingWritesNothing(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"lib/there.txt": "text", "tools/x.ts": `
import fs, { readFileSync } from "node:fs"; import fsp from "node:fs/promises";
const said: string[] = [];
for (const f of [
  () => fs.writeFileSync("a", "1"), () => fsp.writeFile("a", "1"), () => fs.appendFileSync("lib/there.txt", "1"), () => fs.mkdirSync("d"), () => fsp.mkdir("d", { recursive: true }), () => fs.mkdtempSync("t-"),
  () => fs.rmSync("lib", { recursive: true }), () => fs.rmdirSync("lib"), () => fs.unlinkSync("lib/there.txt"), () => fs.renameSync("lib", "lib2"), () => fs.copyFileSync("lib/there.txt", "b"), () => fs.symlinkSync("lib", "l"),
  () => fs.linkSync("lib/there.txt", "l"), () => fs.chmodSync("lib/there.txt", 0), () => fs.truncateSync("lib/there.txt"), () => fs.utimesSync("lib/there.txt", 1, 1), () => fs.openSync("c", "w"), () => fsp.open("c", "a+"),
  () => new Promise((ok, no) => fs.createWriteStream("e").on("error", no).on("finish", ok).end("x")),
]) { try { await f(); said.push("it wrote"); } catch (e: any) { said.push(e.code + ": " + e.message); } }
fs.mkdirSync("lib", { recursive: true });
const text = readFileSync("lib/there.txt", "utf8") + fs.readFileSync(fs.openSync("lib/there.txt"), "utf8") + fs.readdirSync(".").sort() + fs.existsSync("a");
export default { execute: () => { fs.writeFileSync("later", "1"); return [[...new Set(said)], text, fs.existsSync("later")]; } };`})
	p.want("x", "{}", `[["not_while_loading: node:fs cannot write while the project loads; do it inside a tool"],"texttextlib,toolsfalse",true]`)
}

// "the sync forms hold the VM, bounded by the call's limit"
func TestChild_SyncFormsEndWithTheCall(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `
import { execSync, execFileSync, spawnSync } from "node:child_process";
export default { async execute({ how }: any) {
  const f: any = { exec: () => execSync("sleep 60"), file: () => execFileSync("sleep", ["60"]), spawn: () => spawnSync("sleep", ["60"]).error };
  try { const e = f[how](); console.log("said " + e?.code); return e?.code; } catch (e: any) { console.log("said " + e.code); throw e; }
} };`}, func(o *Options) { o.Env = map[string]string{"PATH": "/usr/bin:/bin"} })
	for _, how := range []string{"exec", "file", "spawn"} {
		if _, err := p.callFor(300*time.Millisecond, "x", `{"how":"`+how+`"}`); err == nil || !strings.Contains(err.Error(), "the time limit passed") {
			t.Errorf("%s: %v", how, err)
		}
	}
	eventually(t, func() bool { return strings.Count(p.log.String(), "said ETIMEDOUT") == 3 })
}
