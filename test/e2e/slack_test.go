package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gobdk/bdk/actors/slack/slacktest"
)

var slacks = newTable[string, *slacktest.Server]()

// slackAPI starts a stand-in of Slack.
func slackAPI(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: slack")
	}
	s := slacktest.New()
	ts.Setenv("SLACK_API_URL", s.URL)
	slacks.put(ts.Name(), s)
	ts.Defer(s.Close)
}

// posted waits until a channel has so many messages, of which the last shows a text, and
// prints them. More of them than expected fail at once.
func posted(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := slacks.take(ts.Name())
	if neg || len(args) < 2 || len(args) > 3 || !ok {
		ts.Fatalf("usage: posted channel count [text], after slack")
	}
	slacks.put(ts.Name(), s) // for the next time
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	deadline := time.After(patience)
	for {
		list := s.Messages(args[0])
		if len(list) > want {
			ts.Fatalf("there are %d messages, expected %d: %+v", len(list), want, list)
		}
		if len(list) == want && (len(args) == 2 || strings.Contains(list[want-1].Text+string(list[want-1].Blocks), args[2])) {
			for _, m := range list {
				_, _ = fmt.Fprintf(ts.Stdout(), "%s < %s: %s %s\n", m.TS, m.Thread, m.Text, m.Blocks)
			}
			return
		}
		select {
		case <-deadline:
			ts.Fatalf("there are %+v; it was asked %+v", list, s.Requests(""))
		case <-time.After(20 * time.Millisecond):
		}
	}
}
