package project

import (
	"path"
	"slices"
	"strings"
)

// meantEndings are those of files that were most likely meant for a slot.
var meantEndings = []string{".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".markdown", ".mdx"}

// items lists what a slot holds, by name.
func (d *discovery) items(s slot, rel string) []item {
	s = d.form(s)
	return d.unshadowed(s, d.found(s, rel, ""))
}

// found lists what lies in the folder of a slot, or in one below it, whose path
// in the slot is the prefix of the names.
func (d *discovery) found(s slot, rel, prefix string) []item {
	var found []item
	for _, e := range d.entries(rel) {
		file := path.Join(rel, e.name)
		switch {
		case !e.dir:
			found = d.fileItem(found, s, file, prefix)
		case s.tree:
			found = append(found, d.found(s, file, prefix+e.name+"/")...)
		case s.inner != "":
			found = append(found, item{e.name, d.innerFile(s, file)})
		default:
			d.report.add(ruleNested, place{File: file}, "the folder is not searched: "+s.thing+" is a file directly in "+rel+"/",
				"move its files up, or shared code into "+d.root+"/lib/")
		}
	}
	return found
}

func (d *discovery) fileItem(found []item, s slot, file, prefix string) []item {
	ending := path.Ext(file)
	if d.packaged && isTest(file) {
		return found
	}
	if slices.Contains(s.endings, ending) {
		return append(found, item{prefix + strings.TrimSuffix(path.Base(file), ending), file})
	}
	if !slices.Contains(meantEndings, ending) && !(len(s.endings) == 0 && ending == ".md") {
		return found
	}
	is := strings.Join(s.endings, " or ") + " file"
	if len(s.endings) == 0 {
		is = "folder with " + s.inner + " in it"
	}
	d.report.add(ruleExtension, top(file), "the file is not read: "+s.thing+" is a "+is, "rename it, or move it into "+d.root+"/lib/")
	return found
}

// innerFile is the file that makes a folder a thing of its slot, or the folder
// where that file is missing.
func (d *discovery) innerFile(s slot, rel string) string {
	best := rel
	for _, e := range d.entries(rel) {
		if !e.dir && d.baseOf(e.name) == s.inner && (best == rel || e.name == s.inner) {
			best = path.Join(rel, e.name)
		}
	}
	return best
}

// unshadowed leaves one file per name: the one whose ending the slot names first,
// then a folder, then the rest.
func (d *discovery) unshadowed(s slot, found []item) []item {
	var kept []item
	for _, it := range found {
		winner := it
		for _, other := range found {
			if other.name == it.name && s.rank(other) < s.rank(winner) {
				winner = other
			}
		}
		if winner.file != it.file {
			if d.packaged && path.Ext(winner.file) == ".ts" {
				continue // what was built of it
			}
			d.report.add(ruleShadowed, top(it.file), "the file is not read, since "+winner.file+" has the same name",
				"keep one of the two, or give one another name")
			continue
		}
		kept = append(kept, it)
	}
	return kept
}

func (s slot) rank(it item) int {
	i := slices.Index(s.endings, path.Ext(it.file))
	switch {
	case s.inner != "" && (scriptBase(it.file) == s.inner || path.Ext(it.file) == ""):
		return len(built) + 1
	case i == 0, i > 0 && isScript(it.file):
		return i
	}
	return len(built) + 2
}

// folderNames are those that a folder may have where the discovery looks: an extension
// mounts none itself, and what lies over one may take kinds of artifacts away.
func (d *discovery) folderNames() []string {
	names := folderNames()
	if d.packaged || d.over {
		names = slices.DeleteFunc(names, func(name string) bool { return name == extensionsFolder })
	}
	if d.over {
		names = append(names, artifactsFolder)
	}
	return names
}

func (d *discovery) unknownFolder(name string) {
	rel := path.Join(d.root, name)
	fix := "shared code goes into " + d.root + "/lib/; the slots are " + strings.Join(d.folderNames(), ", ")
	if near, ok := nearest(name, d.folderNames()); ok {
		fix = "did you mean " + d.root + "/" + near + "/?"
	}
	d.report.add(ruleUnknownFolder, place{File: rel}, "the folder is no slot, so nothing in it is read", fix)
}

func (d *discovery) unknownFile(name string) {
	file := path.Join(d.root, name)
	near, ok := nearest(name, fileNames())
	fix := "did you mean " + d.root + "/" + near + "?"
	if !ok {
		if !slices.Contains(meantEndings, path.Ext(name)) {
			return
		}
		fix = "shared code goes into " + d.root + "/lib/, a tool into " + d.root + "/tools/"
	}
	d.report.add(ruleUnknownFile, top(file), "the file belongs to no slot, so it is not read", fix)
}
