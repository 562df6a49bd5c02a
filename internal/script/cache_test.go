package script

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// "Bundles are cached by content under the state root."
func TestCache_HoldsOnlyWhatIsWholeAndFresh(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := write(t, map[string]string{"tools/x.ts": `import { v } from "../lib/v.js"; export default { execute() { return v } }`, "lib/v.ts": "export const v = 1"}, func(o *Options) { o.CacheDir = dir })
	c := newCache(p.o.EnsureDefaults())
	again := func(want string, hit bool) {
		t.Helper()
		if _, ok := c.read(); ok != hit {
			t.Errorf("hit %v", ok)
		}
		p.open()
		p.want("x", "{}", want)
	}
	again("1", false)
	again("1", true)
	p.write("lib/v.ts", "export const v = 2")
	again("2", false)
	p.write("lib/v.js", "export const v = 3") // Node would take this one
	again("3", false)
	text, err := os.ReadFile(c.file)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(c.file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	again("3", false)
	if left, _ := filepath.Glob(filepath.Join(dir, "new-*")); len(left) > 0 {
		t.Error(left)
	}
}

// Starts at the same time share a folder: each gets a whole bundle, whoever was first.
func TestCache_ManyStartsAtOnce(t *testing.T) {
	t.Parallel()
	p := write(t, map[string]string{"tools/x.ts": `export default { execute: () => 1 }`}, func(o *Options) { o.CacheDir = t.TempDir() })
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			rt, err := Load(t.Context(), p.o)
			if err != nil {
				t.Error(err)
				return
			}
			defer rt.Close()
			if l := rt.Loaded()[0]; l.Err != nil || l.Kind != "value" {
				t.Errorf("%s %v", l.Kind, l.Err)
			}
		})
	}
	group.Wait()
	if _, ok := newCache(p.o.EnsureDefaults()).read(); !ok {
		t.Error("nothing that holds was left in the cache")
	}
}

// The folder does not grow for ever: what was not used for longest goes, and what a
// killed start left; others' files stay.
func TestCache_IsBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := &cache{dir: dir, file: filepath.Join(dir, "bundle-own")}
	now := time.Now()
	put := func(name string, size int, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	left := func() string {
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		for i := range names {
			names[i] = filepath.Base(names[i])
		}
		return fmt.Sprint(names)
	}
	put("bundle-own", 10, time.Hour)
	put("bundle-a", 10, time.Minute)
	put("bundle-b", 10, 2*time.Minute)
	put("bundle-c", 10, 3*time.Minute)
	put("new-old", 10, 2*time.Hour)
	put("new-now", 10, 0)
	put("other", 10, 9*time.Hour)
	c.trim(3, 1000)
	if got := left(); got != "[bundle-a bundle-b bundle-c bundle-own new-now other]" {
		t.Errorf("by number: %s", got)
	}
	c.trim(10, 25)
	if got := left(); got != "[bundle-a bundle-b bundle-own new-now other]" {
		t.Errorf("by size: %s", got)
	}
}

// An entry that is no whole one is built anew: cut short, empty, another's, a folder.
func TestCache_WhatIsBrokenIsBuiltAnew(t *testing.T) {
	t.Parallel()
	p := write(t, map[string]string{"tools/x.ts": `export default { execute: () => 1 }`}, func(o *Options) { o.CacheDir = t.TempDir() })
	p.open()
	c := newCache(p.o.EnsureDefaults())
	whole, err := os.ReadFile(c.file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"empty": {}, "short": whole[:20], "cut": whole[:len(whole)-1], "longer": append(append([]byte{}, whole...), 1), "text": []byte("not a bundle at all, but long enough to have a hash")} {
		if err := os.WriteFile(c.file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.read(); ok {
			t.Errorf("%s was taken", name)
		}
		p.open()
		p.want("x", "{}", "1")
		if _, ok := c.read(); !ok {
			t.Errorf("%s was not replaced", name)
		}
	}
	if err := os.Remove(c.file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(c.file, 0o700); err != nil {
		t.Fatal(err)
	}
	p.open()
	p.want("x", "{}", "1")
}

// What decides where an import leads may lie outside of the project, and may be new.
func TestCache_SeesWhereImportsLead(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(p *project){
		"the package.json of a linked package": func(p *project) {
			p.write("../linked/package.json", `{"name":"linked","type":"module","exports":"./two.js"}`)
		},
		"a package that is nearer": func(p *project) {
			p.write("node_modules/far/package.json", `{"name":"far","type":"module","exports":"./index.js"}`)
			p.write("node_modules/far/index.js", `export const far = "near";`)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := write(t, map[string]string{
				"tools/x.ts": `import { n } from "linked"; import { far } from "far"; export default { execute: () => [n, far] };`,
			}, func(o *Options) {
				o.CacheDir = t.TempDir()
				root := filepath.Join(o.Dir, "project")
				for i := range o.Modules {
					o.Modules[i].File = strings.Replace(o.Modules[i].File, o.Dir, root, 1)
				}
				if err := errors.Join(os.Mkdir(root, 0o755), os.Rename(filepath.Join(o.Dir, "tools"), filepath.Join(root, "tools")), os.Mkdir(filepath.Join(o.Dir, "node_modules"), 0o755),
					os.Symlink("../linked", filepath.Join(o.Dir, "node_modules/linked"))); err != nil {
					t.Fatal(err)
				}
				o.Dir = root
			})
			p.write("../linked/package.json", `{"name":"linked","type":"module","exports":"./one.js"}`)
			p.write("../linked/one.js", `export const n = 1;`)
			p.write("../linked/two.js", `export const n = 2;`)
			p.write("../node_modules/far/package.json", `{"name":"far","type":"module","exports":"./index.js"}`)
			p.write("../node_modules/far/index.js", `export const far = "far";`)
			p.open()
			p.want("x", "{}", `[1,"far"]`)
			if _, hit := newCache(p.o.EnsureDefaults()).read(); !hit {
				t.Fatal("the bundle is not in the cache")
			}
			change(p)
			if _, hit := newCache(p.o.EnsureDefaults()).read(); hit {
				t.Error("the bundle of before is taken")
			}
		})
	}
}
