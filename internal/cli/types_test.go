package cli

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

var (
	declared     = regexp.MustCompile(`(?m)^export declare (?:function|const) ([A-Za-z_$][\w$]*)`)
	runtimeNames = regexp.MustCompile(`(?m)^export (?:(?:async )?function|const|class) ([A-Za-z_$][\w$]*)`)
	exportList   = regexp.MustCompile(`(?m)^export \{([^}]*)\}`)
	exportsThat  = regexp.MustCompile(`(?m)^export default `)
)

// valuesOf lists what a module exports for the run time.
func valuesOf(text string, single *regexp.Regexp) map[string]bool {
	names := map[string]bool{}
	for _, m := range single.FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
	}
	for _, m := range exportList.FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(m[1], ",") {
			if parts := strings.Fields(name); len(parts) > 0 && parts[0] != "type" {
				names[parts[len(parts)-1]] = true
			}
		}
	}
	if exportsThat.MatchString(text) {
		names["default"] = true
	}
	return names
}

// entries reads the modules of a folder, without those that are for inside; the key
// is the path without its ending.
func entries(t *testing.T, dir string, ending string, single *regexp.Regexp) map[string]map[string]bool {
	t.Helper()
	found := map[string]map[string]bool{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		inside := strings.HasPrefix(d.Name(), "_")
		if err == nil && inside && d.IsDir() {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || inside || d.Name() == "globals.d.ts" {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, strings.TrimSuffix(p, ending))
		found[filepath.ToSlash(rel)] = valuesOf(string(text), single)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// authoring.md, "Package surface": each entry and name of the package has a
// declaration, and each declaration a name that the host answers.
func TestTypes_AreThoseOfTheRuntime(t *testing.T) {
	t.Parallel()
	runtime := entries(t, "../script/js/platform", ".js", runtimeNames)
	types := entries(t, "types/bdk", ".d.ts", declared)
	if got, want := slices.Sorted(maps.Keys(types)), slices.Sorted(maps.Keys(runtime)); !slices.Equal(got, want) {
		t.Errorf("declared are the entries %v, want %v", got, want)
	}
	for entry, names := range runtime {
		if got, want := slices.Sorted(maps.Keys(types[entry])), slices.Sorted(maps.Keys(names)); !slices.Equal(got, want) {
			t.Errorf("the entry %s declares %v, want %v", entry, got, want)
		}
	}
}

// agentEvents are of the log of an agent, which hooks and evals do not see.
var agentEvents = regexp.MustCompile(`^(schedule|delivery|tool)\.`)

// sessions.md, "Events": SessionEvent has every type that a session can have.
func TestTypes_HaveEveryEvent(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("types/bdk/_events.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, m := range regexp.MustCompile(`(?m)^  "([a-z.]+)": `).FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1])
	}
	for _, name := range events.Types() {
		if !agentEvents.MatchString(name) {
			want = append(want, name)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("declared are %v\nwant %v", got, want)
	}
}

// cli.md: "--types writes type declarations". A second time there is nothing to do;
// what somebody changed in them is put right, and Node's own globals are left alone.
func TestValidate_WritesTypes(t *testing.T) {
	t.Parallel()
	b := newBench(t, "validate", "--types", "--dir", "demo")
	write(t, filepath.Join(b.Dir, "demo/agent/instructions.md"), "Help.")
	write(t, filepath.Join(b.Dir, "demo/agent/agent.ts"), "import { defineAgent } from '@cursor/july';\nexport default defineAgent({});\n")
	write(t, filepath.Join(b.Dir, "demo/tsconfig.json"), "{\n  \"compilerOptions\": { \"strict\": true }\n}\n")
	b.want(t, ExitOK, "", "demo: types were written: types/bdk (26 files), tsconfig.json\n")
	config, err := os.ReadFile(filepath.Join(b.Dir, "demo/tsconfig.json"))
	if err != nil || !strings.Contains(string(config), `"@cursor/july/*": ["./types/bdk/*.d.ts"]`) || !strings.Contains(string(config), `"strict": true`) {
		t.Errorf("tsconfig.json is %s, %v", config, err)
	}

	again := newBench(t, "validate", "--types", "--json")
	again.Dir = filepath.Join(b.Dir, "demo")
	again.want(t, ExitOK, `"ok": true`, "demo: types are as they should be\n")

	write(t, filepath.Join(again.Dir, "types/bdk/tools.d.ts"), "mine")
	write(t, filepath.Join(again.Dir, "package.json"), `{"devDependencies":{"@types/node":"22"}}`)
	again.want(t, ExitOK, "", "demo: types were written: types/bdk (2 files)\n")
	globals, err := os.ReadFile(filepath.Join(again.Dir, "types/bdk/globals.d.ts"))
	if err != nil || strings.Contains(string(globals), "declare") {
		t.Errorf("globals.d.ts is %s, %v", globals, err)
	}

	write(t, filepath.Join(again.Dir, "tsconfig.json"), "[]")
	again.want(t, ExitFailed, "", `tsconfig.json: line 1: an object is expected here; add to compilerOptions.paths yourself: "@cursor/bdk": ["./types/bdk/index.d.ts"]`)
}

// Each field of an event's data is declared, and optional where the log may leave it out.
func TestTypes_HaveEveryFieldOfAnEvent(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("types/bdk/_events.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?m)^  "([a-z.]+)": `)
	at := blocks.FindAllStringSubmatchIndex(string(text), -1)
	for i, m := range at {
		end := strings.Index(string(text[m[1]:]), "\n}")
		if i+1 < len(at) {
			end = at[i+1][0] - m[1]
		}
		name, block := string(text[m[2]:m[3]]), string(text[m[1]:m[1]+end])
		if strings.HasPrefix(block, "OfSubagent &") {
			block += " parentCallId?: string;"
		}
		e, err := events.Decode([]byte(`{"type":"` + name + `","index":0,"sessionId":"s","at":"2026-01-02T03:04:05.000Z","data":{}}`))
		if err != nil {
			t.Fatal(name, err)
		}
		data := reflect.TypeOf(e.Data).Elem()
		for f := range data.NumField() {
			tag, options, _ := strings.Cut(data.Field(f).Tag.Get("json"), ",")
			want := tag + ":"
			if options == "omitempty" {
				want = tag + "?:"
			}
			if !strings.Contains(block, want) {
				t.Errorf("%s is declared without %s", name, want)
			}
		}
	}
}
