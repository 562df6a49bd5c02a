package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/plainfile"
)

// A pluginOf is what cursorPlugin was given.
type pluginOf struct {
	Path      any               `json:"path"`
	Variables map[string]string `json:"variables"`
	// Unset are the variables that were given without a value.
	Unset  []string `json:"unset"`
	Fields []string `json:"fields"`
}

// pluginManifests are where the formats of plugins keep what they say of themselves.
var pluginManifests = []string{".cursor-plugin/plugin.json", ".claude-plugin/plugin.json", "plugin.json"}

// A plugin is a vendored folder on its way to being an extension.
type plugin struct {
	mount *mount
	given *pluginOf
	src   *source
	// root holds the folder, so that nothing outside of it is read; dir is its path on
	// disk, and shown the one as seen from the project's folder.
	root       *os.Root
	dir, shown string
	manifest   pluginManifest
	// asked are the names of placeholders that servers have.
	asked []string
	made  *agent.Extension
}

// A pluginManifest is what of plugin.json is read.
type pluginManifest struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	MCPServers  json.RawMessage `json:"mcpServers"`
	// Commands, Agents and Skills may name other folders.
	Commands json.RawMessage `json:"commands"`
	Agents   json.RawMessage `json:"agents"`
	Skills   json.RawMessage `json:"skills"`
}

// plugin makes an extension of a vendored plugin; nil where its folder is none.
func (mt *mount) plugin(given *pluginOf, src *source) *agent.Extension {
	p := &plugin{mount: mt, given: given, src: src}
	if fault := p.open(); fault != "" {
		mt.project.report.add(rulePluginPath, src.field("path"), fault, "give the path of a plugin's folder in the project, seen from the project's folder")
		return nil
	}
	defer p.root.Close()
	if !p.readManifest() {
		return nil
	}
	p.made = &agent.Extension{Namespace: mt.name, Description: p.manifest.Description, Origin: p.shown, Files: map[string]string{}}
	p.checkLinks()
	p.skills()
	p.commands()
	p.agents()
	p.servers()
	p.checkVariables()
	p.note()
	return p.made
}

// source is the Source of what the plugin brings.
func (p *plugin) source() string { return "plugin:" + p.manifest.Name }

// open finds the folder; neither the path nor a link on it may leave the project.
func (p *plugin) open() (fault string) {
	given, ok := p.given.Path.(string)
	if !ok || strings.TrimSpace(given) == "" {
		return "the plugin has no path"
	}
	local := filepath.FromSlash(given)
	if !filepath.IsLocal(local) || filepath.Clean(local) == "." {
		return "path is " + quote(given) + ", which does not stay in the project"
	}
	project, err := os.OpenRoot(p.mount.project.place.Dir)
	if err != nil {
		return "the project's folder cannot be read: " + cause(err)
	}
	defer project.Close()
	if p.root, err = project.OpenRoot(local); err != nil {
		return "path names " + quote(given) + ", which cannot be read: " + cause(err)
	}
	p.shown = path.Clean(filepath.ToSlash(given))
	p.dir = p.mount.project.absolute(p.shown)
	return ""
}

// at is the place of a file of the plugin.
func (p *plugin) at(name string) place { return place{File: path.Join(p.shown, name)} }

func (p *plugin) fault(rule, name, message, fix string) {
	p.mount.project.report.add(rule, p.at(name), message, fix)
}

// readManifest reads the first of the manifests that is there.
func (p *plugin) readManifest() bool {
	for _, name := range pluginManifests {
		text, ok := p.read(name)
		if text == nil && ok {
			continue
		}
		if !ok {
			return false
		}
		if err := json.Unmarshal(text, &p.manifest); err != nil {
			p.badJSON(rulePluginFile, name, "it is no manifest of a plugin: ", text, err)
			return false
		}
		if p.manifest.Name = strings.TrimSpace(p.manifest.Name); p.manifest.Name == "" {
			p.fault(rulePluginFile, name, "the plugin has no name", "write \"name\" into it")
			return false
		}
		return true
	}
	p.mount.project.report.add(rulePluginPath, p.src.field("path"), "path names "+quote(p.shown)+", which is no plugin: it has none of "+strings.Join(pluginManifests, ", "), "give the folder that has the plugin's manifest")
	return false
}

// read gives a file of the plugin: nil and true where there is none, false after a
// report where it cannot be read.
func (p *plugin) read(name string) ([]byte, bool) {
	text, err := plainfile.ReadIn(p.root, filepath.FromSlash(name))
	switch {
	case err == nil:
		return append([]byte{}, bytes.TrimPrefix(text, []byte("\uFEFF"))...), true
	case errors.Is(err, fs.ErrNotExist):
		return nil, true
	}
	p.unreadable(name, err)
	return nil, false
}

// badJSON reports what is wrong with a file of JSON, and where.
func (p *plugin) badJSON(rule, name, what string, text []byte, err error) {
	at, message := jsonFault(text, err)
	at.File = path.Join(p.shown, name)
	p.mount.project.report.add(rule, at, what+message, "mend the JSON")
}

// unreadable reports a file or folder that cannot be read, or leads out.
func (p *plugin) unreadable(name string, err error) {
	rule, fix := rulePluginFile, "make it a file that you may read, or remove it"
	if p.leavesBy(name) {
		rule, fix = rulePluginPath, "copy what it leads to into the plugin, or remove it"
	}
	p.fault(rule, name, "it cannot be read: "+cause(err), fix)
}

// leavesBy says whether a link at, or above, the name leads out of the plugin.
func (p *plugin) leavesBy(name string) bool {
	real, err := filepath.EvalSymlinks(filepath.Join(p.dir, filepath.FromSlash(name)))
	dir, derr := filepath.EvalSymlinks(p.dir)
	return err == nil && derr == nil && !within(real, dir)
}

// list gives the names in a folder of the plugin, sorted, and of each what it is, links
// followed; what leads out, or is no plain file, is reported and left out.
func (p *plugin) list(folder string) []entry {
	f, err := p.root.Open(filepath.FromSlash(folder))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			p.unreadable(folder, err)
		}
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil // a file in the place of a folder has no names
	}
	slices.Sort(names)
	var found []entry
	for _, name := range names {
		file := path.Join(folder, name)
		info, err := p.root.Stat(filepath.FromSlash(file))
		switch {
		case name == ".DS_Store":
		case err != nil:
			p.unreadable(file, err)
		case !info.IsDir() && !info.Mode().IsRegular():
			p.fault(rulePluginFile, file, "it is no plain file", "remove it")
		default:
			found = append(found, entry{name, info.IsDir(), info.Mode().IsRegular(), info.Size()})
		}
	}
	return found
}

// checkLinks refuses links at the top of the plugin that lead out of it.
func (p *plugin) checkLinks() { p.list(".") }

// note says what of the plugin is not mounted.
func (p *plugin) note() {
	for _, part := range []struct{ folder, says string }{
		{"rules", "its rules are not mounted: write what matters of them into instructions"},
		{"hooks", "its hooks are not mounted: observe with a hook of the project, and gate tools with needsApproval"},
	} {
		if len(p.list(part.folder)) > 0 {
			p.made.Notes = append(p.made.Notes, part.says)
		}
	}
	for name, given := range map[string]json.RawMessage{"commands": p.manifest.Commands, "agents": p.manifest.Agents, "skills": p.manifest.Skills} {
		var folder string
		if len(given) > 0 && (json.Unmarshal(given, &folder) != nil || path.Clean(folder) != name) {
			p.made.Notes = append(p.made.Notes, "the "+name+" that its manifest names are not mounted: those of its folder "+name+"/ are")
		}
	}
	slices.Sort(p.made.Notes)
}
