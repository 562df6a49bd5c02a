package script

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/gobdk/bdk/internal/plainfile"
)

// metaDefines replaces import.meta by an object that loadMeta makes for each file:
// the bundle runs as a script, which has none.
var metaDefines = map[string]string{"import.meta": "__bdk_meta"}

var (
	packageNames  = regexp.MustCompile(`^(?:@cursor/bdk|@cursor/july|@grok/agent-sdk)(/.*)?$`)
	packageInside = regexp.MustCompile(`(?:^|[/\\])node_modules[/\\](?:@cursor[/\\](?:bdk|july)|@grok[/\\]agent-sdk)(?:[/\\]|$)`)
	zodLocales    = regexp.MustCompile(`[/\\]zod[^/\\]*[/\\](?:.*[/\\])?locales[/\\]index\.(js|cjs)$`)
	zodSchemas    = regexp.MustCompile(`[/\\]v4[/\\]core[/\\]schemas\.(js|cjs)$`)
)

// projectPluginName marks the errors of projectPlugin.
const projectPluginName = "bdk-project"

// projectPlugin answers the platform's specifiers and prepares source files.
func projectPlugin(o *Options) api.Plugin {
	return api.Plugin{Name: projectPluginName, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^(@cursor/|@grok/)`}, resolvePlatform)
		b.OnResolve(api.OnResolveOptions{Filter: `node_modules[/\\](@cursor|@grok)`}, refuseInside)
		b.OnResolve(api.OnResolveOptions{Filter: nodeFilter}, resolveNode)
		b.OnResolve(api.OnResolveOptions{Filter: `^undici$`}, resolveUndici)
		b.OnResolve(api.OnResolveOptions{Filter: `^bdk-meta:`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, "bdk-meta:"), Namespace: "bdk-meta"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "bdk-meta"}, loadMeta)
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "bdk-require"}, loadRequire)
		if len(o.Mounts) > 0 {
			mountModules(o, b)
		}
		b.OnLoad(api.OnLoadOptions{Filter: `\.[mc]?[jt]sx?$`, Namespace: "file"}, o.loadSource)
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "file"}, o.loadPlain)
	}}
}

// resolvePlatform answers @cursor/bdk and its other names, also when a copy of
// the package lies in node_modules.
func resolvePlatform(a api.OnResolveArgs) (api.OnResolveResult, error) {
	m := packageNames.FindStringSubmatch(a.Path)
	if m == nil {
		return api.OnResolveResult{}, nil
	}
	name := strings.TrimPrefix(m[1], "/")
	if name == "" {
		name = "index"
	}
	file := "platform/" + name + ".js"
	if _, err := sources.Open("js/" + file); err != nil {
		return api.OnResolveResult{}, unknownEntry(a.Path)
	}
	return api.OnResolveResult{Path: file, Namespace: "bdk"}, nil
}

// unknownEntry tells an inner file of the package from an entry that is not there.
func unknownEntry(path string) error {
	if strings.Contains(path, "/dist/") || strings.Contains(path, "/src/") {
		return fmt.Errorf("%q is an inner file of the package, and this host has its own: import from one of its entries instead (%s)", path, strings.Join(platformEntries(), ", "))
	}
	return fmt.Errorf("the package has no entry %q; it has: %s", path, strings.Join(platformEntries(), ", "))
}

func refuseInside(a api.OnResolveArgs) (api.OnResolveResult, error) {
	if packageInside.MatchString(a.Path) {
		return api.OnResolveResult{}, fmt.Errorf("%q is an inner file of the package, and this host has its own: import from one of its entries instead (%s)", a.Path, strings.Join(platformEntries(), ", "))
	}
	return api.OnResolveResult{}, nil
}

// nodeFilter matches what may be a module of Node, with and without the prefix.
const nodeFilter = `^(node:.*|[a-z_0-9]+(/[a-z_0-9]+)?)$`

// resolveNode answers Node's modules that js/node has. Those that it lacks are
// refused with what to use instead.
func resolveNode(a api.OnResolveArgs) (api.OnResolveResult, error) {
	name := strings.TrimPrefix(a.Path, "node:")
	if !nodeBuiltins[name] && !strings.HasPrefix(a.Path, "node:") {
		return api.OnResolveResult{}, nil
	}
	if strings.HasSuffix(a.Importer, "node_modules") {
		return api.OnResolveResult{}, nil
	}
	file := "node/" + strings.ReplaceAll(name, "/", "_") + ".js"
	if _, err := sources.Open("js/" + file); err != nil {
		return missingNode(a, name)
	}
	if a.Kind == api.ResolveJSRequireCall {
		return api.OnResolveResult{Path: file, Namespace: "bdk-require"}, nil
	}
	return api.OnResolveResult{Path: file, Namespace: "bdk"}, nil
}

// resolveUndici answers the package that other packages take for their fetch.
func resolveUndici(a api.OnResolveArgs) (api.OnResolveResult, error) {
	if a.Kind == api.ResolveJSRequireCall {
		return api.OnResolveResult{Path: "node/_undici.js", Namespace: "bdk-require"}, nil
	}
	return api.OnResolveResult{Path: "node/_undici.js", Namespace: "bdk"}, nil
}

// missingNode refuses a module of Node in the project's own files; in a package
// it throws only when the package really asks for it, since many do so for
// features that nobody uses.
func missingNode(a api.OnResolveArgs, name string) (api.OnResolveResult, error) {
	text := missingNodeText(name)
	if strings.Contains(filepath.ToSlash(a.Importer), "/node_modules/") {
		return api.OnResolveResult{Path: "missing:" + name, Namespace: "bdk-require"}, nil
	}
	return api.OnResolveResult{}, fmt.Errorf("%s", text)
}

func missingNodeText(name string) string {
	if instead := nodeInstead[name]; instead != "" {
		return fmt.Sprintf("node:%s is not part of this runtime: %s", name, instead)
	}
	if nodeBuiltins[name] {
		return fmt.Sprintf("node:%s is not part of this runtime; it has: %s", name, strings.Join(nodeEntries(), ", "))
	}
	return fmt.Sprintf("Node has no module node:%s; this runtime has: %s", name, strings.Join(nodeEntries(), ", "))
}

// loadRequire makes a CommonJS face for require("fs"): the module's default export.
func loadRequire(a api.OnLoadArgs) (api.OnLoadResult, error) {
	text := fmt.Sprintf("module.exports = require(%q).default;", "bdk:"+a.Path)
	if name, missing := strings.CutPrefix(a.Path, "missing:"); missing {
		text = fmt.Sprintf("module.exports = __bdk.missing(%q);", missingNodeText(name))
	}
	return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
}

// loadMeta gives a file its import.meta.
func loadMeta(a api.OnLoadArgs) (api.OnLoadResult, error) {
	place := url.URL{Scheme: "file", Path: filepath.ToSlash(a.Path)}
	text := fmt.Sprintf("export const __bdk_meta = { url: %q, dirname: %q, filename: %q, main: false, resolve: (s) => new URL(s, %[1]q).href };",
		place.String(), filepath.Dir(a.Path), a.Path)
	return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
}

// loadSource reads a file of the project or of a package. What is added stands
// behind the file's own text, so that places stay true.
func (o *Options) loadSource(a api.OnLoadArgs) (api.OnLoadResult, error) {
	if m := zodLocales.FindStringSubmatch(a.Path); m != nil {
		return englishLocale(m[1])
	}
	text, err := plainfile.Read(a.Path)
	if err != nil {
		return api.OnLoadResult{}, o.unreadable(err)
	}
	contents, loader := string(text), loaderOf(a.Path)
	if named, ok := keepNames(a.Path, contents, loader); ok {
		contents, loader = named, api.LoaderJS
	}
	if strings.Contains(contents, "import.meta") {
		contents += fmt.Sprintf("\nimport { __bdk_meta } from %q;", "bdk-meta:"+a.Path)
	} else if strings.Contains(a.Path, "node_modules") && (strings.Contains(contents, "__dirname") || strings.Contains(contents, "__filename")) {
		contents = fmt.Sprintf("var __dirname = %q, __filename = %q; ", filepath.Dir(a.Path), a.Path) + contents
	}
	if m := zodSchemas.FindStringSubmatch(a.Path); m != nil {
		contents += zodHook(m[1])
	}
	return api.OnLoadResult{Contents: &contents, Loader: loader, PluginData: a.PluginData}, nil
}

var classNamed = regexp.MustCompile(`\bclass\s+[A-Za-z_$]`)

// keepNames lets the classes of a project's own file keep their names, which are
// seen where an error's name is that of its class: the bundler gives those that
// speak of themselves another one. It costs each function of such a file a little
// when it is made, so files without classes, and packages, stay as they are.
func keepNames(path, contents string, loader api.Loader) (string, bool) {
	if strings.Contains(path, "node_modules") || !classNamed.MatchString(contents) {
		return "", false
	}
	settings, whole := tsconfigOf(path)
	if !whole {
		return "", false
	}
	r := api.Transform(contents, api.TransformOptions{
		Loader: loader, TsconfigRaw: settings, Sourcefile: filepath.Base(path), Target: api.ES2024, KeepNames: true,
		Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude, LogLevel: api.LogLevelSilent,
	})
	return string(r.Code), len(r.Errors) == 0
}

var tsconfigExtends = regexp.MustCompile(`"extends"\s*:`)

// tsconfigOf is the text of the tsconfig.json that holds for a file, empty for none.
// One that extends another is not whole.
func tsconfigOf(path string) (text string, whole bool) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		found, err := plainfile.Read(filepath.Join(dir, "tsconfig.json"))
		if err == nil {
			return string(found), !tsconfigExtends.Match(found)
		}
		if dir == filepath.Dir(dir) {
			return "", true
		}
	}
}

// zodHook tells the runtime of a Zod 4's own converter, whichever copy of Zod it is.
func zodHook(ext string) string {
	if ext == "cjs" {
		return "\n__bdk.zod4(() => require(\"./index.cjs\").toJSONSchema);"
	}
	return "\nimport { toJSONSchema as __bdk_toJSONSchema } from \"./index.js\";\n__bdk.zod4(() => __bdk_toJSONSchema);"
}

// englishLocale leaves Zod's other fifty languages out, which are half of a bundle.
func englishLocale(ext string) (api.OnLoadResult, error) {
	text := `export { default as en } from "./en.js";`
	if ext == "cjs" {
		text = `exports.en = require("./en.cjs").default;`
	}
	return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
}

func loaderOf(path string) api.Loader {
	switch filepath.Ext(path) {
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	}
	return api.LoaderJS
}
