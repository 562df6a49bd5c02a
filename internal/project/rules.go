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
	ruleAgentField          = "agent/field"
	ruleAgentInline         = "agent/inline-instructions"
	ruleAgentFolder         = "agent/local-folder"
	ruleAgentRuntime        = "agent/runtime"
	ruleAgentUnknown        = "agent/unknown-field"
	ruleArtifactsKind       = "artifacts/kind"
	ruleArtifactsOption     = "artifacts/option"
	ruleArtifactsSchema     = "artifacts/schema"
	ruleArtifactsUnknown    = "artifacts/unknown-option"
	ruleAuthEmpty           = "auth/empty"
	ruleAuthPolicy          = "auth/policy"
	ruleAuthSecret          = "auth/secret"
	ruleAuthShort           = "auth/short-secret"
	ruleChannelEmpty        = "channel/empty"
	ruleChannelID           = "channel/host-id"
	ruleChannelOption       = "channel/option"
	ruleChannelRoute        = "channel/route"
	ruleChannelTwice        = "channel/route-twice"
	ruleChannelSchema       = "channel/schema"
	ruleChannelEvent        = "channel/unknown-event"
	ruleChannelUnknown      = "channel/unknown-option"
	ruleConnectionField     = "connection/field"
	ruleConnectionName      = "connection/name-taken"
	ruleConnectionPeer      = "connection/peer"
	ruleConnectionWay       = "connection/transport"
	ruleConnectionUnknown   = "connection/unknown-field"
	ruleConnectionVariable  = "connection/variable"
	ruleCursorHooks         = "cursor/hooks-json"
	ruleEnvMissing          = "env/missing-file"
	ruleEnvSyntax           = "env/syntax"
	ruleEvalCaseID          = "eval/case-id"
	ruleEvalEmpty           = "eval/empty"
	ruleEvalIDTaken         = "eval/id-taken"
	ruleEvalNoConfig        = "eval/no-config"
	ruleEvalOption          = "eval/option"
	ruleEvalReporter        = "eval/reporter"
	ruleEvalTest            = "eval/test"
	ruleEvalUnknown         = "eval/unknown-field"
	ruleEvalUnread          = "eval/unread"
	ruleExtensionIgnored    = "extension/ignored"
	ruleExtensionName       = "extension/name"
	ruleExtensionOverlay    = "extension/overlay"
	ruleExtensionRoot       = "extension/root"
	ruleExtensionSeed       = "extension/seed"
	ruleExtensionSettings   = "extension/settings"
	ruleExtensionUnknown    = "extension/unknown-option"
	ruleExtensionVendor     = "extension/vendor"
	ruleGitHubCredentials   = "github/credentials"
	ruleGitHubIdle          = "github/idle"
	ruleGitHubOption        = "github/option"
	ruleGitHubSecret        = "github/secret"
	ruleGitHubUnknown       = "github/unknown-option"
	ruleHookEmpty           = "hook/empty"
	ruleHookHandler         = "hook/handler"
	ruleHookOption          = "hook/option"
	ruleHookEvent           = "hook/unknown-event"
	ruleHookUnknown         = "hook/unknown-option"
	ruleInstrEmpty          = "instructions/empty"
	ruleInstrEncoding       = "instructions/encoding"
	ruleInstrFunction       = "instructions/function"
	ruleInstrMissing        = "instructions/missing"
	ruleInstrTwoForms       = "instructions/two-forms"
	ruleModuleLoad          = "module/load"
	rulePluginFile          = "plugin/file"
	rulePluginPath          = "plugin/path"
	rulePluginServer        = "plugin/server"
	rulePluginUnused        = "plugin/unused-variable"
	rulePluginVariable      = "plugin/variable"
	rulePackageJSON         = "project/package-json"
	ruleReservedSlug        = "project/reserved-slug"
	ruleSlug                = "project/slug"
	ruleTwoRoots            = "project/two-roots"
	ruleUnreadable          = "project/unreadable"
	ruleResultOption        = "result/option"
	ruleResultSchema        = "result/schema"
	ruleResultUnknown       = "result/unknown-option"
	ruleScheduleAction      = "schedule/action"
	ruleScheduleCron        = "schedule/cron"
	ruleScheduleEncoding    = "schedule/encoding"
	ruleScheduleMatter      = "schedule/front-matter"
	ruleScheduleOption      = "schedule/option"
	ruleScheduleZone        = "schedule/time-zone"
	ruleScheduleUnknown     = "schedule/unknown-option"
	ruleScripted            = "scripted/file"
	ruleSeedPath            = "seed/path"
	ruleSeedSize            = "seed/size"
	ruleSkillDescription    = "skill/description"
	ruleSkillEmpty          = "skill/empty"
	ruleSkillEncoding       = "skill/encoding"
	ruleSkillFrontMatter    = "skill/front-matter"
	ruleSkillName           = "skill/name-taken"
	ruleSkillOption         = "skill/option"
	ruleSkillUnknown        = "skill/unknown-option"
	ruleEvalsInside         = "slot/evals-inside"
	ruleExport              = "slot/export"
	ruleExtension           = "slot/extension"
	ruleIncomplete          = "slot/incomplete"
	ruleName                = "slot/name"
	ruleNested              = "slot/nested"
	ruleSlackIdle           = "slack/idle"
	ruleSlackOption         = "slack/option"
	ruleSlackSecret         = "slack/secret"
	ruleSlackUnknown        = "slack/unknown-option"
	ruleShadowed            = "slot/shadowed"
	ruleUnknownFile         = "slot/unknown-file"
	ruleUnknownFolder       = "slot/unknown-folder"
	ruleStorage             = "storage/unused"
	ruleSubagentDescription = "subagent/description"
	ruleSubagentIgnored     = "subagent/ignored"
	ruleToolDescription     = "tool/description"
	ruleToolExecute         = "tool/execute"
	ruleToolHost            = "tool/host-name"
	ruleToolInputSchema     = "tool/input-schema"
	ruleToolOption          = "tool/option"
	ruleToolOutputSchema    = "tool/output-schema"
	ruleToolTimeArguments   = "tool/time-arguments"
	ruleToolUnknown         = "tool/unknown-option"
)

const (
	asError   = agent.SeverityError
	asWarning = agent.SeverityWarning
)

var rules = []Rule{
	{ruleAgentField, asError, "a field of defineAgent has a value of the wrong kind"},
	{ruleAgentInline, asError, "only a subagent has its instructions in agent.ts"},
	{ruleAgentFolder, asError, "local.cwd or local.workspaceDir names no folder"},
	{ruleAgentRuntime, asError, "the agent asks for a runtime other than \"local\""},
	{ruleAgentUnknown, asWarning, "defineAgent has no such field"},
	{ruleArtifactsKind, asError, "a kind of artifacts has no description, or a name that it cannot have"},
	{ruleArtifactsOption, asError, "an option of defineArtifacts has a value of the wrong kind"},
	{ruleArtifactsSchema, asError, "the schema of a kind of artifacts cannot be used"},
	{ruleArtifactsUnknown, asWarning, "defineArtifacts, or a kind, has no such option"},
	{ruleAuthEmpty, asWarning, "auth has no policies, so nobody is admitted"},
	{ruleAuthPolicy, asError, "auth holds what is no policy, or a policy that is not as it should be"},
	{ruleAuthSecret, asError, "a policy's secret is missing, empty or cannot be sent"},
	{ruleAuthShort, asWarning, "a policy has a secret that can be guessed"},
	{ruleChannelEmpty, asWarning, "a channel has nothing that can be reached"},
	{ruleChannelID, asError, "a channel has an id that the host itself uses"},
	{ruleChannelOption, asError, "an option of defineChannel, or of a route, has a value of the wrong kind"},
	{ruleChannelRoute, asError, "a route has a method, a path or a handler that it cannot have"},
	{ruleChannelTwice, asError, "two routes of a channel take the same requests"},
	{ruleChannelSchema, asError, "the schema of a route's body or query cannot be used"},
	{ruleChannelEvent, asWarning, "a channel has a handler for an event that no session has"},
	{ruleChannelUnknown, asWarning, "defineChannel, or a route, has no such option"},
	{ruleConnectionField, asError, "a field of defineConnection has a value of the wrong kind"},
	{ruleConnectionName, asError, "two connections have one name"},
	{ruleConnectionPeer, asWarning, "a connection leads to an agent that was not loaded with this one"},
	{ruleConnectionWay, asError, "a connection has not exactly one of url, command and agent, or a field of another"},
	{ruleConnectionUnknown, asWarning, "defineConnection has no such field"},
	{ruleConnectionVariable, asWarning, "headers or env of a connection name a variable that is not defined, or one stands where none is filled"},
	{ruleCursorHooks, asWarning, "there are hooks of Cursor's own, which are not run"},
	{ruleEnvMissing, asError, "a file given by --env-file cannot be read"},
	{ruleEnvSyntax, asError, "a line of an environment file is no assignment"},
	{ruleEvalCaseID, asError, "a case of an eval has no id, or one that is not a single segment of a path"},
	{ruleEvalEmpty, asError, "an eval file has nothing to run"},
	{ruleEvalIDTaken, asError, "two evals have one id, so neither runs"},
	{ruleEvalNoConfig, asWarning, "there are evals and no evals.config.ts, so none can run"},
	{ruleEvalOption, asError, "a field of defineEval, of a case or of defineEvalConfig has a value of the wrong kind"},
	{ruleEvalReporter, asError, "a reporter of evals is none, or lacks what it needs"},
	{ruleEvalTest, asError, "an eval has not exactly one of test and cases, or a test that is no function"},
	{ruleEvalUnknown, asWarning, "defineEval, a case, a reporter or defineEvalConfig has no such field"},
	{ruleEvalUnread, asWarning, "a file in evals/ is not read, and was most likely meant to be"},
	{ruleExtensionIgnored, asWarning, "something in an extension that is not mounted: it belongs to agents, or to the host"},
	{ruleExtensionName, asError, "something of an extension has a name that it cannot have under its namespace"},
	{ruleExtensionOverlay, asError, "what lies over an extension names nothing of it, or is of the wrong kind"},
	{ruleExtensionRoot, asError, "the root of an extension is no folder of its own"},
	{ruleExtensionSeed, asError, "an extension brings a file that workspaces begin with already"},
	{ruleExtensionSettings, asError, "the settings of an extension do not fit, so nothing of it is mounted"},
	{ruleExtensionUnknown, asWarning, "defineExtension or cursorPlugin has no such option"},
	{ruleExtensionVendor, asWarning, "an extension of the vendor's hosted services, which are not part of this host"},
	{ruleGitHubCredentials, asWarning, "GitHub is not asked, or nothing is posted there, for want of an account"},
	{ruleGitHubIdle, asWarning, "a GitHub channel, or a handler of it, that nothing wakes"},
	{ruleGitHubOption, asError, "an option of githubChannel has a value of the wrong kind, or one that cannot be used"},
	{ruleGitHubSecret, asWarning, "a GitHub channel has no webhook secret, so it does not start"},
	{ruleGitHubUnknown, asWarning, "githubChannel has no such option"},
	{ruleHookEmpty, asWarning, "a hook has no handlers, so it is left out"},
	{ruleHookHandler, asError, "a hook's events are missing, or a handler is no function"},
	{ruleHookOption, asError, "an option of memoryHook has a value of the wrong kind"},
	{ruleHookEvent, asWarning, "a hook has a handler for an event that no session has"},
	{ruleHookUnknown, asWarning, "defineHook, or memoryHook, has no such option"},
	{ruleInstrEmpty, asError, "the instructions have no text"},
	{ruleInstrEncoding, asError, "a file of the instructions is not UTF-8"},
	{ruleInstrFunction, asError, "the instructions of a subagent are a function"},
	{ruleInstrMissing, asError, "an agent or a subagent has no instructions"},
	{ruleInstrTwoForms, asError, "the instructions are there in more than one form"},
	{ruleModuleLoad, asError, "a file does not compile or throws while it loads"},
	{rulePluginFile, asError, "a file of a plugin cannot be read, or lacks what it needs"},
	{rulePluginPath, asError, "the path of a plugin is no plugin's folder in the project, or something in it leads out"},
	{rulePluginServer, asError, "an MCP server of a plugin cannot be opened as it is written"},
	{rulePluginUnused, asWarning, "cursorPlugin is given a variable that no MCP server of the plugin asks for"},
	{rulePluginVariable, asError, "a placeholder of a plugin's MCP servers has no value"},
	{rulePackageJSON, asError, "package.json is no JSON object"},
	{ruleReservedSlug, asError, "the folder's name is a path of the host itself"},
	{ruleSlug, asError, "the folder's name cannot be an agent's slug"},
	{ruleTwoRoots, asWarning, "bot/ and agent/ are both there, and agent/ is not read"},
	{ruleUnreadable, asError, "a file or folder cannot be read"},
	{ruleResultOption, asError, "defineResult has neither schema nor resolve, or a value of the wrong kind"},
	{ruleResultSchema, asError, "the schema of the result cannot be used"},
	{ruleResultUnknown, asWarning, "defineResult has no such option"},
	{ruleScheduleAction, asError, "a schedule has nothing to do, or both markdown and run"},
	{ruleScheduleCron, asError, "the cron expression of a schedule is missing, wrong, or never fires"},
	{ruleScheduleEncoding, asError, "the Markdown file of a schedule is not UTF-8"},
	{ruleScheduleMatter, asError, "the front matter of a schedule cannot be read"},
	{ruleScheduleOption, asError, "an option of defineSchedule has a value of the wrong kind"},
	{ruleScheduleZone, asError, "the time zone of a schedule is not in the IANA database"},
	{ruleScheduleUnknown, asWarning, "defineSchedule, or a schedule's front matter, has no such field"},
	{ruleScripted, asError, "the scripted model's file has a fault"},
	{ruleSeedPath, asError, "a file cannot lie in a workspace under its name"},
	{ruleSeedSize, asError, "the files for workspaces are too many or too large"},
	{ruleSkillDescription, asError, "a skill has no description"},
	{ruleSkillEmpty, asWarning, "a skill has no text"},
	{ruleSkillEncoding, asError, "a skill's file is not UTF-8"},
	{ruleSkillFrontMatter, asError, "the front matter of a skill cannot be read"},
	{ruleSkillName, asError, "two skills have one name"},
	{ruleSkillOption, asError, "an option of defineSkill has a value of the wrong kind"},
	{ruleSkillUnknown, asWarning, "defineSkill, or a skill's front matter, has no such field"},
	{ruleEvalsInside, asWarning, "evals lie inside the root folder, where they are not found"},
	{ruleExport, asError, "a file does not default-export what its slot needs"},
	{ruleExtension, asWarning, "a file in a slot has an ending that the slot does not read"},
	{ruleIncomplete, asError, "a folder in a slot lacks the file that makes it a thing of the slot"},
	{ruleName, asError, "a file or folder has a name that the things of its slot cannot have"},
	{ruleNested, asWarning, "a folder inside a slot that has no folders"},
	{ruleSlackIdle, asWarning, "a handler of a Slack channel never runs"},
	{ruleSlackOption, asError, "an option of slackChannel has a value of the wrong kind, or one that cannot be used"},
	{ruleSlackSecret, asWarning, "a Slack channel has no token or no signing secret, so it does not start; or the token that code would use is none"},
	{ruleSlackUnknown, asWarning, "slackChannel has no such option"},
	{ruleShadowed, asWarning, "a file is not read, since another of its slot has the same name"},
	{ruleUnknownFile, asWarning, "a file in the root folder belongs to no slot"},
	{ruleUnknownFolder, asWarning, "a folder in the root folder is no slot"},
	{ruleStorage, asWarning, "storage.ts is not used: storage is the host's own"},
	{ruleSubagentDescription, asError, "a subagent has no description"},
	{ruleSubagentIgnored, asWarning, "something of a subagent that does nothing: it works with what its parent has"},
	{ruleToolDescription, asError, "a tool has no description"},
	{ruleToolExecute, asError, "a tool has no execute function"},
	{ruleToolHost, asWarning, "a tool has the name of one of the host's own"},
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
