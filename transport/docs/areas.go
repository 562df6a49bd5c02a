package docs

// An area is a part of the documentation, in the order in which it is read.
type area struct {
	title string
	about string
	pages []string
}

// areas are all pages in their order, which is that of the navigation.
var areas = []area{
	{"Start", "From nothing to an agent that answers.", []string{"quickstart", "project", "playground", "migration"}},
	{"Build", "What an agent is made of.", []string{"tools", "approvals", "skills", "subagents", "context", "models", "results", "workspace", "storage", "memory", "hooks", "artifacts", "runtime", "script"}},
	{"Connect", "How an agent is reached, and what it reaches.", []string{"sessions", "channels", "github", "slack", "schedules", "connections", "oauth", "mcp", "extensions"}},
	{"Test", "How its behaviour is held.", []string{"evals", "replay"}},
	{"Run", "Serving it to others.", []string{"deployment", "auth", "security", "telemetry"}},
	{"Embed", "The host in a Go program of your own.", []string{"embedding", "projections"}},
	{"Reference", "Everything by its name.", []string{"cli", "http", "events", "diagnostics"}},
}

// labels are shorter names of pages for the navigation.
var labels = map[string]string{
	"mcp": "MCP endpoint", "oauth": "OAuth", "runtime": "TypeScript runtime", "script": "Offline model",
	"workspace": "Workspaces", "context": "Context", "schedules": "Schedules", "extensions": "Extensions", "connections": "Connections",
}

// references are pages that name everything.
var references = map[string]bool{"cli": true, "diagnostics": true}

// Pages names all pages, in the order of the navigation.
func Pages() []string {
	var names []string
	for _, a := range areas {
		names = append(names, a.pages...)
	}
	return names
}
