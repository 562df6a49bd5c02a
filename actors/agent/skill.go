package agent

import "cmp"

// A Skill is a procedure that the model reads when it needs it. It lies in the
// workspace at .cursor/skills/<Name>/SKILL.md, its files beside that; the prompt
// lists name, description and path alone.
type Skill struct {
	Name        string
	Description string
	// Source is "project", "extension:<ns>" or "plugin:<name>".
	Source string
	// Markdown is the body, without front matter.
	Markdown string
	// Files lie beside SKILL.md. Paths follow the rules of workspace files.
	Files []SeedFile
}

// A SeedFile is a file that every workspace of the agent begins with.
type SeedFile struct {
	// Path is relative, with slashes.
	Path    string
	Content []byte
}

// A Subagent does a part of a turn's work for the model of its parent: with its
// own instructions and context, and with the parent's tools, model and sandbox.
type Subagent struct {
	// Name is the folder's.
	Name string
	// Description tells the parent's model what the subagent is for.
	Description  string
	Instructions string
	// Source is "project", "extension:<ns>" or "plugin:<name>".
	Source string
}

// Local says where and how sessions of the agent work with files.
type Local struct {
	// Cwd is the absolute path of a folder of the user's in which sessions work;
	// WorkspaceDir is the same under its other name. Both empty: a folder for each
	// session under the state root.
	Cwd          string
	WorkspaceDir string
	// Sandbox is SandboxWorkspace, SandboxOff, or empty for what the kernel can.
	Sandbox string
	// Ambient says whether AGENTS.md and rules of the parent folders contribute;
	// nil: they do where the session works in a folder of the user's.
	Ambient *bool
}

// Dir is the folder of the user's in which sessions work; empty: there is none.
func (l Local) Dir() string { return cmp.Or(l.WorkspaceDir, l.Cwd) }

// Values of Local.Sandbox.
const (
	SandboxWorkspace = "workspace"
	SandboxOff       = "off"
)

// Compaction says when a session's context is summed up.
type Compaction struct {
	// ThresholdPercent of the model's context window. Defaults to 90.
	ThresholdPercent int
}
