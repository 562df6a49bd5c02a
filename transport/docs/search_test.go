package docs

import (
	"encoding/json"
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

// What people ask finds the page, or the section, that answers it.
func TestSearch_FindsWhatIsAsked(t *testing.T) {
	t.Parallel()
	find := finder(t)
	for query, want := range map[string]string{
		"behind a proxy": "auth#behind-a-proxy", "PRINCIPALS": "auth#principals",
	} {
		got := find(query)
		page, id, section := strings.Cut(want, "#")
		if !section && !strings.HasPrefix(got.first(), page+"#") || section && got.first() != page+"#"+id {
			t.Errorf("%q finds %s first, want %s (%v)", query, got.first(), want, got.Hits[:min(4, len(got.Hits))])
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
