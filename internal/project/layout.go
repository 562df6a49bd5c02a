package project

import "path"

// A layout is what lies in a project's root folder. Paths are relative to the
// project's folder, with slashes.
type layout struct {
	agent, storage, scripted, result, artifacts string
	// seeds is the folder whose files every workspace begins with.
	seeds        string
	instructions instructionFiles
	// slots are the things of each slot, by the name of its folder.
	slots map[string][]item
	// subagents are the instructions in the folders of subagents, by their names.
	subagents map[string]instructionFiles
}

// An item is one thing of a slot: its name and the file that makes it.
type item struct {
	name string
	file string
}

// instructionFiles are the three forms in which instructions may lie.
type instructionFiles struct {
	md, ts string
	dir    []item
}

// forms names the file or folder of each form that is there.
func (f instructionFiles) forms() []string {
	var forms []string
	for _, file := range []string{f.md, f.ts} {
		if file != "" {
			forms = append(forms, file)
		}
	}
	if len(f.dir) > 0 {
		forms = append(forms, path.Dir(f.dir[0].file)+"/")
	}
	return forms
}

func (l *layout) empty() bool {
	for _, file := range []string{l.agent, l.storage, l.result, l.artifacts, l.seeds} {
		if file != "" {
			return false
		}
	}
	return len(l.instructions.forms()) == 0 && len(l.slots) == 0
}
