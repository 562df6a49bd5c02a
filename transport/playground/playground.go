// Package playground is the page in which people look at an agent: it talks to the
// HTTP API alone and holds no data of its own. Its sources lie under web/, and are
// bundled when they are first asked for.
package playground

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

//go:embed web
var web embed.FS

// An asset is a file that the page loads.
type asset struct {
	mediaType string
	body      []byte
}

// A Site is the bundled page. It is safe for concurrent use.
type Site struct {
	build func() (*built, error)
}

// built is what bundling made: assets by their file names, which change with their
// contents.
type built struct {
	assets        map[string]asset
	script, style string
}

// New gives the site. Nothing is bundled before the first page or asset is asked for.
func New() *Site { return &Site{build: sync.OnceValues(bundle)} }

// policy is the Content-Security-Policy of the page: its own script and style, the API of
// its own origin, previews that it made itself, and no way to write markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; media-src blob:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Policy is the Content-Security-Policy of the page.
func (s *Site) Policy() string { return policy }

// Page gives the HTML of an agent's page. Assets are found under base + "/playground/assets/",
// where base is the path that the agent's routes begin with, such as "/helper"; it may be empty.
func (s *Site) Page(base, title string) ([]byte, error) {
	b, err := s.build()
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = pageTemplate.Execute(&page, struct{ Title, Assets, Script, Style string }{title, base + "/playground/assets/", b.script, b.style})
	return page.Bytes(), err
}

// Asset gives a file by its name, and its media type; ok is false where there is none.
func (s *Site) Asset(name string) (body []byte, mediaType string, ok bool, err error) {
	b, err := s.build()
	if err != nil {
		return nil, "", false, err
	}
	a, ok := b.assets[name]
	return a.body, a.mediaType, ok, nil
}

var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{.Title}}</title>
<link rel="stylesheet" href="{{.Assets}}{{.Style}}">
<script type="module" src="{{.Assets}}{{.Script}}"></script>
</head>
<body>
<noscript>The playground needs JavaScript. The same can be done over HTTP, and with the bdk command.</noscript>
</body>
</html>
`))

// bundle makes the script and the style of the page.
func bundle() (*built, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{"web/main.ts"}, Bundle: true, Write: false, Outdir: "/", Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LogLevel: api.LogLevelSilent, Plugins: []api.Plugin{sources},
	})
	if len(r.Errors) > 0 {
		e := r.Errors[0]
		if e.Location != nil {
			return nil, fmt.Errorf("bundling the playground: %s:%d: %s", e.Location.File, e.Location.Line, e.Text)
		}
		return nil, errors.New("bundling the playground: " + e.Text)
	}
	b := &built{assets: map[string]asset{}}
	for _, f := range r.OutputFiles {
		ending := path.Ext(f.Path)
		name := "playground-" + shortHash(f.Contents) + ending
		switch ending {
		case ".js":
			b.script, b.assets[name] = name, asset{"text/javascript; charset=utf-8", f.Contents}
		case ".css":
			b.style, b.assets[name] = name, asset{"text/css; charset=utf-8", f.Contents}
		}
	}
	return b, nil
}

func shortHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// sources gives esbuild the embedded files.
var sources = api.Plugin{Name: "web", Setup: func(b api.PluginBuild) {
	b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if a.Kind == api.ResolveEntryPoint {
			return api.OnResolveResult{Path: path.Clean(a.Path), Namespace: "web"}, nil
		}
		file := path.Join(path.Dir(a.Importer), a.Path)
		if strings.HasSuffix(file, ".js") {
			file = strings.TrimSuffix(file, ".js") + ".ts"
		}
		return api.OnResolveResult{Path: file, Namespace: "web"}, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "web"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := fs.ReadFile(web, a.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		contents, loader := string(text), api.LoaderTS
		if strings.HasSuffix(a.Path, ".css") {
			loader = api.LoaderCSS
		}
		return api.OnLoadResult{Contents: &contents, Loader: loader}, nil
	})
}}
