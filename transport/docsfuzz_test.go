package transport

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport/docs"
	"github.com/gobdk/bdk/transport/playground"
)

// S13: "%2F, %5C, %00, ;, .., double encoding → 404/400, never redirect": below /docs
// whatever one asks for is a page, a file or neither, and nothing of anybody's.
func FuzzDocs(f *testing.F) {
	for _, path := range []string{
		"", "/", "/tools", "/tools.md", "/../..", "/..%2f..%2fv1/agents", "/%2e%2e/%2e%2e/etc/passwd", "/%00", "/tools%00.md", "/a.md", "/.md", "/assets/", "/assets/../tools", "/assets/%2e%2e/tools.md",
		"//", "//evil.test/x", "/tools;x", `/..\..\x`, "/%5c..%5c", "/%252e%252e/x", "/search.json?x=%zz", "/tools?a;b", "/\xff\xfe", "/" + strings.Repeat("a/", 4000), "/" + strings.Repeat("z", 8000) + ".md", "/docs.go", "/web/frame.html", "/v1/agents", "/playground",
		"/tools/.", "/tools#x", "/%zz", "/?", "/ ", "/\u202e", "/<script>alert(1)</script>",
	} {
		f.Add(path)
	}
	site := docs.New(nil)
	h := docsHandler(f, site)
	f.Fuzz(func(t *testing.T, path string) {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://localhost/", nil)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.ParseRequestURI("/docs" + path)
		if err != nil || !strings.HasPrefix(path, "/") && path != "" {
			return // no server takes it
		}
		r.URL, r.RequestURI = u, "/docs"+path
		r.RemoteAddr, r.Host = "203.0.113.9:5", "evil.test"
		for _, one := range []http.Handler{h, site} {
			w := &kept{header: http.Header{}}
			one.ServeHTTP(w, r)
			w.check(t, path)
		}
	})
}

// noAgents is a host without any.
type noAgents struct{ host }

func (noAgents) Agent(string) *agent.Agent { return nil }

// docsHandler serves the site as hosts of several agents do.
func docsHandler(f *testing.F, site http.Handler) http.Handler {
	f.Helper()
	o := Options{Mode: ModeMulti, Docs: site, Playground: playground.New()}
	cors, err := newOrigins(nil)
	if err != nil {
		f.Fatal(err)
	}
	r, err := newRouter(&o)
	if err != nil {
		f.Fatal(err)
	}
	return &handler{o: o, host: noAgents{}, cors: cors, router: r, patience: patience}
}

// kept is an answer in memory.
type kept struct {
	header http.Header
	status int
	body   strings.Builder
}

func (k *kept) Header() http.Header { return k.header }

func (k *kept) WriteHeader(status int) { k.status = status }

func (k *kept) Write(b []byte) (int, error) {
	if k.status == 0 {
		k.status = http.StatusOK
	}
	return k.body.Write(b)
}

func (k *kept) check(t *testing.T, path string) {
	t.Helper()
	body := k.body.String()
	if k.status != 200 && k.status != 404 && k.status != 400 || k.header.Get("Location") != "" {
		t.Errorf("%q: %d %v", path, k.status, k.header)
	}
	if k.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%q: %v", path, k.header)
	}
	if k.status != 200 && (strings.Contains(body, "root:") || strings.Contains(body, "goroutine ") || len(path) > 9 && strings.Contains(body, path)) {
		t.Errorf("%q: is answered with %.300s", path, body)
	}
}
