package project

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// A loader makes one agent of one place.
type loader struct {
	place   Place
	options *Options
	// slugs are those of all projects that are loaded together.
	slugs  []string
	report *report
	layout *layout
	env    map[string]string
	agent  *agent.Agent
	// subagents are being made, by their names.
	subagents map[string]*subagentLoader
	// skillFrom is the file of each skill.
	skillFrom map[*agent.Skill]string
	// runtime is nil when the project has no TypeScript that loads.
	runtime *script.Runtime
	// mounts are what the project mounts, in the order of their namespaces.
	mounts []*mount
	// ns is set in the loader of an extension, and of what lies over one: its agent
	// holds what they bring, under short names.
	ns string
	// prefix begins the ids of its modules.
	prefix string
	// toolMount is what a tool of the extension needs in a process of its own.
	toolMount *toolMount
	// disables are the files that take a contribution away; only over an extension.
	disables []disabled
}

// loadPlace loads one project. Its error is that of ctx, or of closing the VMs
// of a check.
func loadPlace(ctx context.Context, p Place, slugs []string, o *Options) (*agent.Agent, error) {
	l := &loader{place: p, options: o, slugs: slugs, report: &report{}, subagents: map[string]*subagentLoader{}, skillFrom: map[*agent.Skill]string{}}
	l.agent = &agent.Agent{Slug: p.Slug, Name: p.Slug, Dir: p.Dir}
	checkSlug(l.report, p.Slug)
	l.checkOtherRoot()
	l.layout = discover(p.Dir, p.Root, l.report)
	if name := packageName(l.report, p.Dir); name != "" {
		l.agent.Name = name
	}
	l.env = environment(l.report, p.Dir, o)
	l.agent.Instructions = l.rootInstructions()
	l.checkScripted()
	if err := l.modules(ctx); err != nil {
		return nil, err
	}
	l.githubHost()
	l.slackHost()
	l.gather()
	l.mountAll()
	l.agent.Diagnostics = l.report.sorted()
	return l.agent, l.settle()
}

// checkOtherRoot warns of an agent/ folder that bot/ hides.
func (l *loader) checkOtherRoot() {
	for _, root := range roots {
		if root != l.place.Root && !discover(l.place.Dir, root, nil).empty() {
			l.report.add(ruleTwoRoots, place{File: root}, "the folder is not read, since "+l.place.Root+"/ is there too",
				"move what is in "+root+"/ into "+l.place.Root+"/")
		}
	}
}

// settle leaves the runtime to the agent, or closes it where only the check was wanted.
func (l *loader) settle() error {
	if l.runtime == nil {
		return nil
	}
	if l.options.CheckOnly {
		return l.runtime.Close()
	}
	l.agent.Close = l.runtime.Close
	return nil
}

// modules runs the TypeScript of the project and reads what it exports.
func (l *loader) modules(ctx context.Context) error {
	if err := l.findMounts(ctx); err != nil {
		return err
	}
	parts := append(l.mountParts(), l.parts()...)
	for _, mt := range l.mounts {
		parts = append(parts, mt.parts()...)
	}
	if len(parts) == 0 {
		return ctx.Err()
	}
	files, byID := make([]script.Module, len(parts)), make(map[string]part, len(parts))
	for i, p := range parts {
		files[i] = script.Module{ID: p.id, File: l.absolute(p.file), Mount: p.ns}
		byID[p.id] = p
	}
	o := l.scriptOptions(files)
	for _, mt := range l.mounts {
		o.Mounts = append(o.Mounts, mt.scriptMount())
	}
	rt, err := script.Load(ctx, o)
	if ctx.Err() != nil {
		if rt != nil {
			_ = rt.Close()
		}
		return ctx.Err()
	}
	if err != nil {
		l.report.add(ruleModuleLoad, place{File: l.place.Root}, "none of the TypeScript could be loaded: "+err.Error(), "mend what the message names")
		return nil
	}
	l.runtime = rt
	for _, mt := range l.mounts {
		mt.brought.runtime, mt.over.runtime = rt, rt
	}
	for _, m := range rt.Loaded() {
		l.module(m, byID[m.ID])
	}
	return nil
}

// scriptOptions are those of every runtime of the project.
func (l *loader) scriptOptions(files []script.Module) *script.Options {
	return &script.Options{
		Dir:       l.place.Dir,
		Modules:   files,
		Env:       l.env,
		CacheDir:  l.options.CacheDir,
		Workers:   max(1, l.options.Workers),
		CheckOnly: l.options.CheckOnly,
		Logger:    l.options.Logger,
	}
}

// module takes in what one file exports.
func (l *loader) module(m script.Loaded, p part) {
	if m.Err != nil {
		l.loadFault(p.file, m.Err)
		return
	}
	p.take(m, openSource(l.place.Dir, p.file))
}

// thrownIn names the place in a package where an error arose, which its own place,
// in the project, does not tell.
func thrownIn(e *script.Error) string {
	first, _, _ := strings.Cut(e.Stack, "\n")
	_, at, found := strings.Cut(first, " (")
	i := strings.LastIndex(at, "node_modules/")
	if !found || i < 0 || strings.Contains(e.File, "node_modules/") {
		return ""
	}
	return " (thrown in " + strings.TrimSuffix(at[i:], ")") + ")"
}

// loadFault reports a file that does not compile, or throws while it loads. Its
// place may lie in another file, which the first one imports.
func (l *loader) loadFault(file string, e *script.Error) {
	at := place{file, max(1, e.Line), e.Column}
	if field, _, _ := strings.Cut(e.Message, " "); e.Line == 0 && strings.HasSuffix(field, "Schema") {
		at = openSource(l.place.Dir, file).field(field)
	}
	said := e.Message + thrownIn(e)
	message := "the file did not load: " + said
	if other := path.Clean(filepath.ToSlash(e.File)); e.File != "" && other != file {
		at.File = other
		message = file + " did not load: " + said
	}
	if at.File == manifestFile && l.report.has(rulePackageJSON) {
		return // said once, and not for each file that it keeps from loading
	}
	fix := cmp.Or(e.Fix, forgotten(e.Message))
	if fix == "" {
		fix = "mend it; the rest of the project is loaded without " + file
	}
	if e.Code == script.CodeSettings {
		l.report.add(ruleExtensionSettings, at, said, "give the extension the settings that it asks for; nothing of it is mounted without them")
		return
	}
	l.report.add(ruleModuleLoad, at, message, fix)
}
