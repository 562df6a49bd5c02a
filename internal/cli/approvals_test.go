package cli

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const (
	askTwo  = `actions.requested {"calls":[{"callId":"c1","toolName":"gw","args":{"n":1}},{"callId":"c2","toolName":"gw","args":{"n":2}}]}`
	waits1  = `input.requested {"requestId":"r1","kind":"approval","callId":"c1","toolName":"gw","args":{"n":1}}`
	waits2  = `input.requested {"requestId":"r2","kind":"approval","callId":"c2","toolName":"gw","args":{"n":2}}`
	allows1 = `input.resolved {"requestId":"r1","callId":"c1","decision":"approve"}`
	gives1  = `action.result {"callId":"c1","toolName":"gw","output":1,"isError":false}`
	denies2 = `input.resolved {"requestId":"r2","callId":"c2","decision":"deny"}`
	gives2  = `action.result {"callId":"c2","toolName":"gw","output":"denied","isError":true}`
)

// twoCalls is a turn that parks two calls at once. Each stream of it ends where
// the log has the turn at rest: so the one that is asked for after both answers
// ends where the second call still waited.
func twoCalls() map[string][]string {
	return map[string][]string{
		"POST /v1/session":                    {script(1, received, started, step1, calls, askTwo, waits1, waits2)},
		"POST /v1/session/ses_1/approvals/c1": {`{"ok":true}`},
		"POST /v1/session/ses_1/approvals/c2": {`{"ok":true}`},
		"POST /v1/session/ses_1/stop":         {`{"ok":true,"stopped":true}`},
		"GET /v1/session/ses_1/stream": {
			script(8, allows1, gives1),
			script(10, denies2, gives2, says, ends, idle),
		},
	}
}

// decisions are what was posted about calls, in order.
func (a *api) decisions() []string {
	var list []string
	for _, r := range a.requests() {
		if _, rest, ok := strings.Cut(r, "/approvals/"); ok && strings.HasPrefix(r, "POST") {
			list = append(list, rest)
		}
	}
	return list
}

func (y *typist) decided(api *api, want ...string) {
	y.t.Helper()
	if got := api.decisions(); !slices.Equal(got, want) {
		y.t.Errorf("decided %q, want %q", got, want)
	}
	for _, n := range []string{"1", "2"} {
		if got := strings.Count(y.b.err.String(), "\"n\": "+n); got != 1 {
			y.t.Errorf("asked %d times about call %s:\n%s", got, n, y.b.err.String())
		}
	}
}

// cli.md: "approvals (asked on a terminal)": each once, and the answer counts.
func TestRun_TwoCallsThatWaitAreAskedAboutOnce(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, twoCalls())
	y := startTyping(t, "run", "--url", url, "--message", "hi")
	y.told("run it? [y/n] ", 1)
	y.types("y")
	y.told("run it? [y/n] ", 2)
	y.types("n")
	y.ends(ExitOK)
	y.decided(api, `c1 {"decision":"approve"}`, `c2 {"decision":"deny"}`)
}

func TestChat_TwoCallsThatWaitAreAskedAboutOnce(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, twoCalls())
	y := startChat(t, "--url", url)
	y.types("hi")
	y.told("run it? [y/n] ", 1)
	y.types("y")
	y.told("run it? [y/n] ", 2)
	y.types("n")
	y.sees("All done.", 1)
	y.types("/quit")
	y.ends(ExitOK)
	y.decided(api, `c1 {"decision":"approve"}`, `c2 {"decision":"deny"}`)
}

func TestChat_TwoCallsOfASessionThatIsContinued(t *testing.T) {
	t.Parallel()
	answers := twoCalls()
	answers["GET /v1/session/ses_1/stream"] = append([]string{answers["POST /v1/session"][0]}, answers["GET /v1/session/ses_1/stream"]...)
	url, api := fakeAPI(t, answers)
	y := startChat(t, "--url", url, "--session", "ses_1")
	y.told("run it? [y/n] ", 1)
	y.types("y")
	y.told("run it? [y/n] ", 2)
	y.types("n")
	y.sees("All done.", 1)
	_ = y.keys.Close()
	y.ends(ExitOK)
	y.decided(api, `c1 {"decision":"approve"}`, `c2 {"decision":"deny"}`)
}

// stoppedAtTwo is the end of a turn that was stopped while the second call waited.
func stoppedAtTwo() []string {
	return []string{script(8, allows1, gives1), script(10,
		`input.resolved {"requestId":"r2","callId":"c2","decision":"cancelled"}`, `turn.failed {"message":"by you","status":"cancelled"}`, idle)}
}

func TestChat_StoppedInsteadOfDecided(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"/stop", "/quit", "Ctrl-C"} {
		answers := twoCalls()
		answers["GET /v1/session/ses_1/stream"] = stoppedAtTwo()
		url, api := fakeAPI(t, answers)
		y := startChat(t, "--url", url)
		y.types("hi")
		y.told("run it? [y/n] ", 1)
		y.types("y")
		y.told("run it? [y/n] ", 2)
		if how == "Ctrl-C" {
			y.sig <- os.Interrupt
		} else {
			y.types(how)
		}
		y.told("the turn was cancelled: by you", 1)
		if how != "/quit" {
			y.types("/quit")
		}
		y.ends(ExitOK)
		y.decided(api, `c1 {"decision":"approve"}`)
		if got := strings.Count(strings.Join(api.requests(), "\n"), "/stop"); got != 1 {
			t.Errorf("%s: stopped %d times", how, got)
		}
	}
}

func TestRun_NamesOnlyWhatIsNotDecided(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, twoCalls())
	y := startTyping(t, "run", "--url", url, "--message", "hi")
	y.told("run it? [y/n] ", 1)
	y.types("y")
	y.told("run it? [y/n] ", 2)
	_ = y.keys.Close()
	y.ends(ExitParked)
	y.told("waits for your approval of gw (c2): ", 1)
	y.decided(api, `c1 {"decision":"approve"}`)
}

func TestRun_AnAnswerThatCameTooLateIsSaid(t *testing.T) {
	t.Parallel()
	answers := twoCalls()
	answers["POST /v1/session/ses_1/approvals/c2"] = []string{`409|{"ok":false,"error":"already_resolved","message":"this call was decided the other way"}`}
	url, _ := fakeAPI(t, answers)
	y := startTyping(t, "run", "--url", url, "--message", "hi")
	y.told("run it? [y/n] ", 1)
	y.types("y")
	y.told("run it? [y/n] ", 2)
	y.types("n")
	y.told("gw: your answer came too late and does not count: this call was decided the other way (already_resolved)", 1)
	y.ends(ExitOK)
}
