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
	// kind is what a TypeScript file must export, and want says so in words.
	kind, want string
}

var (
	onlyTS   = []string{".ts"}
	tsBefore = []string{".ts", ".md"}
)

// Names of slots that are read in ways of their own.
const (
	toolsFolder        = "tools"
	instructionsFolder = "instructions"
	hooksFolder        = "hooks"
	skillsFolder       = "skills"
	subagentsFolder    = "subagents"
	extensionsFolder   = "extensions"

	mcpConnectionsFolder  = "mcp-connections"
	hostConnectionsFolder = "host-connections"
	channelsFolder        = "channels"
	schedulesFolder       = "schedules"
)

var slots = []slot{
	{folder: toolsFolder, thing: "a tool", endings: onlyTS, kind: "tool", want: `defineTool({description, inputSchema, execute}) from "@cursor/bdk/tools"`},
	{folder: instructionsFolder, thing: "a part of the instructions", endings: []string{".md"}},
	{folder: hooksFolder, thing: "a hook", endings: onlyTS, tree: true, kind: "hook",
		want: `defineHook({events: {...}}) from "@cursor/bdk/hooks", or memoryHook() from "@cursor/bdk/memory"`},
	{folder: skillsFolder, thing: "a skill", endings: tsBefore, inner: skillFile, kind: "skill", want: `defineSkill({description, markdown}) from "@cursor/bdk/skills"`},
	{folder: subagentsFolder, thing: "a subagent", inner: agentFile, kind: "agent", want: `defineAgent({description, instructions}) from "@cursor/bdk"`},
	{folder: channelsFolder, thing: "a channel", endings: onlyTS, kind: "channel", want: `defineChannel({...}) from "@cursor/bdk/channels"`},
	{folder: schedulesFolder, thing: "a schedule", endings: tsBefore, kind: "schedule", want: `defineSchedule({cron, run}) from "@cursor/bdk/schedules"`},
	{folder: extensionsFolder, thing: "an extension", endings: onlyTS, inner: "extension.ts", kind: "extension",
		want: `what the extension's package gives when it is called with its settings`},
	{folder: mcpConnectionsFolder, thing: "an MCP connection", endings: onlyTS, kind: "connection", want: `defineConnection({...}) from "@cursor/bdk/connections"`},
	{folder: hostConnectionsFolder, thing: "a host connection", endings: onlyTS, kind: "connection", want: `defineConnection({...}) from "@cursor/bdk/connections"`},
}

// Folders of the root folder that are no slots and are known all the same.
const (
	libFolder       = "lib"       // shared code, never discovered
	sandboxFolder   = "sandbox"   // has the seeds of workspaces
	workspaceFolder = "workspace" // the seeds, in sandbox
	evalsFolder     = "evals"     // belongs beside the root folder
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

// skillFile makes a folder a skill.
const skillFile = "SKILL.md"

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
