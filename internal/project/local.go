package project

import (
	"os"
	"path"
	"path/filepath"

	"github.com/gobdk/bdk/actors/agent"
)

// readLocal reads where and how sessions work with files. Relative paths are seen
// from the project's folder.
func (l *loader) readLocal(s *spec) agent.Local {
	s.unknown(ruleAgentUnknown, []string{"cwd", "workspaceDir", "sandbox", "ambient"})
	local := agent.Local{Cwd: l.folder(s, "cwd"), WorkspaceDir: l.folder(s, "workspaceDir"), Sandbox: readSandbox(s)}
	if local.Cwd != "" && local.WorkspaceDir != "" && local.Cwd != local.WorkspaceDir {
		l.report.add(ruleAgentField, s.at("workspaceDir"), "local.cwd and local.workspaceDir are two names for one thing, and name two folders", "keep one of them")
	}
	if s.has("ambient") {
		ambient := s.flag("ambient")
		local.Ambient = &ambient
	}
	return local
}

// folder reads the path of a folder that is there.
func (l *loader) folder(s *spec, name string) string {
	given := s.text(name)
	if given == "" {
		return ""
	}
	dir := filepath.FromSlash(given)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(l.place.Dir, dir)
	}
	dir = filepath.Clean(dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		why := "it is a file"
		if err != nil {
			why = cause(err)
		}
		l.report.add(ruleAgentFolder, s.at(name), s.prefix+name+" names "+quote(given)+", which is no folder: "+why, "make the folder, or name another; a relative path is seen from the project's folder")
	}
	return dir
}

// readSandbox reads "workspace" or "off"; true and false say the same.
func readSandbox(s *spec) string {
	switch string(s.fields["sandbox"]) {
	case "":
		return ""
	case "true", `"workspace"`:
		return agent.SandboxWorkspace
	case "false", `"off"`:
		return agent.SandboxOff
	}
	s.wrong("sandbox", `"workspace" or "off"`)
	return ""
}

func readCompaction(s *spec) agent.Compaction {
	s.unknown(ruleAgentUnknown, []string{"thresholdPercent"})
	return agent.Compaction{ThresholdPercent: int(s.count("thresholdPercent", 100))}
}

// cursorHooks is where Cursor looks for hooks.
const cursorHooks = ".cursor/hooks.json"

// checkCursorHooks says that Cursor's own hooks are not run.
func (l *loader) checkCursorHooks() {
	for _, dir := range []string{l.place.Dir, l.agent.Local.Cwd, l.agent.Local.WorkspaceDir} {
		if dir == "" {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(cursorHooks))
		if _, err := os.Stat(file); err != nil {
			continue
		}
		l.report.add(ruleCursorHooks, place{File: relative(l.place.Dir, file)}, "the hooks in here are not run",
			"observe with a hook in "+path.Join(l.place.Root, hooksFolder)+"/, and gate a tool with its needsApproval")
	}
}
