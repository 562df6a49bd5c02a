package browser

import (
	"encoding/json"
	"net/http"
	"testing"
)

// "Docs search finds each page by its title": typed into the field, it is the first of what
// is found, and Enter opens it.
func TestDocs_EachPageIsFoundByItsTitle(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	reply, err := http.Get(h.origin + "/docs/search.json")
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var list []struct{ Page, Title string }
	if err := json.NewDecoder(reply.Body).Decode(&list); err != nil || len(list) < 30 {
		t.Fatalf("%d pages: %v", len(list), err)
	}
	b := newTab(t)
	b.open(h.origin + "/docs")
	for i, p := range list {
		if i%10 == 0 {
			b.rewrite(p.Title, `document.querySelector("[role=search] input")`)
			b.until(`document.querySelector("[role=search] [role=option]")?.innerText.startsWith(%s)`, p.Title)
			b.enter()
			b.until(`location.pathname === %s && document.querySelector("main h1")?.innerText.trim() === %s`, "/docs/"+p.Page, p.Title)
		}
		b.rewrite(p.Title, `document.querySelector("[role=search] input")`)
		b.until(`document.querySelector("[role=search] input").value === %s && document.querySelector("[role=search] [role=option]")?.innerText.startsWith(%s)`, p.Title, p.Title)
	}
}
