package project

import (
	"path"
	"slices"

	"github.com/gobdk/bdk/internal/near"
)

// ignoredFiles and ignoredFolders of a package belong to agents, or to hosts.
var (
	ignoredFiles   = []string{agentFile, resultFile, storageFile, scriptFile, "otel.ts", "opentelemetry.ts", "telemetry.ts", "instrumentation.ts", "playground.ts", "playground.tsx"}
	ignoredFolders = []string{extensionsFolder, "storage", "otel", "opentelemetry", "telemetry", "playground", evalsFolder}
)

const ignoredFix = "move it out of the package: an extension brings instructions, tools, skills, connections, hooks, channels, schedules, subagents, artifacts and sandbox/workspace"

// discoverPackage says what lies in the folder of an extension. What is no part of an
// extension is reported where it is something that an agent has; all else is the
// package's own business.
func discoverPackage(dir, root string, r *report) *layout {
	d := newDiscovery(dir, root, r)
	d.packaged = true
	for _, e := range d.entries(root) {
		if e.dir {
			d.packageFolder(e.name)
			continue
		}
		d.packageFile(e.name)
	}
	return &d.layout
}

func (d *discovery) packageFile(name string) {
	file := path.Join(d.root, name)
	switch base := d.baseOf(name); {
	case name == instructionsMDFile:
		d.layout.instructions.md = file
	case base == instructionsTSFile:
		if d.layout.instructions.ts == "" || name == base {
			d.layout.instructions.ts = file
		}
	case base == artifactsFile:
		if d.layout.artifacts == "" || name == base {
			d.layout.artifacts = file
		}
	case slices.Contains(ignoredFiles, base):
		d.report.add(ruleExtensionIgnored, top(file), "the file is not mounted: it is a matter of the agent, or of the host", ignoredFix)
	}
}

func (d *discovery) packageFolder(name string) {
	rel := path.Join(d.root, name)
	switch s, ok := slotOf(name); {
	case name == sandboxFolder:
		d.packageSandbox(rel)
	case slices.Contains(ignoredFolders, name):
		d.report.add(ruleExtensionIgnored, place{File: rel}, "the folder is not mounted: it is a matter of the agent, or of the host", ignoredFix)
	case ok:
		d.slot(s, rel)
	default:
		if meant, found := nearest(name, folderNames()); found && near.Distance(name, meant) <= 2 && name != libFolder {
			d.report.add(ruleUnknownFolder, place{File: rel}, "the folder is no slot, so nothing in it is mounted", "did you mean "+path.Join(d.root, meant)+"/?")
		}
	}
}

// packageSandbox finds the seeds of workspaces.
func (d *discovery) packageSandbox(rel string) {
	for _, e := range d.entries(rel) {
		file := path.Join(rel, e.name)
		switch {
		case e.name == workspaceFolder && e.dir:
			if d.hasFiles(file) {
				d.layout.seeds = file
			}
		default:
			d.report.add(ruleExtensionIgnored, place{File: file}, "it is not mounted: of sandbox/ an extension brings workspace/ alone", ignoredFix)
		}
	}
}
