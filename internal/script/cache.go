package script

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// cacheFormat goes up when the layout of a cache file changes, or how bundles are made.
const cacheFormat = 2

// What a cache folder may hold; the entries that were not used for longest go first.
const (
	cacheEntries = 32
	cacheBytes   = 128 << 20
)

// staleAfter is when a file that was being written counts as left behind.
const staleAfter = time.Hour

// A cache keeps one bundle per set of modules in a folder. An entry is used
// only when every file that went into it still has the same content, and the
// entry itself is whole: it begins with the hash of the rest.
type cache struct {
	dir  string
	file string
	root string
}

// cached is an entry.
type cached struct {
	Built built
	// Seen are the hashes of all inputs, of the package.json and tsconfig.json
	// files around them, and of the listings of the project's folders among them,
	// since a new file can change what an import means.
	Seen map[string]string
}

func newCache(o *Options) *cache {
	if o.CacheDir == "" {
		return &cache{}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %s\n%s\n%s", cacheFormat, versions(), o.Dir, entry(o, o.Modules))
	for _, m := range o.Mounts {
		fmt.Fprintf(h, "%q\n", append([]string{m.Namespace}, m.Own...))
	}
	return &cache{dir: o.CacheDir, root: o.Dir, file: filepath.Join(o.CacheDir, "bundle-"+hex.EncodeToString(h.Sum(nil))[:32])}
}

// versions of everything that makes a bundle what it is: the linked modules and our own sources.
var versions = sync.OnceValue(func() string {
	h := sha256.New()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if strings.Contains(d.Path, "esbuild") || strings.Contains(d.Path, "quickjs") {
				fmt.Fprintln(h, d.Path, d.Version)
			}
		}
		fmt.Fprintln(h, info.Main.Version)
	}
	_ = fs.WalkDir(sources, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := fs.ReadFile(sources, p)
			fmt.Fprintln(h, p, len(text))
			h.Write(text)
		}
		return err
	})
	return hex.EncodeToString(h.Sum(nil))
})

// read gives the bundle of an earlier start, if it still holds.
func (c *cache) read() (*built, bool) {
	if c.dir == "" {
		return nil, false
	}
	text, err := os.ReadFile(c.file)
	if err != nil || len(text) < sha256.Size {
		return nil, false
	}
	sum := sha256.Sum256(text[sha256.Size:])
	if !bytes.Equal(sum[:], text[:sha256.Size]) {
		return nil, false
	}
	var e cached
	if gob.NewDecoder(bytes.NewReader(text[sha256.Size:])).Decode(&e) != nil {
		return nil, false
	}
	for path, want := range e.Seen {
		if hashOf(path) != want {
			return nil, false
		}
	}
	now := time.Now()
	_ = os.Chtimes(c.file, now, now) // it was used: see trim
	return &e.Built, true
}

// write keeps a bundle. A cache that cannot be written is no error.
func (c *cache) write(b *built) {
	if c.dir == "" || os.MkdirAll(c.dir, 0o700) != nil {
		return
	}
	e := cached{Built: *b, Seen: map[string]string{}}
	for _, path := range c.watched(b.Inputs) {
		e.Seen[path] = hashOf(path)
	}
	var body bytes.Buffer
	if gob.NewEncoder(&body).Encode(e) != nil {
		return
	}
	sum := sha256.Sum256(body.Bytes())
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return
	}
	_, err = io.Copy(f, io.MultiReader(bytes.NewReader(sum[:]), &body))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), c.file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	c.trim(cacheEntries, cacheBytes)
}

// trim takes out what is too much, and what a start that was killed left behind. A
// start that reads an entry at that moment has it open, or builds anew.
func (c *cache) trim(entries int, bytes int64) {
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var kept []fs.FileInfo
	for _, f := range files {
		info, err := f.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(f.Name(), "new-") && time.Since(info.ModTime()) > staleAfter:
			os.Remove(filepath.Join(c.dir, f.Name()))
		case strings.HasPrefix(f.Name(), "bundle-"):
			kept = append(kept, info)
		}
	}
	sort.Slice(kept, func(i, j int) bool { return kept[i].ModTime().After(kept[j].ModTime()) })
	for i, info := range kept {
		bytes -= info.Size()
		if name := filepath.Join(c.dir, info.Name()); (i >= entries || bytes < 0) && name != c.file {
			os.Remove(name)
		}
	}
}

// watched are the inputs and what around them decides how imports resolve: a package
// may lie outside of the project, and one that is installed nearer hides another.
func (c *cache) watched(inputs []string) []string {
	seen := map[string]bool{}
	for _, in := range inputs {
		seen[in] = true
		own := !strings.Contains(in, "node_modules")
		for d := filepath.Dir(in); ; d = filepath.Dir(d) {
			seen[filepath.Join(d, "package.json")] = true
			if own {
				seen[filepath.Join(d, "tsconfig.json")] = true
			}
			if own && within(d, c.root) {
				seen[d], seen[filepath.Join(d, "node_modules")] = true, true
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	delete(seen, c.root) // its listing changes with every log and state folder
	paths := make([]string, 0, len(seen))
	for p := range seen {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	return paths
}

// within says whether a path is the folder, or lies below it.
func within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// hashOf is the hash of a file's content or of a folder's names; empty for neither.
func hashOf(path string) string {
	h := sha256.New()
	if entries, err := os.ReadDir(path); err == nil {
		for _, e := range entries {
			fmt.Fprintf(h, "%q\n", e.Name())
		}
		return hex.EncodeToString(h.Sum(nil))
	}
	if checkPlain(path) != nil {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// inputsOf reads the files of a build out of esbuild's metafile.
func inputsOf(dir, metafile string) []string {
	var m struct {
		Inputs map[string]json.RawMessage `json:"inputs"`
	}
	if json.Unmarshal([]byte(metafile), &m) != nil {
		return nil
	}
	var files []string
	for name := range m.Inputs {
		if strings.HasPrefix(name, "bdk") || strings.HasPrefix(name, "<") {
			continue
		}
		name = withoutMount(name)
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		files = append(files, name)
	}
	sort.Strings(files)
	return slices.Compact(files)
}
