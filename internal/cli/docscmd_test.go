package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/gobdk/bdk/transport/docs"
)

// cli.md: "`docs`: … the docs in a browser".
func TestDocs_OfAHost(t *testing.T) {
	t.Parallel()
	with := httptest.NewServer(docs.New(nil))
	defer with.Close()
	without := httptest.NewServer(http.NotFoundHandler())
	defer without.Close()
	newBench(t, "docs", "--url", with.URL).want(t, ExitOK, with.URL+"/docs\n", "")
	b := newBench(t, "docs", "--page", "tools", "--url", with.URL+"/bot").onTerminal()
	opened := ""
	b.Browse = func(url string) error { opened = url; return nil }
	b.want(t, ExitOK, with.URL+"/docs/tools\n", "")
	if opened != with.URL+"/docs/tools" {
		t.Errorf("opened %q", opened)
	}
	newBench(t, "docs", "--url", without.URL).want(t, ExitNoStart, "", "serves no documentation (--no-docs)")
	newBench(t, "docs", "--url", "nowhere").want(t, ExitUsage, "", "is no URL of a host")
	newBench(t, "docs", "--page", "nothing").want(t, ExitUsage, "", `there is no page "nothing": there are quickstart, `)
}

// Where no host runs it serves the pages by itself, until it is interrupted.
func TestDocs_ServesThem(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal, 1)
	b := newBench(t, "docs", "--page", "evals")
	b.Signals = signals
	code := make(chan int, 1)
	go func() { code <- Main(b.Process) }()
	b.out.await(t, "/docs/evals\n", 1)
	b.err.await(t, "until Ctrl-C", 1)
	url := strings.TrimSpace(b.out.String())
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(body), "<h1") {
		t.Errorf("%d %v", res.StatusCode, err)
	}
	signals <- syscall.SIGINT
	if got := <-code; got != ExitOK {
		t.Errorf("exit code %d: %s", got, b.err.String())
	}
}

// "`--no-docs` removes the documentation site", which leads to the list of agents where
// that is there.
func TestServe_NoDocs(t *testing.T) {
	t.Parallel()
	a := newApp(newBench(t).Process, func(error) {})
	for _, f := range []*serveFlags{{}, {noDocs: true}, {noPlayground: true}} {
		_, edge := f.options(a.newModels(nil, &f.project), nil)
		if edge.Docs == nil != f.noDocs {
			t.Errorf("with --no-docs %v the site is %v", f.noDocs, edge.Docs)
			continue
		}
		if f.noDocs {
			continue
		}
		w := httptest.NewRecorder()
		edge.Docs.ServeHTTP(w, httptest.NewRequest(http.MethodGet, docs.Path, nil))
		if leads := strings.Contains(w.Body.String(), `href="/">Agents`); w.Code != 200 || leads == f.noPlayground {
			t.Errorf("with --no-playground %v the link to the agents is there: %v", f.noPlayground, leads)
		}
	}
}
