package project

import (
	"path"
	"slices"
)

// artifactsFolder has, over an extension, the files that take kinds of artifacts away.
const artifactsFolder = "artifacts"

// artifactSlot is a slot only there.
var artifactSlot = slot{folder: artifactsFolder, thing: "a kind of artifacts", endings: onlyTS, kind: "disable", want: `disableArtifact() from "@cursor/bdk/extensions"`}

// discoverOverlays says what lies over an extension, beside the file that mounts it.
func discoverOverlays(dir, root string, r *report) *layout {
	d := newDiscovery(dir, root, r)
	d.over = true
	for _, e := range d.entries(root) {
		if e.dir {
			d.overFolder(e.name)
			continue
		}
		d.overFile(e.name)
	}
	return &d.layout
}

func (d *discovery) overFile(name string) {
	file := path.Join(d.root, name)
	switch name {
	case extensionFile:
	case agentFile, resultFile, storageFile, scriptFile:
		d.report.add(ruleExtensionIgnored, top(file), "the file does nothing here: an extension has no such thing", "move it into the root folder of the agent, or remove it")
	default:
		d.file(name)
	}
}

func (d *discovery) overFolder(name string) {
	rel := path.Join(d.root, name)
	switch {
	case name == artifactsFolder:
		d.layout.slots[artifactsFolder] = d.items(artifactSlot, rel)
	case slices.Contains([]string{extensionsFolder, evalsFolder}, name):
		d.report.add(ruleExtensionIgnored, place{File: rel}, "the folder does nothing here: an extension has no such thing", "move it into the root folder of the agent, or remove it")
	default:
		d.folder(name)
	}
}
