package script

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// platformEntries are the specifiers of the package that the host answers.
var platformEntries = sync.OnceValue(func() []string {
	var names []string
	_ = fs.WalkDir(sources, "js/platform", func(p string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(d.Name(), "_")
		if err == nil && hidden && d.IsDir() {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || hidden {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(p, "js/platform/"), ".js")
		names = append(names, strings.TrimSuffix("@cursor/bdk/"+name, "/index"))
		return nil
	})
	sort.Strings(names)
	return names
})

// nodeEntries are the modules of Node that the runtime has.
var nodeEntries = sync.OnceValue(func() []string {
	var names []string
	files, _ := fs.ReadDir(sources, "js/node")
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), "_") {
			names = append(names, nodeSpecifier(f.Name()))
		}
	}
	sort.Strings(names)
	return names
})

// nodeSpecifier is what a file of js/node is imported as: of fs_promises.js, node:fs/promises.
func nodeSpecifier(file string) string {
	name := strings.TrimSuffix(path.Base(file), ".js")
	if !nodeBuiltins[name] {
		name = strings.Replace(name, "_", "/", 1)
	}
	return "node:" + name
}

// exportsOf lists the names that a file of js/ exports, for the text of an error.
func exportsOf(file string) []string {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{"bdk:" + file}, Bundle: true, Write: false, Outdir: "/", Metafile: true, Format: api.FormatESModule,
		LogLevel: api.LogLevelSilent, Plugins: []api.Plugin{sourcesPlugin},
	})
	var m struct {
		Outputs map[string]struct {
			Exports []string `json:"exports"`
		} `json:"outputs"`
	}
	if json.Unmarshal([]byte(r.Metafile), &m) != nil {
		return nil
	}
	var names []string
	for _, out := range m.Outputs {
		names = append(names, slices.DeleteFunc(out.Exports, func(n string) bool { return n == "default" })...)
	}
	sort.Strings(names)
	return names
}

// nodeBuiltins are the modules that Node itself has, so that one without the
// prefix is told from a package.
var nodeBuiltins = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`assert assert/strict async_hooks buffer child_process cluster console constants
		crypto dgram diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector
		inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring readline
		readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys timers
		timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib`) {
		m[name] = true
	}
	return m
}()

// nodeInstead says what to use where the runtime lacks a module.
var nodeInstead = map[string]string{
	"http2":          "use the global fetch",
	"tls":            "use the global fetch",
	"dgram":          "use node:child_process for a tool that speaks the protocol",
	"dns":            "use the global fetch with the name itself",
	"worker_threads": "start bdk with --script-workers, or use node:child_process",
	"cluster":        "start bdk with --script-workers",
	"sqlite":         "use ctx.host.kv, or node:child_process with the sqlite3 command",
	"test":           "tests run under Node; keep them in *.test.ts, which bdk does not load",
	"vm":             "import the code as a module",
	"async_hooks":    "pass what a function needs as an argument",
	"inspector":      "use console, whose lines are in the host's log",
	"v8":             "use structuredClone or JSON",
}
