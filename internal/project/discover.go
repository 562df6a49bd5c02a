package project

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A layout is what lies in a project's root folder. Paths are relative to the
// project's folder, with slashes.
type layout struct {
	agent, storage, scripted string
	// instructionsMD, instructionsTS and instructionsDir are the three forms.
	instructionsMD, instructionsTS string
	instructionsDir                []item
	tools                          []item
	// refused counts what was found and is not run.
	refused int
}

// An item is one file of a slot.
type item struct {
	name string
	file string
}

func (l *layout) empty() bool {
	return l.agent == "" && l.storage == "" && l.instructionsMD == "" && l.instructionsTS == "" &&
		len(l.instructionsDir) == 0 && len(l.tools) == 0 && l.refused == 0
}

// A discovery walks one root folder.
type discovery struct {
	dir    string
	root   string
	report *report
	layout layout
}

// discover says what lies in dir/root. The report may be nil.
func discover(dir, root string, r *report) *layout {
	d := &discovery{dir: dir, root: root, report: r}
	for _, e := range d.entries(root) {
		if e.dir {
			d.folder(e.name)
			continue
		}
		d.file(e.name)
	}
	return &d.layout
}

type entry struct {
	name string
	dir  bool
}

// entries lists a folder by name, links followed, without what is skipped everywhere.
func (d *discovery) entries(rel string) []entry {
	found, err := os.ReadDir(filepath.Join(d.dir, filepath.FromSlash(rel)))
	if err != nil {
		if !os.IsNotExist(err) {
			d.report.add(ruleUnreadable, place{File: rel}, "the folder cannot be read: "+cause(err), "check its permissions")
		}
		return nil
	}
	var list []entry
	for _, e := range found {
		if skipped(e.Name()) {
			continue
		}
		file := path.Join(rel, e.Name())
		info, err := os.Stat(filepath.Join(d.dir, filepath.FromSlash(file)))
		if err != nil {
			d.report.add(ruleUnreadable, place{File: file}, "it cannot be read: "+cause(err), "check where the link leads, or remove it")
			continue
		}
		list = append(list, entry{e.Name(), info.IsDir()})
	}
	return list
}

var skippedEndings = []string{".test.ts", ".spec.ts", ".d.ts"}

// skipped says what no slot ever reads.
func skipped(name string) bool {
	if strings.HasPrefix(name, ".") || name == "node_modules" {
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
		d.layout.instructionsMD = file
	case instructionsTSFile:
		d.layout.instructionsTS = file
	case storageFile:
		d.layout.storage = file
		d.report.add(ruleStorage, top(file), "the file is accepted and not run: storage is the host's own", "remove it; ctx.host.kv and ctx.host.files need no storage.ts")
	case scriptFile:
		d.layout.scripted = file
	default:
		if why, ok := refusedFiles[name]; ok {
			d.refuse(file, why)
			return
		}
		d.unknownFile(name)
	}
}

func (d *discovery) folder(name string) {
	rel := path.Join(d.root, name)
	switch name {
	case libFolder:
		return
	case sandboxFolder:
		if d.hasFiles(rel) {
			d.refuse(rel, "seed workspaces")
		}
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
	items := d.items(s, rel)
	switch {
	case s.refused != "":
		for _, it := range items {
			d.refuseItem(s, it)
		}
	case name == "tools":
		d.layout.tools = items
	default:
		d.layout.instructionsDir = items
	}
}

func (d *discovery) refuseItem(s slot, it item) {
	if !s.spared {
		d.refuse(it.file, s.refused)
		return
	}
	d.layout.refused++
	d.report.add(ruleUnserved, top(it.file), "this build does not "+s.refused+" yet, so nothing reaches this one",
		"leave it as it is: the rest of the project is served; or use a build that does")
}

func (d *discovery) refuse(file, what string) {
	d.layout.refused++
	at := top(file)
	if path.Ext(file) == "" {
		at.Line = 0 // a folder
	}
	d.report.add(ruleUnsupported, at, "this build does not "+what+" yet",
		"move it out of "+d.root+"/, and the rest of the project can be served; or use a build that does")
}

// hasFiles says whether anything but empty folders lies beneath.
func (d *discovery) hasFiles(rel string) bool {
	return slices.ContainsFunc(d.entries(rel), func(e entry) bool {
		return !e.dir || d.hasFiles(path.Join(rel, e.name))
	})
}
