package project

import (
	"slices"

	"github.com/gobdk/bdk/actors/agent"
)

// A Rule is one kind of finding. Its id keeps its meaning for ever.
type Rule struct {
	ID string
	// Severity is agent.SeverityError or agent.SeverityWarning.
	Severity string
	// Says is the rule in one line.
	Says string
}

// Rules lists every rule that Load knows, in the order of their ids.
func Rules() []Rule { return slices.Clone(rules) }

const (
	ruleAgentField        = "agent/field"
	ruleAgentHarness      = "agent/harness-tools"
	ruleAgentInline       = "agent/inline-instructions"
	ruleAgentSandbox      = "agent/local-sandbox"
	ruleAgentRuntime      = "agent/runtime"
	ruleAgentUnknown      = "agent/unknown-field"
	ruleAgentUnsupported  = "agent/unsupported"
	ruleEnvMissing        = "env/missing-file"
	ruleEnvSyntax         = "env/syntax"
	ruleInstrEmpty        = "instructions/empty"
	ruleInstrEncoding     = "instructions/encoding"
	ruleInstrFunction     = "instructions/function"
	ruleInstrMissing      = "instructions/missing"
	ruleInstrTwoForms     = "instructions/two-forms"
	ruleModuleLoad        = "module/load"
	rulePackageJSON       = "project/package-json"
	ruleReservedSlug      = "project/reserved-slug"
	ruleSlug              = "project/slug"
	ruleTwoRoots          = "project/two-roots"
	ruleUnreadable        = "project/unreadable"
	ruleScripted          = "scripted/file"
	ruleEvalsInside       = "slot/evals-inside"
	ruleExport            = "slot/export"
	ruleExtension         = "slot/extension"
	ruleName              = "slot/name"
	ruleNested            = "slot/nested"
	ruleShadowed          = "slot/shadowed"
	ruleUnknownFile       = "slot/unknown-file"
	ruleUnknownFolder     = "slot/unknown-folder"
	ruleUnserved          = "slot/unserved"
	ruleUnsupported       = "slot/unsupported"
	ruleStorage           = "storage/unused"
	ruleToolDescription   = "tool/description"
	ruleToolExecute       = "tool/execute"
	ruleToolExecution     = "tool/execution-agent"
	ruleToolInputSchema   = "tool/input-schema"
	ruleToolOption        = "tool/option"
	ruleToolOutputSchema  = "tool/output-schema"
	ruleToolTimeArguments = "tool/time-arguments"
	ruleToolUnknown       = "tool/unknown-option"
)

const (
	asError   = agent.SeverityError
	asWarning = agent.SeverityWarning
)

var rules = []Rule{
	{ruleAgentField, asError, "a field of defineAgent has a value of the wrong kind"},
	{ruleAgentHarness, asWarning, "the allowlist names harness tools, and this build has none"},
	{ruleAgentInline, asError, "only a subagent has its instructions in agent.ts"},
	{ruleAgentSandbox, asWarning, "local.sandbox is set, and nothing runs in a workspace in this build"},
	{ruleAgentRuntime, asError, "the agent asks for a runtime other than \"local\""},
	{ruleAgentUnknown, asWarning, "defineAgent has no such field"},
	{ruleAgentUnsupported, asError, "a field of defineAgent that this build does not honour"},
	{ruleEnvMissing, asError, "a file given by --env-file cannot be read"},
	{ruleEnvSyntax, asError, "a line of an environment file is no assignment"},
	{ruleInstrEmpty, asError, "the instructions have no text"},
	{ruleInstrEncoding, asError, "a file of the instructions is not UTF-8"},
	{ruleInstrFunction, asError, "instructions as a function are not run by this build"},
	{ruleInstrMissing, asError, "the agent has no instructions"},
	{ruleInstrTwoForms, asError, "the instructions are there in more than one form"},
	{ruleModuleLoad, asError, "a file does not compile or throws while it loads"},
	{rulePackageJSON, asError, "package.json is no JSON object"},
	{ruleReservedSlug, asError, "the folder's name is a path of the host itself"},
	{ruleSlug, asError, "the folder's name cannot be an agent's slug"},
	{ruleTwoRoots, asWarning, "bot/ and agent/ are both there, and agent/ is not read"},
	{ruleUnreadable, asError, "a file or folder cannot be read"},
	{ruleScripted, asError, "the scripted model's file has a fault"},
	{ruleEvalsInside, asWarning, "evals lie inside the root folder, where they are not found"},
	{ruleExport, asError, "a file does not default-export what its slot needs"},
	{ruleExtension, asWarning, "a file in a slot has an ending that the slot does not read"},
	{ruleName, asError, "a file's name cannot be the name of a tool"},
	{ruleNested, asWarning, "a folder inside a slot that has no folders"},
	{ruleShadowed, asWarning, "a .md file is not read, since a .ts file has the same name"},
	{ruleUnknownFile, asWarning, "a file in the root folder belongs to no slot"},
	{ruleUnknownFolder, asWarning, "a folder in the root folder is no slot"},
	{ruleUnserved, asWarning, "a file of a slot that this build does not serve yet, beside what it serves"},
	{ruleUnsupported, asError, "a file of a slot that this build does not run"},
	{ruleStorage, asWarning, "storage.ts is not used: storage is the host's own"},
	{ruleToolDescription, asError, "a tool has no description"},
	{ruleToolExecute, asError, "a tool has no execute function"},
	{ruleToolExecution, asError, "a tool wants to run in the workspace, and this build has none"},
	{ruleToolInputSchema, asError, "a tool's inputSchema is missing or cannot be used"},
	{ruleToolOption, asError, "an option of defineTool has a value of the wrong kind"},
	{ruleToolOutputSchema, asError, "a tool's outputSchema cannot be used"},
	{ruleToolTimeArguments, asError, "timeArguments names a field that the inputSchema does not have"},
	{ruleToolUnknown, asWarning, "defineTool has no such option"},
}

var ruleByID = func() map[string]Rule {
	m := make(map[string]Rule, len(rules))
	for _, r := range rules {
		m[r.ID] = r
	}
	return m
}()
