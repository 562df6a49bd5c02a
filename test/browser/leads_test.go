package browser

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// leads holds where each link of a page into the documentation is answered, and has the
// place there that it names.
func (b *tab) leads() {
	b.t.Helper()
	links := value[[]string](b, `[...new Set([...document.querySelectorAll("a[href]")].filter((a) => a.origin === location.origin && /^\/docs(\/|$)/.test(a.pathname)).map((a) => a.href))]`)
	if len(links) == 0 {
		b.t.Errorf("nothing leads to the documentation")
	}
	for _, link := range links {
		u, err := url.Parse(link)
		if err != nil {
			b.t.Fatal(err)
		}
		reply, err := http.Get(link)
		if err != nil {
			b.t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil || reply.StatusCode != http.StatusOK {
			b.t.Errorf("%s is answered %d %v", link, reply.StatusCode, err)
		}
		if u.Fragment != "" && !strings.Contains(string(text), ` id="`+u.Fragment+`"`) {
			b.t.Errorf("%s: the page has no such place", link)
		}
	}
}
