package project

import (
	"cmp"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/plainfile"
	"github.com/gobdk/bdk/internal/script"
)

// extensionOptions and pluginOptions are those of defineExtension and cursorPlugin.
var (
	extensionOptions = []string{"root", "description", "config"}
	pluginOptions    = []string{"path", "variables"}
)

// take takes in what the file of a mount exports.
func (mt *mount) take(m script.Loaded, src *source) {
	l := mt.project
	var x mounted
	_ = json.Unmarshal(m.Spec, &x) // what is no object mounts nothing
	s, _ := slotOf(extensionsFolder)
	switch {
	case m.Kind != "extension":
		l.wrongExport(m, src, s.want)
		return
	case x.Factory:
		l.report.add(ruleExport, src.export(), "the default export is the extension itself, which was given no settings", "call it: export default "+mt.name+"({...}), or "+mt.name+"() where it takes none")
		return
	case x.Vendor != "":
		mt.made = l.vendorExtension(mt.name, x.Vendor, src)
	case x.Plugin != nil:
		mt.unknown(x.Plugin.Fields, pluginOptions, src)
		mt.made = mt.plugin(x.Plugin, src)
	default:
		mt.unknown(x.Fields, extensionOptions, src)
		mt.description = x.Description
		root, isText := x.Root.(string)
		fault := "root is missing"
		if isText {
			fault = mt.rootFault(root)
		}
		if fault != "" {
			l.report.add(ruleExtensionRoot, src.export(), fault, "write root: import.meta.dirname in the extension.ts of a package, which has a folder of its own")
			return
		}
	}
	mt.ok = mt.made != nil || mt.root != ""
}

func (mt *mount) unknown(given, known []string, src *source) {
	for _, name := range given {
		if slices.Contains(known, name) {
			continue
		}
		fix := "remove it; the options are " + strings.Join(known, ", ")
		if near, ok := nearest(name, known); ok {
			fix = "did you mean " + near + "?"
		}
		mt.project.report.add(ruleExtensionUnknown, src.export(), name+" is not an option that is known here, so it does nothing", fix)
	}
}

// mountAll mounts what loaded, in the order of the namespaces.
func (l *loader) mountAll() {
	for _, mt := range l.mounts {
		if !mt.ok {
			continue
		}
		mt.brought.gatherSlots()
		mt.over.gatherSlots()
		e := mt.made
		if e == nil {
			e = mt.extension()
		}
		overlays := mt.overlays(e)
		mt.dropReplaced(e, overlays)
		for _, fault := range faultsOf(l.agent.Mount(e, overlays...)) {
			mt.report(fault, e, overlays)
		}
	}
	if len(l.mounts) > 0 {
		l.checkMountedSeeds()
	}
}

// checkMountedSeeds holds the files of all mounts and of the project together against
// what a workspace takes.
func (l *loader) checkMountedSeeds() {
	from := map[string]string{}
	for _, m := range l.agent.Mounts {
		for _, c := range m.Contributions {
			if c.Slot == agent.SlotSeeds {
				from[c.Name] = c.File
			}
		}
	}
	at := func(name string) place {
		return place{File: cmp.Or(from[name], path.Join(l.layout.seeds, name))}
	}
	seeds := slices.DeleteFunc(l.agent.Seeds, func(f agent.SeedFile) bool { return l.inSkill(f.Path, at(f.Path)) })
	l.agent.Seeds = l.placeable(seeds, "", at)
}

// dropReplaced takes out the servers that a file was to take the place of, and did not
// since it does not load: half a server is not mounted.
func (mt *mount) dropReplaced(e *agent.Extension, overlays []agent.Overlay) {
	e.Connections = slices.DeleteFunc(e.Connections, func(c *agent.Connection) bool {
		return slices.Contains(mt.replaced, c.Name) && !slices.ContainsFunc(overlays, func(o agent.Overlay) bool {
			return o.Slot == agent.SlotConnections && o.Name == c.Name
		})
	})
}

// faultsOf takes apart what Mount says.
func faultsOf(err error) (faults []*agent.MountFault) {
	for _, err := range joined(err) {
		var f *agent.MountFault
		if errors.As(err, &f) {
			faults = append(faults, f)
		}
	}
	return faults
}

// report says where in the project a fault of the mount lies.
func (mt *mount) report(f *agent.MountFault, e *agent.Extension, overlays []agent.Overlay) {
	rule, file := ruleExtensionName, cmp.Or(e.Files[f.Slot+"/"+f.Name], mt.file)
	what := f.Slot + "/" + f.Name + " of " + mt.name + ": "
	switch {
	case f.Overlay:
		rule, what = ruleExtensionOverlay, ""
		for _, o := range overlays {
			if o.Slot == f.Slot && o.Name == f.Name {
				file = o.File
			}
		}
	case f.Slot == agent.SlotSeeds:
		rule, what = ruleExtensionSeed, ""
	case f.Slot == "":
		what, file = "", mt.file
	}
	mt.project.report.add(rule, top(file), what+f.Message, f.Fix)
}

// extension is what the package brings.
func (mt *mount) extension() *agent.Extension {
	b := mt.brought
	a := b.agent
	e := &agent.Extension{
		Namespace: mt.name, Description: mt.description, Origin: mt.origin(),
		Instructions: a.Instructions, InstructionsFor: a.InstructionsFor,
		Tools: a.Tools, Skills: a.Skills, Hooks: a.Hooks, Channels: a.Channels, Schedules: a.Schedules, Subagents: a.Subagents, Connections: a.Connections,
		Seeds: a.Seeds, Files: b.files(),
	}
	if a.Artifacts != nil {
		e.Artifacts = a.Artifacts.Kinds
		if a.Artifacts.AgentTool || a.Artifacts.Max != agent.DefaultMaxArtifacts {
			b.report.add(ruleExtensionIgnored, top(b.layout.artifacts), "agentTool and max are not mounted: they are the agent's to decide", "remove them; the kinds are mounted")
		}
	}
	return e
}

// origin is the name of the package, else its folder.
func (mt *mount) origin() string {
	for dir := mt.root; !within(mt.project.place.Dir, dir); dir = filepath.Dir(dir) {
		text, err := plainfile.Read(filepath.Join(dir, manifestFile))
		if err != nil {
			continue
		}
		var p struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(text, &p) == nil && p.Name != "" {
			return p.Name
		}
		break
	}
	return mt.brought.place.Root
}

// files says where what was made of this loader's files comes from, by slot and name.
func (l *loader) files() map[string]string {
	files := map[string]string{}
	for folder, items := range l.layout.slots {
		for _, it := range items {
			files[folder+"/"+it.name] = it.file
		}
	}
	for k, file := range l.skillFrom {
		files[skillsFolder+"/"+k.Name] = file
	}
	if l.agent.Artifacts != nil {
		for kind := range l.agent.Artifacts.Kinds {
			files[agent.SlotArtifacts+"/"+kind] = l.layout.artifacts
		}
	}
	for _, s := range l.agent.Seeds {
		files[agent.SlotSeeds+"/"+s.Path] = path.Join(l.layout.seeds, s.Path)
	}
	if forms := l.layout.instructions.forms(); len(forms) > 0 {
		files[agent.SlotInstructions+"/"] = forms[0]
	}
	return files
}
