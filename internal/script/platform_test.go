package script

import (
	"slices"
	"strings"
	"testing"
)

// surface is what each entry of the package exports, beside its types.
var surface = map[string]string{
	"":                                  "defineAgent defineInstructions defineResult defineTool prompt serve",
	"/tools":                            "defineTool",
	"/hooks":                            "defineHook",
	"/channels":                         "defineChannel GET POST PUT PATCH DELETE bearerAuth jwtAuth basicAuth apiKeyHeader localDevStrict allowAll",
	"/connections":                      "defineConnection",
	"/schedules":                        "defineSchedule",
	"/skills":                           "defineSkill",
	"/artifacts":                        "defineArtifacts",
	"/extensions":                       "defineExtension cursorPlugin disable disableTool disableHook disableSkill disableChannel disableSchedule disableSubagent disableConnection disableArtifact disableInstructions",
	"/memory":                           "memoryHook",
	"/prompt":                           "prompt",
	"/evals":                            "defineEval defineEvalConfig includes equals matches satisfies similarity normalizedSimilarity JUnit Artifacts fenceUntrusted EVAL_JUDGE_INJECTION_GUARD",
	"/evals/loaders":                    "loadJson loadJsonl loadYaml",
	"/channels/github":                  "githubChannel defaultGitHubAuth",
	"/channels/slack":                   "slackChannel defaultSlackAuth",
	"/storage":                          "defineStorage fileKv",
	"/storage/file-kv":                  "fileKv",
	"/storage/cursor-hosted":            "cursorHostedStorage",
	"/extensions/cursor-cloud-agents":   "default cursorCloudAgents launchCloudAgent",
	"/extensions/cursor-grokbot-agents": "default cursorGrokBotAgents",
	"/extensions/improve":               "default improve",
	"/extensions/jev":                   "default jev decide",
}

// "Package surface": each entry has its exports, under each name of the package.
func TestPlatform_HasTheSurface(t *testing.T) {
	t.Parallel()
	files, n := map[string]string{}, 0
	for entry, names := range surface {
		for _, pkg := range []string{"@cursor/bdk", "@cursor/july", "@grok/agent-sdk"} {
			var imports, used []string
			for i, name := range strings.Fields(names) {
				local := name + "_" + string(rune('a'+i))
				imports, used = append(imports, name+" as "+local), append(used, "typeof "+local)
			}
			n++
			files["tools/t"+strings.Repeat("x", n)+".ts"] = "import { " + strings.Join(imports, ", ") + " } from \"" + pkg + entry + "\";\n" +
				"export default { types: [" + strings.Join(used, ", ") + "] };"
		}
	}
	p := load(t, files)
	for _, l := range p.rt.Loaded() {
		if l.Err != nil || strings.Contains(string(l.Spec), "undefined") {
			t.Errorf("%s: %v %s", files[l.ID+".ts"], l.Err, l.Spec)
		}
	}
	for _, entry := range platformEntries() {
		if _, ok := surface[strings.TrimPrefix(entry, "@cursor/bdk")]; !ok {
			t.Errorf("%s is an entry that the test does not know", entry)
		}
	}
	if !slices.Contains(platformEntries(), "@cursor/bdk/hooks") {
		t.Error("the entries are not listed")
	}
}
