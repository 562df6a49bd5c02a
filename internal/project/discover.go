package project

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A discovery walks one root folder.
type discovery struct {
	dir    string
	root   string
	report *report
	layout layout
	// packaged says that it is the package of an extension, which may be built.
	packaged bool
	// over says that it is what lies over an extension.
	over bool
}

// discover says what lies in dir/root. The report may be nil.
func discover(dir, root string, r *report) *layout {
	d := newDiscovery(dir, root, r)
	for _, e := range d.entries(root) {
		if e.dir {
			d.folder(e.name)
			continue
		}
		d.file(e.name)
	}
	return &d.layout
}

func newDiscovery(dir, root string, r *report) *discovery {
	d := &discovery{dir: dir, root: root, report: r}
	d.layout.slots, d.layout.subagents = map[string][]item{}, map[string]instructionFiles{}
	return d
}

type entry struct {
	name string
	dir  bool
	// plain says that it is a file with content, and no device or pipe.
	plain bool
	size  int64
}

// entries lists a folder by name, links followed, without what is skipped everywhere
// and, with a report, what cannot be read like a file: a pipe, a device.
func (d *discovery) entries(rel string) []entry {
	return slices.DeleteFunc(d.allEntries(rel), func(e entry) bool {
		if skipped(e.name) || e.dir || e.plain {
			return skipped(e.name)
		}
		d.report.add(ruleUnreadable, place{File: path.Join(rel, e.name)}, "it is no plain file", "put a file in its place, or remove it")
		return true
	})
}

// maxNested is how deep folders may lie in one another, so that links that lead to
// each other end.
const maxNested = 24

func (d *discovery) allEntries(rel string) []entry {
	if strings.Count(rel, "/") > maxNested {
		d.report.add(ruleUnreadable, place{File: rel}, "the folder is nested too deeply", "move it up, or remove the link that leads back to a folder above it")
		return nil
	}
	found, err := os.ReadDir(filepath.Join(d.dir, filepath.FromSlash(rel)))
	if err != nil {
		if !os.IsNotExist(err) {
			d.report.add(ruleUnreadable, place{File: rel}, "the folder cannot be read: "+cause(err), "check its permissions")
		}
		return nil
	}
	var list []entry
	for _, e := range found {
		if e.Name() == modulesFolder {
			continue
		}
		file := path.Join(rel, e.Name())
		info, err := os.Stat(filepath.Join(d.dir, filepath.FromSlash(file)))
		if err != nil {
			if !skipped(e.Name()) {
				d.report.add(ruleUnreadable, place{File: file}, "it cannot be read: "+cause(err), "check where the link leads, or remove it")
			}
			continue
		}
		if e.Type()&os.ModeSymlink != 0 && info.IsDir() && d.leadsBack(rel, file) {
			d.report.add(ruleUnreadable, place{File: file}, "the link leads back to a folder that it lies in", "remove it")
			continue
		}
		list = append(list, entry{e.Name(), info.IsDir(), info.Mode().IsRegular(), info.Size()})
	}
	return list
}

// leadsBack says whether a link in the folder rel leads to that folder or one above it.
func (d *discovery) leadsBack(rel, link string) bool {
	target, err := filepath.EvalSymlinks(filepath.Join(d.dir, filepath.FromSlash(link)))
	if err != nil {
		return true
	}
	here, err := filepath.EvalSymlinks(filepath.Join(d.dir, filepath.FromSlash(rel)))
	return err != nil || here == target || strings.HasPrefix(here, strings.TrimSuffix(target, string(filepath.Separator))+string(filepath.Separator))
}

const modulesFolder = "node_modules"

var skippedEndings = []string{".test.ts", ".spec.ts", ".d.ts"}

// skipped says what no slot ever reads.
func skipped(name string) bool {
	if strings.HasPrefix(name, ".") || name == modulesFolder {
		return true
	}
	return slices.ContainsFunc(skippedEndings, func(end string) bool { return strings.HasSuffix(name, end) })
}

func (d *discovery) file(name string) {
	file := path.Join(d.root, name)
	switch name {
	case agentFile:
		d.layout.agent = file
	case instructionsMDFile:
		d.layout.instructions.md = file
	case instructionsTSFile:
		d.layout.instructions.ts = file
	case storageFile:
		d.layout.storage = file
		d.report.add(ruleStorage, top(file), "the file is accepted and not run: storage is the host's own", "remove it; ctx.host.kv and ctx.host.files need no storage.ts")
	case resultFile:
		d.layout.result = file
	case artifactsFile:
		d.layout.artifacts = file
	case scriptFile:
		d.layout.scripted = file
	default:
		d.unknownFile(name)
	}
}

func (d *discovery) folder(name string) {
	rel := path.Join(d.root, name)
	switch name {
	case libFolder:
		return
	case sandboxFolder:
		d.sandbox(rel)
		return
	case evalsFolder:
		d.report.add(ruleEvalsInside, place{File: rel}, "evals in here are not found", "move them beside "+d.root+"/, into evals/")
		return
	}
	s, ok := slotOf(name)
	if !ok {
		d.unknownFolder(name)
		return
	}
	d.slot(s, rel)
}

// slot lists what lies in a slot.
func (d *discovery) slot(s slot, rel string) {
	name, items := s.folder, d.items(s, rel)
	switch {
	case len(items) == 0:
	case name == instructionsFolder:
		d.layout.instructions.dir = items
	default:
		d.layout.slots[name] = items
	}
	if name == subagentsFolder {
		for _, it := range items {
			d.subagent(it)
		}
	}
}

// sandbox finds the seeds of workspaces; nothing else is read in there.
func (d *discovery) sandbox(rel string) {
	for _, e := range d.entries(rel) {
		file := path.Join(rel, e.name)
		switch {
		case e.name == workspaceFolder && e.dir:
			if d.hasFiles(file) {
				d.layout.seeds = file
			}
		case e.dir:
			d.report.add(ruleUnknownFolder, place{File: file}, "the folder is no slot, so nothing in it is read", "move what workspaces begin with into "+rel+"/"+workspaceFolder+"/")
		default:
			d.report.add(ruleUnknownFile, top(file), "the file is not read", "move what workspaces begin with into "+rel+"/"+workspaceFolder+"/")
		}
	}
}

// hasFiles says whether anything but empty folders lies beneath.
func (d *discovery) hasFiles(rel string) bool {
	return slices.ContainsFunc(d.allEntries(rel), func(e entry) bool {
		return !e.dir || d.hasFiles(path.Join(rel, e.name))
	})
}

// subagent looks for instructions in the folder of a subagent. Capabilities of its
// own it has none.
func (d *discovery) subagent(it item) {
	rel := path.Dir(it.file)
	if scriptBase(it.file) != agentFile || path.Base(rel) != it.name {
		return // a folder without agent.ts
	}
	var found instructionFiles
	for _, e := range d.entries(rel) {
		file := path.Join(rel, e.name)
		switch {
		case e.name == instructionsMDFile && !e.dir:
			found.md = file
		case d.baseOf(e.name) == instructionsTSFile && !e.dir:
			found.ts = file
		case e.name == instructionsFolder && e.dir:
			s, _ := slotOf(instructionsFolder)
			found.dir = d.items(s, file)
		case capability(e):
			d.report.add(ruleSubagentIgnored, place{File: file}, "nothing in here is read: a subagent works with its parent's capabilities",
				"move it into "+d.root+"/, where the parent and its subagents have it")
		}
	}
	d.layout.subagents[it.name] = found
}

func capability(e entry) bool {
	if !e.dir {
		return slices.Contains([]string{resultFile, artifactsFile, storageFile}, e.name)
	}
	_, ok := slotOf(e.name)
	return ok || e.name == sandboxFolder
}
