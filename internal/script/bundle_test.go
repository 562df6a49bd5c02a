package script

import (
	"fmt"
	"strings"
	"testing"
)

// "Treat the event as read-only": the modules of a project are strict, packages of
// the older kind keep what they say themselves.
func TestLoad_ModulesAreStrict(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{
		"tools/x.ts": `import old from "old";
			export default { execute() { let said = ""; try { (Object.freeze({ a: 1 }) as any).a = 2 } catch (e: any) { said = e.name } return [said, (function () { return typeof this })(), old] } }`,
		"node_modules/old/package.json": `{"main":"x.cjs"}`,
		"node_modules/old/x.cjs":        `var top = Function("return typeof this")(); module.exports = top;`,
	})
	p.want("x", "{}", `["TypeError","undefined","object"]`)
}

// "a project of 200 tools": a bad file is found by halves, and the rest loads.
func TestLoad_OneBadFileAmongMany(t *testing.T) {
	t.Parallel()
	files := map[string]string{"lib/shared.ts": `export const shared = 1;`}
	for i := range 200 {
		files[fmt.Sprintf("tools/t%03d.ts", i)] = fmt.Sprintf("import { shared } from \"../lib/shared.js\";\nexport default { execute: () => shared + %d };", i)
	}
	files["tools/t007.ts"] = "export default {"
	files["tools/t150.ts"] = "import './nope.js';"
	p := load(t, files)
	var bad []string
	for _, l := range p.rt.Loaded() {
		if l.Err != nil {
			bad = append(bad, l.ID+": "+l.Err.Message)
		}
	}
	if got := strings.Join(bad, "\n"); got != "tools/t007: Expected identifier but found end of file\ntools/t150: cannot find \"./nope.js\", which tools/t150.ts imports" {
		t.Errorf("the bad ones are\n%s", got)
	}
	p.want("t199", "{}", "200")
}
