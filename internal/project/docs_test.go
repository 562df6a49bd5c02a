package project

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs is where the pages lie.
const docs = "../../transport/docs/"

// hostRules heads the rules that are not the loader's.
const hostRules = "\n## What the host adds\n"

var ruleRow = regexp.MustCompile("(?m)^\\| `([a-z/-]+)` \\| (\\w+) \\| (.+?) \\| (.+?) \\|$")

// "rule ids documented": those that the host adds are the ones that its packages name.
func TestDocs_RulesOfTheHost(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(page(t, "diagnostics.md"), hostRules)
	var on, named []string
	for _, row := range ruleRow.FindAllStringSubmatch(section, -1) {
		on = append(on, row[1])
	}
	id := regexp.MustCompile(`(?:Rule: +|\badd\(|\bRule\w+ += )"([a-z-]+/[a-z-]+)"`)
	for _, dir := range []string{"../cli", "../../actors", "../../transport", "../mcp"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range id.FindAllStringSubmatch(string(source), -1) {
				named = append(named, m[1])
			}
		}
	}
	slices.Sort(named)
	named = slices.Compact(named)
	if !slices.Equal(on, named) {
		t.Errorf("the page has %v, the host names %v", on, named)
	}
}

// "every rule documented": the page of diagnostics and the table of rules agree.
func TestDocs_EveryRuleIsOnThePage(t *testing.T) {
	t.Parallel()
	page, _, _ := strings.Cut(page(t, "diagnostics.md"), hostRules)
	rows := ruleRow.FindAllStringSubmatch(page, -1)
	on := map[string]Rule{}
	for _, row := range rows {
		if _, twice := on[row[1]]; twice {
			t.Errorf("%s is on the page twice", row[1])
		}
		on[row[1]] = Rule{ID: row[1], Severity: row[2], Says: row[3]}
	}
	for _, r := range Rules() {
		if on[r.ID] != r {
			t.Errorf("the page says %+v, the table %+v", on[r.ID], r)
		}
		delete(on, r.ID)
	}
	for id := range on {
		t.Errorf("%s is on the page, and no rule", id)
	}
}

// The projects of the pages load as they stand there.
func TestDocs_ProjectsLoad(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"tools.md":     "find_order refund_order",
		"channels.md":  "channel tickets POST / GET /:id",
		"skills.md":    "skill dates skill label",
		"hooks.md":     "hook",
		"subagents.md": "subagent",
		"results.md":   "result",
	} {
		dir := filepath.Join(t.TempDir(), "sample")
		files := regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n+```\\w+\n(.*?\n)```\n").FindAllStringSubmatch(page(t, name), -1)
		for _, f := range files {
			writeFile(t, filepath.Join(dir, f[1]), []byte(f[2]))
		}
		agents, err := Load(context.Background(), dir, &Options{Env: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closeAll(agents) })
		text := renderAll(agents)
		if len(agents[0].Diagnostics) > 0 {
			t.Errorf("the project of %s has findings:\n%s", name, text)
		}
		for word := range strings.FieldsSeq(want) {
			if !strings.Contains(text, word) {
				t.Errorf("the project of %s has no %s:\n%s", name, word, text)
			}
		}
	}
}

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(docs + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
