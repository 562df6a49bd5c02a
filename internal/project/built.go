package project

import (
	"path"
	"slices"
	"strings"
)

// built are the endings of what TypeScript is built into, as packages have it.
var built = []string{".js", ".mjs"}

// isScript says whether a file holds code that is run.
func isScript(file string) bool {
	ending := path.Ext(file)
	return ending == ".ts" || slices.Contains(built, ending)
}

// scriptBase is the name of a file, of a built one that of its source.
func scriptBase(file string) string {
	base := path.Base(file)
	for _, ending := range built {
		if name, ok := strings.CutSuffix(base, ending); ok {
			return name + ".ts"
		}
	}
	return base
}

// baseOf is the name by which a file is known: in a package a built one counts as its source.
func (d *discovery) baseOf(name string) string {
	if d.packaged {
		return scriptBase(name)
	}
	return name
}

// form is a slot as the discovery reads it: a package may be built, and over an
// extension a file may stand for the folder of a subagent.
func (d *discovery) form(s slot) slot {
	at := slices.Index(s.endings, ".ts")
	switch {
	case d.packaged && at >= 0:
		s.endings = slices.Insert(slices.Clone(s.endings), at+1, built...)
	case d.over && s.folder == subagentsFolder:
		s.endings = onlyTS
	}
	return s
}

// isTest says whether a file of a package is a test, built or not.
func isTest(file string) bool {
	base := scriptBase(file)
	return strings.HasSuffix(base, ".test.ts") || strings.HasSuffix(base, ".spec.ts")
}
