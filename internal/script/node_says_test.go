package script

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sayer runs one expression of testdata/node and writes what it gives as record.mjs does.
const sayer = `import { items } from "../items.mjs";
const plain = (_: string, x: any) => (typeof x === "bigint" ? x + "n" : x === undefined ? "(undefined)" : x);
export default { async execute({ key }: any) { return JSON.parse(JSON.stringify((await (items as any)[key]()) ?? null, plain)); } };`

// The globals and the modules of Node that the page on the runtime names give what
// Node gives: what testdata/node/*.json has was recorded from Node 20.
func TestNode_AnswersAsNodeDoes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"web", "modules", "intl"} {
		source, err := os.ReadFile(filepath.Join("testdata/node", name+".mjs"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join("testdata/node", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var said map[string]any
		if err := json.Unmarshal(text, &said); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := load(t, map[string]string{"tools/say.ts": sayer, "items.mjs": string(source)}, func(o *Options) {
				o.Env = map[string]string{"PATH": os.Getenv("PATH"), "TZ": "UTC"}
			})
			if e := p.loaded("tools/say").Err; e != nil {
				t.Fatal(e, e.Place())
			}
			for key, want := range said {
				out, err := p.call(OpExecute, "say", `{"key":"`+key+`"}`)
				var got any
				if err != nil || json.Unmarshal([]byte(out), &got) != nil {
					t.Errorf("%s: %v", key, err)
					continue
				}
				compare(t, key, got, want)
			}
			if text := p.log.String(); strings.Contains(text, "unhandled rejection") {
				t.Error(text)
			}
		})
	}
}

// compare reports each part in which two values differ.
func compare(t *testing.T, path string, got, want any) {
	t.Helper()
	g, ok := got.([]any)
	w, both := want.([]any)
	if ok && both && len(g) == len(w) {
		for i := range g {
			compare(t, path+"["+string(rune('0'+i/10))+string(rune('0'+i%10))+"]", g[i], w[i])
		}
		return
	}
	if !reflect.DeepEqual(got, want) {
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		t.Errorf("%s:\n     got %s\nNode says %s", path, a, b)
	}
}
