package script

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// ciPackage is an extension whose modules read its config.
var ciPackage = map[string]string{
	"node_modules/ci/package.json": `{"name":"ci","type":"module","exports":{".":"./extension.ts","./lib/*":"./lib/*"}}`,
	"node_modules/ci/extension.ts": `
import { defineExtension } from "@cursor/bdk/extensions";
const string = { type: "string" };
export default defineExtension({ root: import.meta.dirname, config: { type: "object", properties: { org: string }, required: ["org"] } });`,
	"node_modules/ci/lib/client.ts": `
import extension from "../extension.js";
import data from "./data.json";
import { count } from "../../shared/index.js";
let calls = 0;
export const where = () => extension.config.org + data.mark + " " + ++calls + " " + count();`,
	"node_modules/ci/lib/data.json":    `{"mark":"!"}`,
	"node_modules/shared/package.json": `{"name":"shared"}`,
	"node_modules/shared/index.js":     `let n = 0; export const count = () => ++n;`,
	"node_modules/ci/tools/where.ts": `
import { where } from "../lib/client.js";
export default { execute: () => where() };`,
	"bot/a.ts":          `import ci from "ci"; export default ci({ org: "acme" });`,
	"bot/b.ts":          `import ci from "ci"; export default ci({ org: "umbrella" });`,
	"bot/a/overlay.ts":  `import { where } from "ci/lib/client.ts"; export default { execute: () => "over " + where() };`,
	"tools/outside.ts":  `import { where } from "ci/lib/client.ts"; export default { execute: () => where() };`,
	"node_modules/x.ts": ``,
}

// mounted loads the package under two namespaces.
func mounted(t *testing.T, files map[string]string, change ...func(*Options)) *project {
	all := map[string]string{}
	for _, m := range []map[string]string{ciPackage, files} {
		for name, text := range m {
			all[name] = text
		}
	}
	return load(t, all, append([]func(*Options){func(o *Options) {
		root := filepath.Join(o.Dir, "node_modules/ci")
		var first []Module
		for _, ns := range []string{"a", "b"} {
			file := filepath.Join(o.Dir, "bot", ns+".ts")
			o.Mounts = append(o.Mounts, Mount{ns, []string{root, file, filepath.Join(o.Dir, "bot", ns)}})
			first = append(first, Module{"extensions/" + ns, file, ns}, Module{"tools/" + ns + "__where", filepath.Join(root, "tools/where.ts"), ns})
		}
		first = append(first, Module{"tools/a__overlay", filepath.Join(o.Dir, "bot/a/overlay.ts"), "a"})
		o.Modules = append(first, o.Modules...)
	}}, change...)...)
}

// "The modules of a package are instantiated per mount, so that two mounts have two configs."
func TestMount_EachHasModulesOfItsOwn(t *testing.T) {
	t.Parallel()
	p := mounted(t, nil)
	p.want("a__where", "{}", `"acme! 1 1"`)
	p.want("b__where", "{}", `"umbrella! 1 2"`) // a package beside it is everybody's
	p.want("a__where", "{}", `"acme! 2 3"`)
	p.want("a__overlay", "{}", `"over acme! 3 4"`) // what lies over a mount sees the mount's modules
	if _, err := p.call(OpExecute, "outside", "{}"); err == nil || !strings.Contains(err.Error(), "the extension has no config here, since nothing mounted it") {
		t.Errorf("the project's own import of the package gives %v", err)
	}
}

// Every VM has the settings: whichever a session meets.
func TestMount_InEveryVM(t *testing.T) {
	t.Parallel()
	p := mounted(t, nil, func(o *Options) { o.Workers = 3 })
	for i := range 20 {
		out, err := p.call(OpExecute, "b__where", "{}", func(c *agent.Call) { c.Session.ID = fmt.Sprint("session ", i) })
		if err != nil || !strings.HasPrefix(out, `"umbrella! `) {
			t.Fatalf("session %d: %s, %v", i, out, err)
		}
	}
}

// A bundle of the cache is taken only for the same mounts, and forgotten when the package changes.
func TestMount_IsCached(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := mounted(t, nil, func(o *Options) { o.CacheDir = dir })
	if _, hit := newCache(p.o.EnsureDefaults()).read(); !hit {
		t.Fatal("the bundle is not in the cache")
	}
	other := *p.o
	other.Mounts = other.Mounts[:1]
	if _, hit := newCache(other.EnsureDefaults()).read(); hit {
		t.Error("the bundle is taken for other mounts")
	}
	p.write("node_modules/ci/lib/client.ts", `export const where = () => "new";`)
	if _, hit := newCache(p.o.EnsureDefaults()).read(); hit {
		t.Error("the bundle is taken after the package changed")
	}
}

// Faults are told with the file's own name, and are those of one module.
func TestMount_FaultsAreOneModules(t *testing.T) {
	t.Parallel()
	p := mounted(t, map[string]string{
		"node_modules/ci/lib/client.ts": "import { nope } from \"./nope.js\";\nexport const where = () => nope;",
		"tools/outside.ts":              `export default { execute: () => { throw new Error("out") } };`,
	})
	l := p.loaded("tools/a__where")
	if l.Err == nil || l.Err.Place() != "node_modules/ci/lib/client.ts:1:22" || !strings.Contains(l.Err.Message, `cannot find "./nope.js", which node_modules/ci/lib/client.ts imports`) {
		t.Errorf("the fault is %+v", l.Err)
	}
	if l := p.loaded("extensions/b"); l.Err != nil {
		t.Errorf("the mount has the fault too: %v", l.Err)
	}
	p = mounted(t, map[string]string{"node_modules/ci/tools/where.ts": "\nexport default {\n  execute: () => { throw new Error('in it') } };", "tools/outside.ts": "export default 1"})
	_, err := p.call(OpExecute, "b__where", "{}")
	if e, ok := err.(*Error); !ok || !strings.HasPrefix(e.Place(), "node_modules/ci/tools/where.ts:3:") {
		t.Errorf("the tool throws %v", err)
	}
}

// "`config` is validated while the project loads; a fault stops the load with the path
// of the setting and never prints its value."
func TestMount_SettingsThatDoNotFit(t *testing.T) {
	t.Parallel()
	define := `import { defineExtension } from "@cursor/bdk/extensions";
const schema = (validate) => ({ "~standard": { version: 1, vendor: "mini", validate } });
`
	for body, want := range map[string]string{
		`defineExtension({ config: { type: "object", properties: { deep: { properties: { org: { type: "integer" } } } } } })({ deep: { org: "hunter22" } })`: "the extension's settings do not fit: deep.org: must be an integer, not a string",
		`defineExtension({ config: { type: "object", required: ["token"] } })()`:                                                                             "the extension's settings do not fit: token: is required",
		`defineExtension({ config: schema((v) => ({ issues: [{ path: ["token"], message: "bad " + v.token }] })) })({ token: "hunter22" })`:                  "do not fit: token: bad …",
		`defineExtension({ config: schema((v) => ({ issues: [{ path: ["pin"], message: "received '" + v.pin + "'" }] })) })({ pin: 12 })`:                    "do not fit: pin: received '…'",
		`defineExtension({ config: schema((v) => { throw new Error("no " + v.token) }) })({ token: "hunter22" })`:                                            "could not be checked: no …",
		`defineExtension({ config: schema((v) => ({ issues: [{ path: ["key"], message: "bad " + JSON.stringify(v.key) }] })) })({ key: "---\nhunter22\n" })`: `do not fit: key: bad "…"`,
		`defineExtension({ config: schema(async (v) => ({ value: v })) })({})`:                                                                               "a schema that parses at once",
		`defineExtension({ config: { type: "nonsense" } })({})`:                                                                                              "config is no JSON Schema",
		`defineExtension({})({ org: "hunter22" })`:                                                                                                           "the extension takes no settings, and is given org",
		`defineExtension({})("hunter22")`: "an extension is given its settings as one object",
	} {
		p := load(t, map[string]string{"slots/x.ts": define + "export default " + body + ";"})
		l := p.loaded("slots/x")
		if l.Err == nil || !strings.Contains(l.Err.Message, want) || strings.Contains(l.Err.Message, "hunter22") {
			t.Errorf("%s: %+v, want %s", body, l.Err, want)
		}
	}
}

// seeds/extensions.md, "Build an extension", as it is written there, with the Zod of most
// projects and with the newest.
func TestMount_ZodConfig(t *testing.T) {
	t.Parallel()
	const extension = `// extension.ts
import { defineExtension } from "@cursor/bdk/extensions";
import { z } from "zod";

export default defineExtension({
  root: import.meta.dirname,
  description: "Investigate failing Buildkite jobs.",
  config: z.object({
    org: z.string(),
    token: z.string(),
    logTailLines: z.number().int().positive().default(200),
  }),
});
`
	for _, zod := range []string{"zod3", "zod4"} {
		t.Run(zod, func(t *testing.T) {
			t.Parallel()
			p := load(t, map[string]string{
				"ci/extension.ts": extension,
				"slots/fits.ts":   `import ci from "../ci/extension.js"; export default ci({ org: "acme", token: "t" });`,
				"slots/wrong.ts":  `import ci from "../ci/extension.js"; export default ci({ org: "acme", token: undefined, logTailLines: "hunter22" } as any);`,
				"tools/config.ts": `import ci from "../ci/extension.js"; export default { execute: () => ci.config };`,
			}, withPackages(t, zod))
			if l := p.loaded("slots/fits"); l.Err != nil || l.Kind != "extension" || strings.Contains(string(l.Spec), "acme") {
				t.Errorf("the mount is %+v", l)
			}
			l := p.loaded("slots/wrong")
			if l.Err == nil || !strings.Contains(l.Err.Message, "the extension's settings do not fit: token: ") || !strings.Contains(l.Err.Message, "; logTailLines: ") || strings.Contains(l.Err.Message, "hunter22") {
				t.Errorf("settings that do not fit give %v", l.Err)
			}
			if l.Err != nil && (!strings.HasPrefix(l.Err.Place(), "slots/wrong.ts:1:") || l.Err.Code != CodeSettings) {
				t.Errorf("the fault lies at %s, with the code %q", l.Err.Place(), l.Err.Code)
			}
			// "extension.config, which is already validated and has defaults applied"
			p.want("config", "{}", `{"org":"acme","token":"t","logTailLines":200}`)
		})
	}
}
