//go:build unix

package project

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// twoMounts is a package, mounted twice.
var twoMounts = map[string]string{
	"bot/extensions/a.ts": `import ci from "../lib/ci/extension.js"; export default ci({ org: "acme" });`,
	"bot/extensions/b.ts": `import ci from "../lib/ci/extension.js"; export default ci({ org: "umbrella" });`,
	"bot/lib/ci/extension.ts": `
import { defineExtension } from "@cursor/bdk/extensions";
export default defineExtension({ root: import.meta.dirname, config: { type: "object", properties: { org: { type: "string" } }, required: ["org"] } });`,
	"bot/lib/ci/lib/org.ts": `
import extension from "../extension.js";
let calls = 0;
export const org = () => extension.config.org + " " + ++calls;`,
	"bot/lib/ci/tools/org.ts": `
import { defineTool } from "@cursor/bdk/tools";
import { org } from "../lib/org.js";
export default defineTool({
  description: "Says the org.",
  inputSchema: { type: "object" },
  execute: () => org(),
});`,
	"bot/lib/ci/instructions.ts": `
import { org } from "./lib/org.js";
export default () => "Work for " + org() + ".";`,
	"bot/lib/ci/hooks/tag.ts": `
import { defineHook } from "@cursor/bdk/hooks";
import { org } from "../lib/org.js";
export default defineHook({ events: { "*"(event, ctx) { ctx.host.otel.tag("org", org()); } } });`,
	"bot/lib/ci/artifacts.ts": `
import { defineArtifacts } from "@cursor/bdk/artifacts";
import { org } from "./lib/org.js";
const schema = { "~standard": { version: 1, vendor: "mini", validate: (v) => ({ value: org() + " " + v }), jsonSchema: { input: () => ({}), output: () => ({}) } } };
export default defineArtifacts({ kinds: { note: { description: "A note.", schema } } });`,
}

// "The modules of a package are instantiated per mount, so that two mounts have two
// configs": in each slot, and shared between the slots of one mount.
func TestMount_RunsWithItsOwnConfig(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, twoMounts)
	ctx := context.Background()
	run := func(tool, want string) {
		t.Helper()
		if r, err := a.Tool(tool).Execute(ctx, callOf(tool, "{}")); err != nil || string(r.Output) != `"`+want+`"` {
			t.Errorf("%s gives %s, %v, want %s", tool, r.Output, err, want)
		}
	}
	run("a__org", "acme 1")
	run("b__org", "umbrella 1")
	s := &tags{}
	for _, h := range a.Hooks {
		if err := h.On["*"](ctx, lineOf(`{}`), hookCall(s)); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"org acme 2", "org umbrella 2"}; !reflect.DeepEqual(s.lines, want) {
		t.Errorf("the hooks tag %v, want %v", s.lines, want)
	}
	text, err := a.InstructionsFor(ctx, callOf("", ""))
	if want := "Here.\n\nWork for acme 3.\n\nWork for umbrella 3."; err != nil || text != want {
		t.Errorf("the instructions are %q, %v, want %q", text, err, want)
	}
	v, err := a.Artifacts.Kinds["b__note"].Parse(ctx, []byte(`"x"`))
	if err != nil || string(v) != `"umbrella 4 x"` {
		t.Errorf("the kind gives %s, %v", v, err)
	}
	run("a__org", "acme 4")
}

// A tool of an extension that runs in a process of its own has the extension's settings there.
func TestAgentExecution_OfAnExtension(t *testing.T) {
	t.Parallel()
	files := map[string]string{"bot/instructions.md": "Here."}
	for name, text := range twoMounts {
		files[name] = text
	}
	r := loadApart(t, files)
	if got := r.call(context.Background(), "b__org", "{}"); got != `"umbrella 1"` {
		t.Errorf("the tool gives %s", got)
	}
}

// "`${NAME}` placeholders without a value in `variables` are `validate` errors; Claude's
// `${CLAUDE_PLUGIN_ROOT}` is the plugin's folder."
func TestPlugin_Connections(t *testing.T) {
	t.Parallel()
	a := loadFiles(t, map[string]string{
		"bot/extensions/p.ts": `
import { cursorPlugin } from "@cursor/bdk/extensions";
export default cursorPlugin({ path: "p", variables: { TOKEN: "s3cret ${HOME}", ORG: "acme", EMPTY: "" } });`,
		"p/.claude-plugin/plugin.json": `{"name":"kit","mcpServers":"./servers.json"}`,
		"p/servers.json":               `{"mcpServers":{"named":{"command":"named"}}}`,
		"p/.mcp.json": `{"mcpServers":{
			"web":{"type":"http","url":"https://x.example/${ORG}","headers":{"Authorization":"Bearer ${TOKEN}","Level":"${LEVEL:-info} ${EMPTY:-none}","Key":"${env:TOKEN} ${env:LEVEL:-a:b}"},"oauth":{"clientId":"${ORG}","scopes":["a"]}},
			"run":{"command":"./bin/run","args":["${CLAUDE_PLUGIN_ROOT}/x","${ORG}"],"env":{"ROOT":"${CLAUDE_PLUGIN_ROOT}","TOKEN":"${TOKEN}"},"cwd":"data"}}}`,
	})
	dir := filepath.Join(a.Dir, "p")
	want := map[string]agent.Connection{
		"p__web": {
			Name: "p__web", Source: "plugin:kit", URL: "https://x.example/acme", Headers: map[string]string{"Authorization": "Bearer ${TOKEN}", "Level": "info none", "Key": "${TOKEN} a:b"},
			OAuth: &agent.OAuth{ClientID: "acme", Scopes: []string{"a"}},
		},
		"p__run": {
			Name: "p__run", Source: "plugin:kit", Command: filepath.Join(dir, "bin/run"), Args: []string{dir + "/x", "acme"},
			Env: map[string]string{"ROOT": "${CLAUDE_PLUGIN_ROOT}", "TOKEN": "${TOKEN}"}, Cwd: filepath.Join(dir, "data"),
		},
		"p__named": {Name: "p__named", Source: "plugin:kit", Command: "named", Cwd: dir},
	}
	for _, c := range a.Connections {
		for name, value := range map[string]string{"TOKEN": "s3cret ${HOME}", "CLAUDE_PLUGIN_ROOT": dir} {
			if got, ok := c.Lookup(name); !ok || got != value {
				t.Errorf("%s: %s is %q", c.Name, name, got)
			}
		}
		if _, ok := c.Lookup("PATH"); ok {
			t.Error("a plugin sees the environment")
		}
		got := *c
		got.Lookup = nil
		if !slices.Equal(got.Secrets, []string{"s3cret ${HOME}"}) {
			t.Errorf("%s: the secrets are %q", c.Name, got.Secrets)
		}
		got.Secrets = nil
		if !reflect.DeepEqual(got, want[c.Name]) {
			t.Errorf("the connection is\n%+v\nwant\n%+v", got, want[c.Name])
		}
		delete(want, c.Name)
	}
	if len(want) > 0 {
		t.Errorf("there is no %v", want)
	}
}

// "devices/FIFOs never read": a pipe in a plugin is reported, and holds nobody.
func TestPlugin_Pipes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	for name, text := range map[string]string{
		"bot/instructions.md": "Here.",
		"bot/extensions/p.ts": `import { cursorPlugin } from "@cursor/bdk/extensions"; export default cursorPlugin({ path: "p" });`,
		"p/plugin.json":       `{"name":"kit"}`,
		"p/skills/x/SKILL.md": "---\ndescription: x\n---\nx",
		"p/commands/x.txt":    "",
	} {
		writeFile(t, filepath.Join(dir, name), []byte(text))
	}
	for _, name := range []string{"p/mcp.json", "p/commands/pipe.md", "p/skills/x/pipe"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	agents, err := Load(context.Background(), dir, &Options{Env: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(agents) })
	text := renderAll(agents)
	for _, want := range []string{"p/mcp.json: it is no plain file", "p/commands/pipe.md: it is no plain file", "p/skills/x/pipe: it is no plain file", "skill p__x"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

// A built package lies in node_modules as npm installs it: a link to a folder, with
// packages of its own beside it.
func TestMount_OfAnInstalledPackage(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "demo")
	for name, text := range map[string]string{
		"demo/package.json":                          `{"name":"demo","dependencies":{"@acme/kit":"file:../kit"}}`,
		"demo/bot/instructions.md":                   "Here.",
		"demo/bot/extensions/kit.ts":                 `import kit from "@acme/kit"; export default kit({ who: "me" });`,
		"kit/package.json":                           `{"name":"@acme/kit","type":"module","main":"./dist/extension.js"}`,
		"kit/dist/extension.js":                      `import { defineExtension } from "@cursor/bdk/extensions"; import { string } from "tiny"; export default defineExtension({ root: import.meta.dirname, config: string });`,
		"kit/dist/tools/who.js":                      `import extension from "../extension.js"; import { count } from "tiny"; export default (await import("@cursor/bdk/tools")).defineTool({ description: "Who.", inputSchema: { type: "object" }, execute: () => extension.config.who + count() });`,
		"kit/node_modules/tiny/package.json":         `{"name":"tiny","main":"index.js"}`,
		"kit/node_modules/tiny/index.js":             `let n = 0; exports.count = () => ++n; exports.string = { type: "object", required: ["who"] };`,
		"kit/dist/sandbox/workspace/kit/welcome.txt": "Welcome.",
	} {
		writeFile(t, filepath.Join(root, name), []byte(text))
	}
	if err := os.MkdirAll(filepath.Join(dir, "node_modules/@acme"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../../kit", filepath.Join(dir, "node_modules/@acme/kit")); err != nil {
		t.Fatal(err)
	}
	agents, err := Load(context.Background(), dir, &Options{Env: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(agents) })
	a := agents[0]
	if len(a.Diagnostics) > 0 || len(a.Seeds) != 1 || a.Mounts[0].Source != "@acme/kit" || a.Mounts[0].Contributions[0].File != "../kit/dist/tools/who.js" {
		t.Fatalf("the project is\n%s", renderAll(agents))
	}
	if r, err := a.Tool("kit__who").Execute(context.Background(), callOf("kit__who", "{}")); err != nil || string(r.Output) != `"me1"` {
		t.Errorf("the tool gives %s, %v", r.Output, err)
	}
}
