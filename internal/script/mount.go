package script

import (
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A Mount is an extension that is mounted under a namespace. Its own modules are
// made once for it, so that two mounts of one package have two of each; what they
// import from elsewhere, they share with the project.
type Mount struct {
	Namespace string
	// Own are the absolute paths of files and folders whose modules are its own: the
	// package's folder, and the files that mount it and lie over it.
	Own []string
}

// mountMark comes between the path of a file and the namespace of the mount whose own it is.
const mountMark = "?bdk-mount="

// withoutMount is the path of a file without the mount that it is told apart by.
func withoutMount(file string) string {
	if i := strings.LastIndex(file, mountMark); i >= 0 {
		return file[:i]
	}
	return file
}

// owns says whether a file is the mount's own. Packages that a package brings along
// are not.
func (m *Mount) owns(file string) bool {
	for _, own := range m.Own {
		rest, inside := strings.CutPrefix(file, own)
		if inside && (rest == "" || rest[0] == filepath.Separator && !strings.Contains(rest, string(filepath.Separator)+"node_modules"+string(filepath.Separator))) {
			return true
		}
	}
	return false
}

// mount gives the mount of a namespace, nil for none.
func (o *Options) mount(ns string) *Mount {
	for i := range o.Mounts {
		if ns != "" && o.Mounts[i].Namespace == ns {
			return &o.Mounts[i]
		}
	}
	return nil
}

// mountPrefix begins what the entry of a bundle calls a module of a mount.
const mountPrefix = "bdk-mount:"

// specifier is what the entry of a bundle calls a module.
func (o *Options) specifier(m Module) string {
	if o.mount(m.Mount) == nil {
		return filepath.ToSlash(m.File)
	}
	return mountPrefix + m.Mount + ":" + filepath.ToSlash(m.File)
}

// suffix tells a module of a mount apart from the same file of another.
func (o *Options) suffix(m Module) string {
	if mount := o.mount(m.Mount); mount != nil && mount.owns(m.File) {
		return mountMark + m.Mount
	}
	return ""
}

// asking marks the resolution that a mount's own asks for, whose answer it marks.
type asking struct{}

// mountModules tells the modules of a mount apart from those of other mounts. Its
// files know the mount that they were reached from by their plugin data.
func mountModules(o *Options, b api.PluginBuild) {
	b.OnResolve(api.OnResolveOptions{Filter: "^" + mountPrefix}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		ns, file, _ := strings.Cut(strings.TrimPrefix(a.Path, mountPrefix), ":")
		file = filepath.FromSlash(file)
		return api.OnResolveResult{Path: file, Namespace: "file", Suffix: o.suffix(Module{File: file, Mount: ns}), PluginData: o.mount(ns)}, nil
	})
	b.OnResolve(api.OnResolveOptions{Filter: ".*", Namespace: "file"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		m, ok := a.PluginData.(*Mount)
		if !ok {
			return api.OnResolveResult{}, nil
		}
		r := b.Resolve(a.Path, api.ResolveOptions{Importer: a.Importer, Namespace: a.Namespace, ResolveDir: a.ResolveDir, Kind: a.Kind, PluginData: asking{}, With: a.With})
		if len(r.Errors) > 0 || r.External || r.Namespace != "file" || !m.owns(r.Path) {
			return api.OnResolveResult{}, nil // resolved once more, as everybody's
		}
		found := api.OnResolveResult{Path: r.Path, Namespace: "file", Suffix: mountMark + m.Namespace, PluginData: m}
		if !r.SideEffects {
			found.SideEffects = api.SideEffectsFalse
		}
		return found, nil
	})
}
