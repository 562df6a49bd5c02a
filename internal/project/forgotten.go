package project

import "strings"

// homes are the modules of the functions that the files of a project begin with.
var homes = map[string]string{
	"defineAgent": "@cursor/bdk", "defineInstructions": "@cursor/bdk", "defineResult": "@cursor/bdk", "prompt": "@cursor/bdk",
	"defineTool": "@cursor/bdk/tools", "defineSkill": "@cursor/bdk/skills", "defineHook": "@cursor/bdk/hooks",
	"defineArtifacts": "@cursor/bdk/artifacts", "defineSchedule": "@cursor/bdk/schedules", "defineStorage": "@cursor/bdk/storage",
	"defineChannel": "@cursor/bdk/channels", "defineConnection": "@cursor/bdk/connections", "defineExtension": "@cursor/bdk/extensions",
	"defineEval": "@cursor/bdk/evals", "defineEvalConfig": "@cursor/bdk/evals", "JUnit": "@cursor/bdk/evals", "Artifacts": "@cursor/bdk/evals",
	"loadJson": "@cursor/bdk/evals/loaders", "loadJsonl": "@cursor/bdk/evals/loaders", "loadYaml": "@cursor/bdk/evals/loaders",
}

// forgotten gives the import that would mend an error, where that is a name of the package
// that nobody imported; else it is empty.
func forgotten(message string) string {
	name, ok := strings.CutSuffix(strings.TrimPrefix(message, "'"), "' is not defined")
	if home := homes[name]; ok && home != "" {
		return "import { " + name + ` } from "` + home + `"`
	}
	return ""
}
