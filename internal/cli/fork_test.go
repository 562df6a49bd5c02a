package cli

import (
	"regexp"
	"strings"
	"testing"
)

// cli.md: "`sessions` | list, `show`, …, `fork <id> --at N`", through a host.
func TestSessionsFork_ThroughAHost(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"POST /v1/session/ses_1/fork": {`202|{"ok":true,"sessionId":"ses_9","continuationToken":"http:x","index":7}`},
		"POST /v1/session/ses_2/fork": {`404|{"ok":false,"error":"unknown_session","message":"no"}`},
		"POST /v1/session/ses_3/fork": {`400|{"ok":false,"error":"invalid_index","message":"there is no event 99"}`},
		"GET /v1/session/ses_1/state": {`{"ok":true,"sessionId":"ses_1","index":12,"status":"waiting"}`},
	})
	newBench(t, "sessions", "fork", "ses_1", "--at", "9", "--url", url).want(t, ExitOK, "session ses_9 has the history of ses_1 up to event 7\n", "")
	newBench(t, "sessions", "fork", "ses_1", "--url", url, "--json").want(t, ExitOK, `"forkedFrom": "ses_1"`, "")
	if got := strings.Join(api.requests(), "\n"); got != "POST /v1/session/ses_1/fork {\"index\":9}\nGET /v1/session/ses_1/state\nPOST /v1/session/ses_1/fork {\"index\":12}" {
		t.Errorf("asked %s", got)
	}
	newBench(t, "sessions", "fork", "ses_2", "--at", "0", "--url", url).want(t, ExitFailed, "", "there is no session ses_2")
	newBench(t, "sessions", "fork", "ses_3", "--at", "99", "--url", url).want(t, ExitFailed, "", "there is no event 99")
	newBench(t, "sessions", "fork", "ses_1", "--at", "-1", "--url", url).want(t, ExitUsage, "", "--at")
	newBench(t, "sessions", "fork").want(t, ExitUsage, "", "a session's id")
}

// "Without a host a command acts as `{kind: "local", id: "local"}` with channel `cli`."
func TestSessionsFork_WithoutAHost(t *testing.T) {
	t.Parallel()
	b := newBench(t, "init", "todo")
	b.want(t, ExitOK, "", "")
	dir := b.Dir + "/todo"
	in := func(args ...string) *bench {
		b := newBench(t, args...)
		b.Dir = dir
		return b
	}
	run := in("run", "--message", "hello", "--model", "scripted")
	run.want(t, ExitOK, "", "")
	id := regexp.MustCompile("ses_[0-9A-Z]{26}").FindString(run.err.String())
	forked := in("sessions", "fork", id)
	forked.want(t, ExitOK, "has the history of "+id, "")
	fork := regexp.MustCompile("ses_[0-9A-Z]{26}").FindString(forked.out.String())
	in("sessions", "show", fork).want(t, ExitOK, "forked from  "+id+" up to event ", "")
	in("sessions", "show", fork, "--json").want(t, ExitOK, `"channelId": "cli"`, "")
	in("sessions", "fork", id, "--at", "1000").want(t, ExitFailed, "", "--at 1000: the newest event of session "+id)
	in("sessions", "fork", "ses_2").want(t, ExitFailed, "", "there is no session ses_2")
}
