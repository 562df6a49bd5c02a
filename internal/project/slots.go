package project

// A slot is a folder of the root folder whose files make something of the agent.
type slot struct {
	// folder is its name.
	folder string
	// thing is what one file makes, in a sentence.
	thing string
	// endings are those of the files that it reads; the first wins over the others.
	endings []string
	// inner is the file that makes a sub-folder one thing; empty: no sub-folders.
	inner string
	// tree says that files lie in sub-folders of any depth.
	tree bool
	// refused is what this build does not do with it yet; empty where it does.
	refused string
	// spared says that the rest of the project is served all the same.
	spared bool
}

var (
	onlyTS   = []string{".ts"}
	tsBefore = []string{".ts", ".md"}
)

var slots = []slot{
	{folder: "tools", thing: "a tool", endings: onlyTS},
	{folder: "instructions", thing: "a part of the instructions", endings: []string{".md"}},
	{folder: "hooks", thing: "a hook", endings: onlyTS, tree: true, refused: "run hooks"},
	{folder: "channels", thing: "a channel", endings: onlyTS, refused: "serve channels", spared: true},
	{folder: "schedules", thing: "a schedule", endings: tsBefore, refused: "fire schedules"},
	{folder: "skills", thing: "a skill", endings: tsBefore, inner: "SKILL.md", refused: "give skills to the model"},
	{folder: "subagents", thing: "a subagent", inner: "agent.ts", refused: "run subagents"},
	{folder: "extensions", thing: "an extension", endings: onlyTS, inner: "extension.ts", refused: "mount extensions"},
	{folder: "mcp-connections", thing: "an MCP connection", endings: onlyTS, refused: "open MCP connections"},
	{folder: "host-connections", thing: "a host connection", endings: onlyTS, refused: "open host connections"},
}

// Folders of the root folder that are no slots and are known all the same.
const (
	libFolder     = "lib"     // shared code, never discovered
	sandboxFolder = "sandbox" // seeds of workspaces
	evalsFolder   = "evals"   // belongs beside the root folder
)

// Files of the root folder.
const (
	agentFile          = "agent.ts"
	instructionsMDFile = "instructions.md"
	instructionsTSFile = "instructions.ts"
	storageFile        = "storage.ts"
	artifactsFile      = "artifacts.ts"
	resultFile         = "result.ts"
	scriptFile         = "script.yaml"
)

// refusedFiles says what this build does not do yet with a file of the root folder.
var refusedFiles = map[string]string{
	artifactsFile: "keep artifacts",
	resultFile:    "check results",
}

func slotOf(folder string) (slot, bool) {
	for _, s := range slots {
		if s.folder == folder {
			return s, true
		}
	}
	return slot{}, false
}

// folderNames are the names that a folder under the root folder may have.
func folderNames() []string {
	var names []string
	for _, s := range slots {
		names = append(names, s.folder)
	}
	return append(names, sandboxFolder, libFolder)
}

// fileNames are the names that a file in the root folder may have.
func fileNames() []string {
	return []string{agentFile, instructionsMDFile, instructionsTSFile, storageFile, artifactsFile, resultFile, scriptFile}
}
