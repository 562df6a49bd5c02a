package docs

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ask asks the site for a path.
func ask(t *testing.T, method, at string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, at, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

var site = New(&Options{Home: "/"})

func allPages(t *testing.T) []*page {
	t.Helper()
	pages, err := readPages()
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// Every page has a place in the navigation, and one alone.
func TestAreas_HaveEveryPage(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(sources, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	placed := Pages()
	for _, name := range names {
		name = strings.TrimSuffix(name, path.Ext(name))
		if n := len(slices.DeleteFunc(slices.Clone(placed), func(p string) bool { return p != name })); n != 1 {
			t.Errorf("%s.md has %d places in areas.go: give it one", name, n)
		}
	}
	for _, p := range allPages(t) {
		if p.About == "" || p.Contents == nil && len(p.source) > 5000 {
			t.Errorf("%s.md has no first sentence, or no headings", p.Name)
		}
	}
}

// "links checked": those inside of the site lead to a page and a heading that are there.
func TestPages_LinksLead(t *testing.T) {
	t.Parallel()
	pages := allPages(t)
	ids := map[string][]string{}
	id := regexp.MustCompile(` id="([^"]+)"`)
	for _, p := range pages {
		for _, m := range id.FindAllStringSubmatch(string(p.Body), -1) {
			ids[p.Name] = append(ids[p.Name], m[1])
		}
	}
	href := regexp.MustCompile(`<a[^>]* href="([^"]*)"[^>]*>`)
	for _, p := range pages {
		for _, m := range href.FindAllStringSubmatch(string(p.Body), -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			name := p.Name
			switch {
			case strings.HasPrefix(to, Path+"/"):
				name = strings.TrimPrefix(to, Path+"/")
			case strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://"):
				if !strings.Contains(m[0], "noopener") || !strings.Contains(m[0], "noreferrer") {
					t.Errorf("%s.md: %s", p.Name, m[0])
				}
				continue
			case to != "":
				t.Errorf("%s.md links to %s, which is no page", p.Name, m[1])
				continue
			}
			if !slices.Contains(Pages(), name) || anchor != "" && !slices.Contains(ids[name], anchor) {
				t.Errorf("%s.md links to %s, which is not there", p.Name, m[1])
			}
		}
	}
}

// "code blocks checked by tests": Go on a page is from an example that runs.
func TestPages_GoIsFromExamples(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?ms)^<!-- from: (\\S+) -->\n```go\n(.*?)^```$")
	for name, least := range map[string]int{"embedding.md": 3, "projections.md": 3} {
		source, err := fs.ReadFile(sources, name)
		if err != nil {
			t.Fatal(err)
		}
		blocks := block.FindAllStringSubmatch(string(source), -1)
		if len(blocks) < least || len(blocks) != strings.Count(string(source), "```go\n") {
			t.Errorf("%s says of %d blocks where they are from", name, len(blocks))
		}
		for _, m := range blocks {
			example, err := os.ReadFile("../../" + m[1])
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(example), m[2]) {
				t.Errorf("%s: %s has not\n%s", name, m[1], m[2])
			}
		}
	}
}

// Each page is there as HTML in the frame and as Markdown; what is not there has the
// frame too, and HEAD is GET without the body.
func TestSite_Serves(t *testing.T) {
	t.Parallel()
	for _, p := range allPages(t) {
		w := ask(t, "GET", p.Link())
		if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, `aria-current="page"`) || !strings.Contains(body, "<h1") || strings.Contains(body, "raw HTML omitted") {
			t.Errorf("%s: %d", p.Link(), w.Code)
		}
		if w := ask(t, "GET", p.Link()+".md"); w.Code != 200 || w.Header().Get("Content-Type") != markdownType || w.Body.String() != string(p.source) {
			t.Errorf("%s.md: %d", p.Link(), w.Code)
		}
		if !strings.Contains(ask(t, "GET", "/docs/llms.txt").Body.String(), "]("+p.Link()+".md): ") {
			t.Errorf("llms.txt has no %s", p.Name)
		}
	}
	for at, code := range map[string]int{"/docs": 200, "/docs/": 200, "/docs/nothing": 404, "/docs/tools.html": 404, "/docs/assets/x.js": 404} {
		get, head := ask(t, "GET", at), ask(t, "HEAD", at)
		if get.Code != code || head.Code != code || head.Body.Len() != 0 || head.Header().Get("Content-Type") != get.Header().Get("Content-Type") {
			t.Errorf("%s: %d, HEAD %d with %d bytes", at, get.Code, head.Code, head.Body.Len())
		}
	}
	if w := ask(t, "GET", "/docs/nothing"); !strings.Contains(w.Body.String(), "No such page") || !strings.Contains(w.Body.String(), `id="nav"`) {
		t.Error("what is not there has no frame")
	}
	if w := ask(t, "GET", "/docs/tools", "If-None-Match", ask(t, "GET", "/docs/tools").Header().Get("ETag")); w.Code != http.StatusNotModified {
		t.Errorf("asked again: %d", w.Code)
	}
}

// "strict CSP without inline scripts", and the pages hold nothing that it would refuse.
func TestSite_HoldsItsPolicy(t *testing.T) {
	t.Parallel()
	inline := regexp.MustCompile(`(?i)<style|<script[^>]*>[^<]|\son\w+=|\sstyle=|javascript:|data:|<img|<iframe|<svg`)
	for _, at := range []string{"/docs", "/docs/nothing", "/docs/tools", "/docs/evals"} {
		w := ask(t, "GET", at)
		csp := w.Header().Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(csp, part) || strings.Contains(csp, "unsafe") {
				t.Errorf("%s: the policy is %q", at, csp)
			}
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %v", at, w.Header())
		}
		if m := inline.FindString(w.Body.String()); m != "" {
			t.Errorf("%s has %q", at, m)
		}
	}
}

// "no raw HTML from Markdown; sanitised after rendering".
func TestPage_IsCleaned(t *testing.T) {
	t.Parallel()
	p, err := readPage("x", []byte("# A\n\nText <b onclick=x>b</b> [c](javascript:d) ![e](http://f.test/g.png)\n\n<script>alert(1)</script>\n\n"+
		"<!-- file: a/<b>.ts -->\n```ts\n\"</code><script>\" // c\n```\n\n## <img src=x onerror=1> h\n\n|a|\n|-|\n|<svg/onload=1>|\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<b ", "onclick=x>", "javascript:", "<img", "<svg"} {
		if strings.Contains(string(p.Body), bad) {
			t.Errorf("%q is in %s", bad, p.Body)
		}
	}
	if !strings.Contains(string(p.Body), `<span class="tok-text">&#34;&lt;/code&gt;&lt;script&gt;&#34;</span> <span class="tok-comment">// c</span>`) {
		t.Errorf("the code is not there in colour: %s", p.Body)
	}
}

func TestColour_Console(t *testing.T) {
	t.Parallel()
	got := colour("console", "$ bdk call x --input '{\n  \"a\": 1}'\n{\"b\":2}\n")
	want := `<span class="tok-prompt">$ </span>bdk call x --input <span class="tok-text">&#39;{
  &#34;a&#34;: 1}&#39;</span>
<span class="tok-printed">{&#34;b&#34;:2}
</span>`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// "one style file and one small script", and an icon.
func TestSite_IsSmall(t *testing.T) {
	t.Parallel()
	b, err := site.build()
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for name, a := range b.bundle.Assets {
		if w := ask(t, "GET", Path+"/assets/"+name); w.Code != 200 || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d", name, w.Code)
		}
		_, _ = z.Write(a.Body)
	}
	_ = z.Close()
	if len(b.bundle.Assets) != 3 || packed.Len() > 12<<10 {
		t.Errorf("%d assets with %d bytes compressed", len(b.bundle.Assets), packed.Len())
	}
	if bytes.Count(b.bundle.Assets[b.bundle.Style].Body, []byte("--accent-soft:")) != 2 {
		t.Error("the style has not the playground's colours")
	}
}
