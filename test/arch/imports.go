package arch

import (
	"slices"
	"strings"
)

// module is the path that all imports of ours begin with.
const module = "github.com/gobdk/bdk/"

// A Package is a line of the import table.
type Package struct {
	// Path is relative to the module; packages below it that have no line of their
	// own follow the same line, and may import each other and it.
	Path string
	// May are the packages of ours, and below, that its code may import.
	May []string
	// Plain forbids everything but the standard library and May.
	Plain bool
}

// Table says which package may import which. Data moves one way: transport → actors →
// events → projections. A line that needs an arrow back is missing an event.
var Table = []Package{
	{Path: "events", Plain: true},
	{Path: "events/journal", May: []string{"events", "internal/failpoint"}},

	{Path: "actors/agent", May: []string{"internal/near", "events", "internal/cron", "internal/schema", "internal/workspace"}},
	{Path: "actors/github", May: []string{"actors/agent", "actors/surface", "events", "internal/clock", "internal/redact"}},
	{Path: "actors/slack", May: []string{"actors/agent", "actors/surface", "events", "internal/clock", "internal/redact"}},
	{Path: "actors/surface", May: []string{"actors/agent", "events"}},
	{Path: "actors/memory", May: []string{"actors/agent", "events", "internal/redact"}},
	{Path: "actors/model", May: []string{"events", "internal/clock", "internal/plainfile"}},
	{Path: "actors/session", May: []string{"events"}, Plain: true},
	{Path: "actors/agenttest", May: []string{"actors", "events", "projections"}},
	{Path: "actors", May: []string{"internal/near", "actors/session", "actors/agent", "actors/memory", "actors/model", "events", "events/journal",
		"internal/clock", "internal/cron", "internal/failpoint", "internal/workspace", "internal/harness", "internal/mcp", "internal/oauth", "internal/sandbox", "internal/store"}},

	{Path: "projections", May: []string{"events", "events/journal", "internal/failpoint"}},
	{Path: "transport", May: []string{"actors", "actors/agent", "projections", "events", "events/journal", "internal/eval", "transport/markdown"}},
	{Path: "transport/markdown"},
	{Path: "transport/docs", May: []string{"transport/playground"}},

	{Path: "transport/playground"},

	{Path: "internal/failpoint", Plain: true},
	{Path: "internal/clock", Plain: true},
	{Path: "internal/cron", May: []string{"internal/near"}},
	{Path: "internal/near", Plain: true},
	{Path: "internal/netguard", Plain: true},
	{Path: "internal/plainfile", Plain: true},
	{Path: "internal/schema"},
	{Path: "internal/redact", Plain: true},
	{Path: "internal/logs", May: []string{"internal/redact", "transport"}},
	{Path: "internal/telemetry", May: []string{"actors/agent", "events"}},
	{Path: "internal/workspace", May: []string{"internal/failpoint"}},
	{Path: "internal/sandbox"},
	{Path: "internal/harness", May: []string{"internal/near", "actors/agent", "events", "internal/sandbox", "internal/workspace"}},
	{Path: "internal/store", May: []string{"actors/agent", "events/journal", "internal/clock", "internal/failpoint", "internal/workspace"}},
	{Path: "internal/oauth", May: []string{"internal/clock", "internal/netguard"}},
	{Path: "internal/mcp", May: []string{"internal/near", "actors/agent", "events", "internal/clock", "internal/netguard", "internal/redact", "internal/schema"}},
	{Path: "internal/eval", May: []string{"internal/near", "actors/agent", "events", "internal/clock", "internal/failpoint", "internal/plainfile", "internal/workspace"}},
	{Path: "internal/eval/record", May: []string{"events", "internal/redact"}},
	{Path: "internal/eval/hosted", May: []string{"internal/eval", "actors", "actors/agent", "actors/model", "events", "events/journal", "internal/workspace"}},
	{Path: "internal/script", May: []string{"actors/agent", "events", "internal/eval", "internal/plainfile", "internal/schema"}},
	{Path: "internal/project", May: []string{"internal/near", "internal/script", "internal/eval", "internal/schema", "internal/plainfile", "internal/cron", "internal/workspace", "actors/agent", "actors/github", "actors/slack", "actors/memory", "actors/model", "events"}},
	{Path: "internal/client", May: []string{"events", "transport", "transport/playground", "projections", "actors/agent", "internal/eval"}},
	{Path: "internal/cli", May: []string{"internal/client", "internal/eval", "internal/eval/hosted", "internal/eval/record", "internal/logs", "internal/redact", "internal/telemetry", "internal/project", "internal/plainfile", "internal/clock", "transport", "transport/docs", "transport/playground", "projections",
		"actors", "actors/agent", "actors/github", "actors/slack", "actors/model", "events", "events/journal"}},

	{Path: "cmd", May: []string{"internal/cli"}},
	{Path: "test", May: []string{"actors", "events", "internal", "projections", "transport"}},
}

// Owners says which package of ours alone may import a module, so that it can be
// replaced there. Tests may use what they need.
var Owners = map[string][]string{
	"github.com/anthdm/hollywood":         {"actors"},
	"github.com/cockroachdb/pebble":       {"events/journal", "test"},
	"github.com/ThreeDotsLabs/":           {"events/journal", "projections"},
	"github.com/gorilla/mux":              {"transport"},
	"github.com/slack-go/":                {"actors/slack"},
	"github.com/golang-jwt/":              {"transport"},
	"github.com/MicahParks/":              {"transport"},
	"github.com/evanw/esbuild":            {"internal/script", "internal/project", "transport/playground"},
	"github.com/yuin/goldmark":            {"transport/docs", "transport/markdown"},
	"github.com/microcosm-cc/bluemonday":  {"transport/docs"},
	"modernc.org/quickjs":                 {"internal/script"},
	"modernc.org/libquickjs":              {"internal/script"},
	"github.com/spf13/":                   {"internal/cli"},
	"github.com/openai/openai-go":         {"actors/model/openai"},
	"github.com/robfig/cron":              {"internal/cron"},
	"github.com/goccy/go-yaml":            {"actors/model/scripted", "internal/project", "internal/script"},
	"github.com/jstemmer/go-junit-report": {"internal/eval"},
	"github.com/santhosh-tekuri/":         {"internal/schema"},
	"github.com/dlclark/regexp2":          {"internal/schema", "internal/script"},
	"github.com/google/jsonschema-go/":    {"internal/schema", "actors/agent"},
	"github.com/mattn/go-isatty":          {"internal/cli"},
	"github.com/modelcontextprotocol/":    {"transport", "internal/mcp", "internal/oauth", "test/oauthserver"},
	"go.opentelemetry.io/":                {"internal/telemetry"},
	"github.com/go-logr/":                 {"internal/telemetry"},
	"github.com/prometheus/client_golang": {"internal/telemetry"},
	"github.com/rogpeppe/":                nil,
	"github.com/cockroachdb/datadriven":   nil,
	"github.com/chromedp/":                nil,
	"pgregory.net/rapid":                  nil,
	"go.uber.org/goleak":                  nil,
}

// Imports holds one file against Table and Owners.
func Imports(f *File) []Finding {
	if f.Syntax == nil || f.Data() {
		return nil
	}
	from := line(f.Dir())
	if from == nil {
		return []Finding{{f.Path, 1, "package " + f.Dir() + " has no line in the import table: add one to test/arch/imports.go that says what it may import"}}
	}
	var found []Finding
	for _, spec := range f.Syntax.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		if text := refuse(f, from, p); text != "" {
			found = append(found, f.at(spec.Pos(), "%s", text))
		}
	}
	return found
}

// line is the table's entry for a package, nil when there is none.
func line(dir string) *Package {
	var best *Package
	for i := range Table {
		if p := &Table[i]; under(dir, p.Path) && (best == nil || len(p.Path) > len(best.Path)) {
			best = p
		}
	}
	return best
}

// refuse says why a file may not import p, or nothing. Tests are free in what they
// import, as long as the pure packages stay without it.
func refuse(f *File, from *Package, p string) string {
	if ours, ok := strings.CutPrefix(p, module); ok {
		if f.Test() || sameLine(from, ours) || allowed(from, ours) {
			return ""
		}
		return from.Path + " may not import " + ours + ": declare the small interface that it needs, or move the code; the table is test/arch/imports.go"
	}
	if !strings.Contains(strings.Split(p, "/")[0], ".") {
		return "" // standard library
	}
	if from.Plain && !f.Test() {
		return from.Path + " is standard library only: give it what it needs from " + p + " as a value"
	}
	return owned(f, p)
}

// sameLine holds for packages under one line of the table.
func sameLine(from *Package, to string) bool {
	l := line(to)
	return l != nil && l.Path == from.Path
}

// allowed holds where the target, or the line that it follows, is named.
func allowed(from *Package, to string) bool {
	l := line(to)
	if l == nil {
		return false
	}
	if slices.Contains(from.May, l.Path) {
		return true
	}
	return from.Path == "test" && under(to, from.May...) // harnesses see everything
}

func owned(f *File, p string) string {
	for prefix, owners := range Owners {
		if !strings.HasPrefix(p, prefix) || f.Test() || under(f.Dir(), owners...) {
			continue
		}
		if owners == nil {
			return p + " is for tests alone"
		}
		return p + " is imported by " + strings.Join(owners, ", ") + " alone: use what that package gives"
	}
	return ""
}
