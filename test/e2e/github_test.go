package e2e

import (
	"fmt"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gobdk/bdk/actors/github/githubtest"
)

var githubs = newTable[string, *githubtest.Server]()

// gitHub starts a stand-in of GitHub.
func gitHub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: github repository number diff-file")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	s := githubtest.New("keeper")
	s.AddPull(args[0], n, githubtest.Pull{Title: "Add a cart", Author: "alice", HeadSHA: "h1", Diff: ts.ReadFile(args[2])})
	ts.Setenv("GITHUB_API_URL", s.URL)
	githubs.put(ts.Name(), s)
	ts.Defer(s.Close)
}

// commented waits for comments and prints them. More of them than expected fail at once.
func commented(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := githubs.take(ts.Name())
	if neg || len(args) != 3 || !ok {
		ts.Fatalf("usage: commented repository number count, after github")
	}
	githubs.put(ts.Name(), s) // for the next time
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	want, err := strconv.Atoi(args[2])
	ts.Check(err)
	deadline := time.After(patience)
	for {
		list := s.Comments(args[0], n)
		if len(list) >= want {
			for _, c := range list {
				_, _ = fmt.Fprintf(ts.Stdout(), "%d %s\n", c.ID, c.Body)
			}
			if len(list) > want {
				ts.Fatalf("there are %d comments, expected %d", len(list), want)
			}
			return
		}
		select {
		case <-deadline:
			ts.Fatalf("there are %d comments, expected %d; it was asked %+v", len(list), want, s.Requests("", ""))
		case <-time.After(20 * time.Millisecond):
		}
	}
}
