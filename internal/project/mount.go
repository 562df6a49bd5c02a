package project

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// extensionFile mounts an extension from a folder, which has what lies over it.
const extensionFile = "extension.ts"

// A mount is a file of extensions/ with what it mounts.
type mount struct {
	item
	// project loads what the mount is part of.
	project *loader
	// brought makes what the extension brings, and over what lies over it.
	brought, over *loader
	// root is the absolute path of the package's folder; empty: it is no package.
	root string
	// description is what the package says of itself.
	description string
	// made is what a vendor's service or a plugin brings, for which no module runs.
	made *agent.Extension
	// replaced are the servers of a plugin that files over it take the place of.
	replaced []string
	// found says that the file, run alone, mounts something, so that what belongs to it
	// is looked at.
	found bool
	// ok says that the file mounts something.
	ok bool
}

// A mounted is what a file of extensions/ exports.
type mounted struct {
	Factory     bool      `json:"$fn"`
	Vendor      string    `json:"vendor"`
	Plugin      *pluginOf `json:"plugin"`
	Root        any       `json:"root"`
	Description string    `json:"description"`
	Fields      []string  `json:"fields"`
}

// findMounts runs the files of extensions/ alone, since what is to be loaded besides is
// only known when they have said where their packages lie. They run again with all else.
func (l *loader) findMounts(ctx context.Context) error {
	s, _ := slotOf(extensionsFolder)
	var files []script.Module
	for _, it := range l.layout.slots[extensionsFolder] {
		if !l.checkName(s, it) || !l.loads(s, it) {
			continue
		}
		mt := l.newMount(it)
		l.mounts = append(l.mounts, mt)
		files = append(files, script.Module{ID: mt.id(), File: l.absolute(it.file)})
	}
	slices.SortFunc(l.mounts, func(x, y *mount) int { return strings.Compare(x.name, y.name) })
	if len(files) == 0 {
		return nil
	}
	o := l.scriptOptions(files)
	o.CheckOnly, o.Workers, o.Logger = true, 1, zerolog.Nop()
	rt, err := script.Load(ctx, o)
	if err != nil {
		return ctx.Err() // what keeps all from loading is said when all is loaded
	}
	for _, m := range rt.Loaded() {
		l.mountOf(m).find(m)
	}
	return rt.Close()
}

func (l *loader) newMount(it item) *mount {
	mt := &mount{item: it, project: l}
	mt.brought, mt.over = l.inner(it.name, ""), l.inner(it.name, "over/")
	if path.Base(it.file) == extensionFile && path.Base(path.Dir(it.file)) == it.name {
		dir := path.Dir(it.file)
		mt.over.place.Root = dir
		mt.over.layout = discoverOverlays(l.place.Dir, dir, l.report)
	}
	return mt
}

// inner is a loader for what is mounted: its agent holds that, under short names.
func (l *loader) inner(ns, below string) *loader {
	return &loader{
		place: l.place, options: l.options, slugs: l.slugs, report: l.report, env: l.env, layout: &layout{}, agent: &agent.Agent{Slug: l.agent.Slug, Dir: l.agent.Dir},
		subagents: map[string]*subagentLoader{}, skillFrom: map[*agent.Skill]string{}, ns: ns, prefix: extensionsFolder + "/" + ns + "/" + below,
	}
}

// id is that of the module which mounts.
func (mt *mount) id() string { return extensionsFolder + "/" + mt.name }

func (l *loader) mountOf(m script.Loaded) *mount {
	for _, mt := range l.mounts {
		if mt.id() == m.ID {
			return mt
		}
	}
	return nil
}

// moduleID is the id of a module of this loader.
func (l *loader) moduleID(id string) string { return l.prefix + id }

// find reads where the package of a mount lies, and what lies in it. What is wrong
// with the mount itself is said when it is loaded with all else.
func (mt *mount) find(m script.Loaded) {
	if m.Err != nil || m.Kind != "extension" {
		return
	}
	var x mounted
	_ = json.Unmarshal(m.Spec, &x) // an extension is an object; anything else mounts nothing
	if x.Plugin != nil || x.Vendor != "" {
		mt.found = true
		return
	}
	root, isText := x.Root.(string)
	if !isText || x.Factory || mt.rootFault(root) != "" {
		return
	}
	mt.root, mt.found = root, true
	b := mt.brought
	b.place.Root = mt.project.shownPath(root)
	b.layout = discoverPackage(b.place.Dir, b.place.Root, b.report)
	b.toolMount = &toolMount{ID: mt.id(), File: mt.project.absolute(mt.file), Mount: mt.scriptMount()}
}

// rootFault says why a folder cannot be that of an extension.
func (mt *mount) rootFault(root string) string {
	info, err := os.Stat(root)
	switch {
	case !filepath.IsAbs(root):
		return "root is " + quote(root) + ", which is no absolute path"
	case err != nil:
		return "root names " + quote(root) + ", which cannot be read: " + cause(err)
	case !info.IsDir():
		return "root names " + quote(root) + ", which is no folder"
	}
	bot, err := filepath.EvalSymlinks(mt.project.absolute(mt.project.place.Root))
	if real, rerr := filepath.EvalSymlinks(root); err == nil && rerr == nil && within(bot, real) {
		return "root names " + quote(root) + ", in which the agent itself lies"
	} else if err == nil && rerr == nil && within(real, filepath.Join(bot, extensionsFolder)) {
		return "root names " + quote(root) + ", which is where extensions are mounted, and not where one lies"
	}
	return ""
}

// within says whether a path is a folder, or lies below it.
func within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(folder, string(filepath.Separator)))
}

// shownPath is a path as seen from the project's folder, with slashes.
func (l *loader) shownPath(file string) string {
	dirs := []string{l.place.Dir}
	if real, err := filepath.EvalSymlinks(l.place.Dir); err == nil && within(file, real) {
		dirs = []string{real}
	}
	rel, err := filepath.Rel(dirs[0], file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// scriptMount says which modules are the mount's own.
func (mt *mount) scriptMount() script.Mount {
	m := script.Mount{Namespace: mt.name}
	own := []string{mt.root, mt.project.absolute(mt.file)}
	if path.Base(mt.file) == extensionFile {
		own = append(own, filepath.Dir(mt.project.absolute(mt.file)))
	}
	for _, file := range own {
		if file == "" {
			continue
		}
		m.Own = append(m.Own, file)
		if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
			m.Own = append(m.Own, real)
		}
	}
	return m
}

// mountParts are the files that mount.
func (l *loader) mountParts() []part {
	list := make([]part, len(l.mounts))
	for i, mt := range l.mounts {
		list[i] = part{id: mt.id(), file: mt.file, ns: mt.name, take: mt.take}
	}
	return list
}

// parts are what the extension brings and what lies over it.
func (mt *mount) parts() []part {
	if !mt.found {
		return nil
	}
	var list []part
	for _, l := range []*loader{mt.brought, mt.over} {
		l.agent.Instructions = l.oneInstructions()
		list = append(list, l.parts()...)
	}
	for _, it := range mt.over.layout.slots[artifactsFolder] {
		id := artifactsFolder + "/" + it.name
		list = append(list, part{mt.over.moduleID(id), it.file, mt.name, mt.over.unlessDisabled(id, func(m script.Loaded, src *source) {
			mt.over.wrongExport(m, src, artifactSlot.want+", or change the kind in "+artifactsFile)
		})})
	}
	return list
}
