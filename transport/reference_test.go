package transport

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the routes and codes of the page anew: read the difference before you keep it")

const referencePage = "docs/http.md"

// The page of the HTTP API has every route of the table, and every code of an error.
func TestReference_IsThatOfTheRoutes(t *testing.T) {
	text, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	for name, part := range map[string]string{"routes": routeTables(), "codes": codeTable()} {
		begin, end := "<!-- "+name+": written by go test ./transport -run Reference -rewrite -->\n", "<!-- end of the "+name+" -->\n"
		before, rest, ok := strings.Cut(want, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("the page has no place for the %s", name)
		}
		want = before + begin + "\n" + part + "\n" + end + after
	}
	if want == string(text) {
		return
	}
	if !*rewrite {
		t.Fatal("the page is not that of the routes: write it anew with -rewrite, and read the difference")
	}
	if err := os.WriteFile(referencePage, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// routeTables has a table for each group of routes.
func routeTables() string {
	var b strings.Builder
	for _, group := range []struct {
		title, where string
		routes       []route
	}{
		{"Routes of the host", "They stand at the root of the host, in both layouts. The index is there with the playground, `/metrics` with `--metrics`.", hostRoutes()},
		{"Documentation", "At the root of the host as well; `--no-docs` removes them.", docsRoutes()},
		{"Routes of an agent", "They stand below `/<slug>`, or at the root with `--mode single`.", agentRoutes()},
		{"Playground", "Below the agent as well; `--no-playground` removes them.", playgroundRoutes()},
		{"Evals", "Below an agent whose project has `evals/`. See [evals](evals.md).", evalRoutes()},
		{"Routes of dev", "Below the agent, with `--dev` alone.", devRoutes()},
	} {
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| route | does | who |\n| --- | --- | --- |\n", group.title, group.where)
		for _, r := range group.routes {
			about := r.about
			if len(r.query) > 0 {
				about += ". Query: `" + strings.Join(r.query, "`, `") + "`"
			}
			fmt.Fprintf(&b, "| `%s %s` | %s | %s |\n", r.method, r.path, about, whose[r.access])
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// whose says whom each access admits.
var whose = map[access]string{public: "everybody", byAgent: "the agent's callers", byHost: "the host's callers"}

// codeTable has a row for each status.
func codeTable() string {
	byStatus := map[int][]string{}
	for code, status := range statuses {
		byStatus[status] = append(byStatus[status], "`"+code+"`")
	}
	var b strings.Builder
	b.WriteString("| status | `error` |\n| --- | --- |\n")
	for _, status := range slices.Sorted(maps.Keys(byStatus)) {
		slices.Sort(byStatus[status])
		fmt.Fprintf(&b, "| %d | %s |\n", status, strings.Join(byStatus[status], ", "))
	}
	return b.String()
}
