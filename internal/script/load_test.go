package script

import (
	"strings"
	"testing"
	"time"
)

// "A file that fails to load … is one diagnostic with its message; the other files still load and are listed."
func TestLoad_EachFaultIsOneFilesOwn(t *testing.T) {
	t.Parallel()
	faults := map[string]struct{ text, message, place, fix string }{
		"throws":     {"\nif (!process.env.NEEDED) throw new Error('set NEEDED first');\nexport default 1", "set NEEDED first", "tools/throws.ts:2:", ""},
		"syntax":     {"export default {\n  a: ,\n}", "Unexpected \",\"", "tools/syntax.ts:2:6", ""},
		"missing":    {"import { a } from './nope.js';\nexport default a", `cannot find "./nope.js", which tools/missing.ts imports`, "tools/missing.ts:1:19", "mend the path"},
		"package":    {"import x from 'left-pad';\nexport default x", `the package "left-pad", which tools/package.ts imports, is not installed`, "tools/package.ts:1:15", "run npm install left-pad"},
		"scoped":     {"import x from '@a/b/c';\nexport default x", `the package "@a/b", which`, "tools/scoped.ts:1:15", "run npm install @a/b"},
		"declared":   {"import x from 'declared';\nexport default x", `the package "declared", which`, "tools/declared.ts", "run npm install in /"},
		"name":       {"import { defineTol } from '@cursor/bdk/tools';\nexport default defineTol({})", `@cursor/bdk/tools has no export "defineTol"; it has: defineTool`, "tools/name.ts:1:10", "import one of"},
		"rootname":   {"import { defineTol } from '@cursor/july';\nexport default defineTol({})", `@cursor/july has no export "defineTol"; it has: defineAgent, defineInstructions, defineResult, defineTool, prompt, serve`, "", ""},
		"elsewhere":  {"import { defineArtifacts } from '@cursor/bdk';\nexport default defineArtifacts({})", `@cursor/bdk has no export "defineArtifacts", which is in @cursor/bdk/artifacts`, "tools/elsewhere.ts:1:10", `import { defineArtifacts } from "@cursor/bdk/artifacts"`},
		"elsewhole":  {"import * as bdk from '@cursor/bdk/tools';\nexport default bdk.defineHook({})", `@cursor/bdk/tools has no export "defineHook", which is in @cursor/bdk/hooks`, "tools/elsewhole.ts:2:20", `import { defineHook } from "@cursor/bdk/hooks"`},
		"deeper":     {"import { githubChannel } from '@cursor/bdk/channels';\nexport default githubChannel({})", `which is in @cursor/bdk/channels/github`, "tools/deeper.ts:1:10", `from "@cursor/bdk/channels/github"`},
		"whole":      {"import * as bdk from '@cursor/bdk/tools';\nexport default bdk.defineTol({})", `@cursor/bdk/tools has no export "defineTol"; it has: defineTool`, "tools/whole.ts:2:20", "import one of"},
		"entry":      {"import { x } from '@cursor/bdk/nope';\nexport default x", `the package has no entry "@cursor/bdk/nope"; it has: @cursor/bdk, @cursor/bdk/artifacts`, "tools/entry.ts:1:", ""},
		"inner":      {"import { x } from '../node_modules/@cursor/bdk/dist/internal/credentials.js';\nexport default x", "is an inner file of the package", "tools/inner.ts:1:", ""},
		"inner2":     {"import { x } from '@cursor/bdk/dist/internal/credentials.js';\nexport default x", "is an inner file of the package", "tools/inner2.ts:1:", ""},
		"nodename":   {"import { openAsBlob } from 'node:fs';\nexport default openAsBlob", `node:fs has no export "openAsBlob"; it has: `, "tools/nodename.ts:1:10", ""},
		"nodemodule": {"import udp from 'node:dgram';\nexport default udp", "node:dgram is not part of this runtime: use node:child_process", "tools/nodemodule.ts:1:17", ""},
		"nodeplain":  {"import dns from 'dns';\nexport default dns", "node:dns is not part of this runtime: use the global fetch", "tools/nodeplain.ts:1:17", ""},
		"serve":      {"import { serve } from '@cursor/bdk';\nserve('.');\nexport default 1", "bdk serve", "tools/serve.ts:2:", ""},
		"shared1":    {"import { token } from '../lib/env.js';\nexport default token", "TOKEN is not set", "lib/env.ts:1:", ""},
		"shared2":    {"import { token } from '../lib/env.js';\nexport default token", "TOKEN is not set", "lib/env.ts:1:", ""},
		"binary":     {"import x from '../x.node';\nexport default x", "files of type .node cannot be imported", "", "read the file"},
		"define":     {"import { defineTool } from '@cursor/bdk';\nexport default defineTool(undefined as any)", "defineTool needs an object, not undefined", "tools/define.ts:2:", ""},
		"unknown":    {"import x from 'node:nonsense';\nexport default x", "Node has no module node:nonsense", "", ""},
	}
	files := map[string]string{
		"tools/good.ts": "export default { execute() { return 'good' } }",
		"lib/env.ts":    "export const token = (() => { throw new Error('TOKEN is not set') })()",
		"package.json":  `{"dependencies":{"declared":"1"}}`,
		"node_modules/@cursor/bdk/dist/internal/credentials.js": "export const x = 1",
		"node_modules/@cursor/bdk/package.json":                 `{"name":"@cursor/bdk","main":"dist/internal/credentials.js"}`,
		"x.node":                                                "",
	}
	for name, f := range faults {
		files["tools/"+name+".ts"] = f.text
	}
	p := load(t, files)
	p.want("good", "{}", `"good"`)
	for name, f := range faults {
		l := p.loaded("tools/" + name)
		switch {
		case l.Err == nil:
			t.Errorf("%s loaded: %s %s", name, l.Kind, l.Spec)
		case !strings.Contains(l.Err.Message, f.message) || !strings.HasPrefix(l.Err.Place(), f.place) || !strings.Contains(l.Err.Fix, f.fix):
			t.Errorf("%s: %q at %s, fix %q", name, l.Err.Message, l.Err.Place(), l.Err.Fix)
		}
	}
	if len(p.rt.Loaded()) != len(p.o.Modules) {
		t.Error("rows are missing")
	}
}

// "(type stripping, npm packages … included; ES modules with top-level await,
// JSON imports, .js specifiers of .ts files, tsconfig paths)"
func TestLoad_WhatProjectsAreMadeOf(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/x.ts": `
import { type Thing, names } from "../lib/names.js";
import data from "../lib/data.json";
import { aliased } from "#lib/aliased";
import { viaPaths } from "@/paths";
import esm, { named } from "esm-pkg";
import cjs from "cjs-pkg";
import { readFileSync } from "fs";
const later = await Promise.resolve("tla");
const arr = ["a"] as const satisfies readonly string[];
enum E { A = 1_000 }
class C { constructor(private readonly v: number) {} get() { return this.v } }
export default { async execute() {
  const thing: Thing = { a: 1 };
  return [thing.a, names, data.n, aliased, viaPaths, esm, named, cjs.joined, cjs.env, later, arr[0], E.A, new C(2).get(),
    import.meta.url.startsWith("file:///"), import.meta.dirname.endsWith("/tools"), import.meta.filename.endsWith("/tools/x.ts"),
    readFileSync(new URL("../lib/data.json", import.meta.url), "utf8").trim(), (await import("../lib/lazy.js")).lazy];
} };`,
		"lib/names.ts":                      "export interface Thing { a: number }\nexport const names = ['n'] as string[];",
		"lib/data.json":                     `{"n":5}`,
		"lib/lazy.ts":                       "export const lazy = 'lazy'",
		"lib/aliased.ts":                    "export const aliased = 'imports'",
		"src/paths.ts":                      "export const viaPaths = 'paths'",
		"package.json":                      `{"type":"module","imports":{"#lib/*":"./lib/*.ts"}}`,
		"tsconfig.json":                     `{"compilerOptions":{"paths":{"@/*":["./src/*"]},"target":"ES2023","module":"NodeNext","verbatimModuleSyntax":true}}`,
		"node_modules/esm-pkg/package.json": `{"name":"esm-pkg","type":"module","exports":{".":{"node":"./node.js","default":"./other.js"}}}`,
		"node_modules/esm-pkg/node.js":      "export default 'esm'; export const named = new URL('./node.js', import.meta.url).pathname.endsWith('/esm-pkg/node.js');",
		"node_modules/cjs-pkg/package.json": `{"name":"cjs-pkg","main":"main.js"}`,
		"node_modules/cjs-pkg/main.js":      "const path = require('path'); const http = require('http'); const E = require('events'); class X extends E {}\nexports.joined = path.join(path.basename(__dirname), 'x'); exports.env = typeof process.env + new X().listenerCount('a');\nexports.get = () => http.get('x');",
	})
	if l := p.loaded("tools/x"); l.Err != nil {
		t.Fatalf("%v at %s", l.Err, l.Err.Place())
	}
	p.want("x", "{}", `[1,["n"],5,"imports","paths","esm",true,"cjs-pkg/x","object0","tla","a",1000,2,true,true,true,"{\"n\":5}","lazy"]`)
}

// "A handler that never yields is interrupted", at load too; and a top-level await has its limit.
func TestLoad_WhatNeverEndsIsOneFilesFault(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/a_spin.ts":   "for (;;) {}\nexport default 1",
		"tools/b_await.ts":  "await new Promise(() => {});\nexport default 1",
		"tools/b_spec.ts":   "export default { get description() { for (;;) {} } }",
		"tools/c_good.ts":   "export default { execute: () => import.meta.resolve('./x') !== undefined && typeof (import.meta as any).env }",
		"tools/d_regexp.ts": "export default {\n  execute: () => /a{2,1}/.test('a') }",
	}, slice(100*time.Millisecond), func(o *Options) { o.LoadTimeout = 200 * time.Millisecond })
	if e := p.loaded("tools/a_spin").Err; e == nil || e.Code != CodeInterrupted {
		t.Errorf("%#v", e)
	}
	if e := p.loaded("tools/b_spec").Err; e == nil || e.Code != CodeInterrupted {
		t.Errorf("%#v", e)
	}
	if e := p.loaded("tools/b_await").Err; e == nil || !strings.Contains(e.Message, "did not finish loading within 200ms") {
		t.Errorf("%#v", e)
	}
	p.want("c_good", "{}", `"undefined"`)
	if e := p.loaded("tools/d_regexp").Err; e == nil || e.Message != "invalid repetition count" || !strings.HasPrefix(e.Place(), "tools/d_regexp.ts:2:") {
		t.Errorf("%#v", e)
	}
}

func TestLoad_KindsOfDefaultExports(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	want := map[string]string{}
	for kind, text := range map[string]string{
		"agent":        `import { defineAgent } from "@cursor/bdk"; export default defineAgent({ model: { id: "m", params: [{ id: "effort", value: "high" }] } })`,
		"instructions": `import { defineInstructions } from "@grok/agent-sdk"; export default defineInstructions({ markdown: "x" })`,
		"tool":         `import { defineTool } from "@cursor/july/tools"; export default defineTool({ description: "x", execute() {} })`,
		"hook":         `import { defineHook } from "@cursor/bdk/hooks"; export default defineHook({ events: {} })`,
		"memoryHook":   `import { memoryHook } from "@cursor/bdk/memory"; export default memoryHook()`,
		"channel":      `import { defineChannel, GET, POST, PUT, PATCH, DELETE, bearerAuth, jwtAuth, basicAuth, apiKeyHeader, localDevStrict, allowAll } from "@cursor/bdk/channels"; export default defineChannel({ auth: [localDevStrict(), bearerAuth("t"), jwtAuth({}), basicAuth({}), apiKeyHeader("h", "k"), allowAll()], routes: [GET("/", { handler() {} }), POST("/x", {}), PUT("/", {}), PATCH("/", {}), DELETE("/", {})] })`,
		"connection":   `import { defineConnection } from "@cursor/bdk/connections"; export default defineConnection({ url: "http://x" })`,
		"schedule":     `import { defineSchedule } from "@cursor/bdk/schedules"; export default defineSchedule({ cron: "* * * * *", async run() {} })`,
		"skill":        `import { defineSkill } from "@cursor/bdk/skills"; export default defineSkill({ description: "d", markdown: "m" })`,
		"artifacts":    `import { defineArtifacts } from "@cursor/bdk/artifacts"; export default defineArtifacts({ kinds: {} })`,
		"result":       `import { defineResult } from "@cursor/bdk"; export default defineResult({ schema: { type: "object" } })`,
		"storage":      `import { defineStorage } from "@cursor/bdk/storage"; import { fileKv } from "@cursor/bdk/storage/file-kv"; export default defineStorage({ name: "n", ...fileKv() })`,
		"eval":         `import { defineEval, includes, equals, matches, satisfies, similarity, fenceUntrusted, EVAL_JUDGE_INJECTION_GUARD } from "@cursor/bdk/evals"; import { loadJson, loadJsonl, loadYaml } from "@cursor/bdk/evals/loaders"; includes(/x/); export default defineEval({ tags: ["smoke"], async test(t) {} })`,
		"evalConfig":   `import { defineEvalConfig } from "@cursor/bdk/evals"; export default defineEvalConfig({ maxConcurrency: 20 })`,
		"extension":    `import { defineExtension } from "@cursor/bdk/extensions"; const ext = defineExtension({ description: "d" }); export default ext({})`,
		"disable":      `import { disableTool, disable, disableHook, disableSkill, disableChannel, disableSchedule, disableSubagent, disableConnection, disableArtifact, disableInstructions, cursorPlugin } from "@cursor/bdk/extensions"; export default disableTool()`,
		"string":       "import { prompt } from '@cursor/bdk/prompt'; export default prompt`\n  a\n`",
		"function":     `export default () => "x"`,
		"value":        `export default { a: 1 }`,
		"none":         `export const x = 1`,
	} {
		files["slots/"+kind+".ts"], want["slots/"+kind] = text, kind
	}
	for id, text := range map[string]string{
		"cloud":   `import c, { launchCloudAgent } from "@cursor/bdk/extensions/cursor-cloud-agents"; export default c({ cloud: { repos: [] } })`,
		"grok":    `import c from "@cursor/bdk/extensions/cursor-grokbot-agents"; export default c({ agents: ["a"] })`,
		"improve": `import c from "@cursor/bdk/extensions/improve"; export default c()`,
		"jev":     `import c, { decide } from "@cursor/bdk/extensions/jev"; export default c()`,
	} {
		files["slots/"+id+".ts"], want["slots/"+id] = text, "extension"
	}
	for id, text := range map[string]string{
		"github": `import { githubChannel, defaultGitHubAuth } from "@cursor/bdk/channels/github"; export default githubChannel({ botName: "b" })`,
		"slack":  `import { slackChannel, defaultSlackAuth } from "@cursor/july/channels/slack"; export default slackChannel({})`,
	} {
		files["slots/"+id+".ts"], want["slots/"+id] = text, "channel"
	}
	p := load(t, files)
	for _, l := range p.rt.Loaded() {
		if l.Err != nil || l.Kind != want[l.ID] {
			t.Errorf("%s is %q: %v", l.ID, l.Kind, l.Err)
		}
	}
	if spec := string(p.loaded("slots/result").Spec); spec != `{"schema":{"$schema":{"type":"object"},"vendor":"json-schema"}}` {
		t.Error(spec)
	}
	if spec := string(p.loaded("slots/schedule").Spec); spec != `{"cron":"* * * * *","run":{"$fn":true}}` {
		t.Error(spec)
	}
}

// "prompt is a tagged template: dedents, trims the outer blank lines, keeps inner ones and relative indent."
func TestPrompt_Dedents(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"return prompt`\n    a\n      b\n\n    c\n  `":             `"a\n  b\n\nc"`,
		"return prompt`one line`":                                  `"one line"`,
		"return prompt`\n\n\n   x\n\n\n`":                          `"x"`,
		"const v = '1\\n2'; return prompt`\n  - ${v}\n  - ${3}\n`": `"- 1\n2\n- 3"`,
		"return prompt``":                                          `""`,
		"return prompt`\n\ta\n\t\tb\n`":                            `"a\n\tb"`,
		"return prompt`a\n    b\n    c`":                           `"a\nb\nc"`,
		"return prompt`\n  ${'x'}\n    y\n`":                       `"x\n  y"`,
		"return prompt`\n  a\\nb\n`":                               `"a\nb"`,
	} {
		if got := evaluate(t, `import { prompt } from "@cursor/bdk";`+body); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}
