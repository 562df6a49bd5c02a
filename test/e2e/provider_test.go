package e2e

import (
	"fmt"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gobdk/bdk/actors/model/fakemodel"
)

// provider starts a model provider that plays a script and is strict about what
// it is asked; the script fails at its end when something was wrong with that.
func provider(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: provider file")
	}
	s, err := fakemodel.New(ts.ReadFile(args[0]), nil)
	ts.Check(err)
	url, err := s.Start("127.0.0.1:0")
	ts.Check(err)
	ts.Setenv("PROVIDER", url)
	providers.put(ts.Name(), s)
	ts.Defer(func() { _ = s.Close() })
}

var providers = newTable[string, *fakemodel.Server]()

// asked prints what the provider was asked, a body a line, and fails on what a
// strict one would have refused.
func asked(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := providers.take(ts.Name())
	if neg || len(args) != 0 || !ok {
		ts.Fatalf("usage: asked, after provider")
	}
	for _, r := range s.Requests() {
		_, _ = fmt.Fprintf(ts.Stdout(), "%s\n", r.Body)
	}
	if faults := s.Faults(); len(faults) > 0 {
		ts.Fatalf("the provider was asked wrongly: %v", faults)
	}
}

// envsubst fills variables in.
func envsubst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: envsubst file")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
