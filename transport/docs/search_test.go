package docs

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"modernc.org/quickjs"
)

// A searched is what the page's own search gives for a query.
type searched struct {
	Hits []struct{ Page, ID, Heading, Excerpt string }
	// Instead is what was searched for in the place of a misspelt query.
	Instead string
}

func (s searched) first() string {
	if len(s.Hits) == 0 {
		return ""
	}
	return s.Hits[0].Page + "#" + s.Hits[0].ID
}

// finder runs the page's own search on its own index.
func finder(t *testing.T) func(query string) searched {
	t.Helper()
	r := api.Build(api.BuildOptions{EntryPoints: []string{"web/search.ts"}, Bundle: true, Format: api.FormatIIFE, GlobalName: "found", Target: api.ES2022})
	if len(r.Errors) > 0 {
		t.Fatal(r.Errors[0].Text)
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = vm.Close() })
	index := ask(t, "GET", "/docs/search.json").Body.String()
	if _, err := vm.Eval(string(r.OutputFiles[0].Contents)+"\nglobalThis.entries = "+index+";\nglobalThis.find = (q) => JSON.stringify(found.search(entries, q));", quickjs.EvalGlobal); err != nil {
		t.Fatal(err)
	}
	return func(query string) (s searched) {
		q, err := json.Marshal(query)
		if err != nil {
			t.Fatal(err)
		}
		v, err := vm.Eval("find("+string(q)+")", quickjs.EvalGlobal)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := v.(string)
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// "docs search finds each page by its title": with the page's own search, run on its own index.
func TestSearch_FindsEachPageByItsTitle(t *testing.T) {
	t.Parallel()
	find := finder(t)
	for _, p := range allPages(t) {
		for _, called := range []string{p.Title, p.Label, p.Name, strings.ToUpper(p.Title)} {
			if got := find(called).first(); got != p.Name+"#" {
				t.Errorf("%q finds %s first, want %s", called, got, p.Name)
			}
		}
	}
}

// questions are what people ask, with the page, or page#section, that answers it.
var questions = []struct{ query, want string }{
	{"approval", "approvals#"},
	{"approve a tool call", "approvals"},
	{"human in the loop", "approvals"},
	{"how do I stop a turn", "sessions#interrupts-and-stops"},
	{"interrupt", "sessions#interrupts-and-stops"},
	{"timeout", "runtime#limits"},
	{"cron", "schedules"},
	{"run every morning", "schedules"},
	{"bearer", "auth"},
	{"bearer token", "auth"},
	{"jwt", "auth"},
	{"cors", "auth#pages-of-other-origins"},
	{"429", "http#errors"},
	{"replay", "replay#"},
	{"fork", "sessions#forks"},
	{"docker", "deployment#containers"},
	{"kubernetes", "deployment#containers"},
	{"nginx", "deployment#behind-a-proxy"},
	{"systemd", "deployment#systemd"},
	{"backup", "deployment#backups"},
	{"where is my data stored", "deployment#the-state-root"},
	{"health check", "deployment#is-it-well"},
	{"how do I deploy", "deployment#"},
	{"environment variables", "cli#variables"},
	{"exit code", "cli#exit-codes"},
	{"openai", "models"},
	{"api key", "models"},
	{"use a local model", "models"},
	{"temperature", "models#settings"},
	{"price", "models#prices"},
	{"cost", "models#costs"},
	{"budget", "models#budgets"},
	{"kv", "storage#"},
	{"kv store", "storage"},
	{"database", "storage#"},
	{"append to a file", "storage#files"},
	{"memory", "memory#"},
	{"webhook", "channels"},
	{"event types", "events#"},
	{"message.completed", "events#"},
	{"turn.failed", "events"},
	{"max_steps", "events"},
	{"structured output", "results#"},
	{"system prompt", "context#the-system-prompt"},
	{"compaction", "context#when-it-grows-too-long"},
	{"dry run", "tools#dry-runs"},
	{"asOf", "tools#another-time"},
	{"write a tool", "tools#"},
	{"needsApproval", "approvals"},
	{"defineSchedule", "schedules"},
	{"zod", "tools#"},
	{"typescript", "runtime#"},
	{"node modules", "runtime#modules-of-node"},
	{"npm packages", "runtime"},
	{"judge", "evals#judges"},
	{"stubs", "evals#sending"},
	{"junit", "evals#reports"},
	{"run evals in ci", "evals"},
	{"continuation token", "sessions#tokens"},
	{"stale_token", "sessions#tokens"},
	{"idempotency key", "http#sending-something-twice"},
	{"server-sent events", "sessions#streams"},
	{"install", "quickstart#"},
	{"get started", "quickstart#"},
	{"reminder", "schedules#reminders"},
	{"mcp server", "connections"},
	{"ask another agent", "connections#another-agent"},
	{"slack bot", "slack#"},
	{"github pull request", "github#"},
	{"landlock", "workspace#the-sandbox"},
	{"sandbox", "workspace"},
	{"crash recovery", "embedding#crashes"},
	{"access from another machine", "playground#who-sees-what"},
	{"slash commands", "playground#slash-commands"},
	{"opentelemetry", "telemetry#"},
	{"tracing", "telemetry#"},
	{"prometheus", "telemetry#metrics"},
	{"secrets", "security#secrets"},
	{"prompt injection", "security#"},
	{"plugin", "extensions"},
	{"offline", "script#"},
	{"langchain", "migration#"},
	{"behind a proxy", "deployment#behind-a-proxy"},
	{"PRINCIPALS", "auth#principals"},
	{"subagent", "subagents#"},
	{"skill", "skills#"},
	{"artifact", "artifacts#"},
	{"login", "migration#a-project-of-the-typescript-kit"},
}

// What people ask finds the page, or the section, that answers it.
func TestSearch_FindsWhatIsAsked(t *testing.T) {
	t.Parallel()
	find := finder(t)
	for _, c := range questions {
		got := find(c.query)
		if first := got.first(); first != c.want && !(strings.HasPrefix(first, c.want+"#") && !strings.Contains(c.want, "#")) {
			t.Errorf("%q finds %s first, want %s: %v", c.query, first, c.want, got.Hits[:min(4, len(got.Hits))])
		}
	}
}

// A misspelt word is read as the nearest one of the pages, and that is said; what is
// nowhere finds nothing.
func TestSearch_MindsSpelling(t *testing.T) {
	t.Parallel()
	find := finder(t)
	for query, want := range map[string]string{"scedules": "schedules", "subagnets": "subagents", "artefacts": "artifacts", "chanels": "channels"} {
		if got := find(query); got.Instead != want || got.first() != want+"#" {
			t.Errorf("%q is read as %q, and finds %s", query, got.Instead, got.first())
		}
	}
	for _, query := range []string{"xyzzyplugh", "", " ", "?"} {
		if got := find(query); len(got.Hits) > 0 || got.Instead != "" {
			t.Errorf("%q finds %v", query, got)
		}
	}
	if got := find("tools"); got.Instead != "" {
		t.Errorf("tools is read as %q", got.Instead)
	}
}

// The list is short, and no page fills it.
func TestSearch_ShowsSeveralPages(t *testing.T) {
	t.Parallel()
	find := finder(t)
	for _, query := range []string{"the session", "eval", "a"} {
		var pages []string
		for _, h := range find(query).Hits {
			pages = append(pages, h.Page)
		}
		slices.Sort(pages)
		if distinct := slices.Compact(slices.Clone(pages)); len(pages) > 12 || len(pages) > 3*len(distinct) {
			t.Errorf("%q finds %v", query, pages)
		}
	}
}

// An index that could not be fetched is asked for again; one that was is kept.
func TestFinder_AsksAgain(t *testing.T) {
	t.Parallel()
	r := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: `export { load } from "./web/finder.ts"`, ResolveDir: ".", Loader: api.LoaderTS},
		Bundle: true, Format: api.FormatIIFE, GlobalName: "found", Target: api.ES2022, Plugins: []api.Plugin{{Name: "dom", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: `/dom\.js$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
				dom, err := filepath.Abs("../playground/web/dom.ts")
				return api.OnResolveResult{Path: dom}, err
			})
		}}},
	})
	if len(r.Errors) > 0 {
		t.Fatal(r.Errors[0].Text)
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = vm.Close() }()
	script := string(r.OutputFiles[0].Contents) + `
	const answers = [() => Promise.reject(new Error("offline")), () => Promise.resolve({ ok: false, status: 502 }), () => Promise.resolve({ ok: true, json: () => [] })];
	let asked = 0; globalThis.said = [];
	globalThis.fetch = () => answers[Math.min(asked++, 2)]();
	(async () => { for (let i = 0; i < 4; i++) await found.load().then(() => said.push("loaded"), (e) => said.push(e.message)); said.push(asked); })();`
	if _, err := vm.Eval(script, quickjs.EvalGlobal); err != nil {
		t.Fatal(err)
	}
	if _, err := vm.ExecutePendingJobs(); err != nil {
		t.Fatal(err)
	}
	if said, err := vm.Eval("said.join()", quickjs.EvalGlobal); err != nil || said != "offline,status 502,loaded,loaded,3" {
		t.Errorf("%v, %v", said, err)
	}
}
