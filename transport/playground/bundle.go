package playground

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// An Asset is a file that a page loads.
type Asset struct {
	MediaType string
	Body      []byte
}

// A Bundle is the script, the style and the icon of a page. It is never changed.
type Bundle struct {
	// Assets are by their file names, which change with their contents.
	Assets map[string]Asset
	// Script, Style and Icon name them.
	Script, Style, Icon string
}

// NewBundle makes the bundle of a script and what it imports, style too, and of the icon
// web/icon.svg, out of files alone. The names of its assets begin with name.
func NewBundle(name, script string, files fs.FS) (*Bundle, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{script}, Bundle: true, Write: false, Outdir: "/", Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LogLevel: api.LogLevelSilent, Plugins: []api.Plugin{sources(files)},
	})
	if len(r.Errors) > 0 {
		e := r.Errors[0]
		if e.Location != nil {
			return nil, fmt.Errorf("bundling the %s: %s:%d: %s", name, e.Location.File, e.Location.Line, e.Text)
		}
		return nil, errors.New("bundling the " + name + ": " + e.Text)
	}
	b := &Bundle{Assets: map[string]Asset{}}
	for _, f := range r.OutputFiles {
		ending := path.Ext(f.Path)
		file := name + "-" + shortHash(f.Contents) + ending
		switch ending {
		case ".js":
			b.Script, b.Assets[file] = file, Asset{"text/javascript; charset=utf-8", f.Contents}
		case ".css":
			b.Style, b.Assets[file] = file, Asset{"text/css; charset=utf-8", f.Contents}
		}
	}
	icon, err := fs.ReadFile(files, "web/icon.svg")
	if err != nil {
		return nil, fmt.Errorf("bundling the %s: %w", name, err)
	}
	b.Icon = name + "-" + shortHash(icon) + ".svg"
	b.Assets[b.Icon] = Asset{"image/svg+xml", icon}
	return b, nil
}

func shortHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// sources gives esbuild the files.
func sources(files fs.FS) api.Plugin {
	return api.Plugin{Name: "web", Setup: func(b api.PluginBuild) {
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
			text, err := fs.ReadFile(files, a.Path)
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
}
