package cli

import (
	"strings"
	"testing"
)

var (
	received = `message.received {"text":"hi","from":"user"}`
	started  = `turn.started {"model":"scripted"}`
	step1    = `step.started {"step":1,"attempt":1}`
	calls    = `message.completed {"text":"","finishReason":"tool-calls"}`
	asks     = `actions.requested {"calls":[{"callId":"c1","toolName":"merge","args":{"pr":1}}]}`
	waits    = `input.requested {"requestId":"r1","kind":"approval","callId":"c1","toolName":"merge","args":{"pr":1}}`
	says     = `message.completed {"text":"All done.","finishReason":"stop"}`
	ends     = `turn.completed {}`
	idle     = `session.waiting`
)

func plainTurn() string {
	return script(1, received, started, step1, `message.appended {"text":"All "}`, `message.appended {"text":"done."}`, says, ends, idle)
}

// cli.md: "one turn; streams text, tools, approvals".
func TestRun_StreamsTextAndTools(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{"POST /v1/session": {script(1, received, started, step1, calls, asks,
		`action.result {"callId":"c1","toolName":"merge","output":{"ok":true},"isError":false}`,
		`step.started {"step":2,"attempt":1}`, `message.appended {"text":"All "}`, `message.appended {"text":"done."}`, says, ends, idle)}})
	b := newBench(t, "run", "--url", url, "--message", "hi")
	b.want(t, ExitOK, "", "session ses_1: go on with --session ses_1\n")
	if got := b.out.String(); got != "→ merge {\"pr\":1}\n← merge {\"ok\":true}\nAll done.\n" {
		t.Errorf("printed %q", got)
	}
}

// cli.md: "--text (reply alone)".
func TestRun_TextPrintsTheReplyAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, "run", "--url", fakeHost(t, map[string][]string{"POST /v1/session": {plainTurn()}}), "--message", "hi", "--text")
	b.want(t, ExitOK, "", "")
	if b.out.String() != "All done.\n" {
		t.Errorf("printed %q", b.out.String())
	}
}

// cli.md: "--json (events)".
func TestRun_JSONPrintsTheEventsAsTheyAre(t *testing.T) {
	t.Parallel()
	b := newBench(t, "run", "--url", fakeHost(t, map[string][]string{"POST /v1/session": {plainTurn()}}), "--message", "hi", "--json")
	b.want(t, ExitOK, "", "")
	if b.out.String() != plainTurn()+"\n" {
		t.Errorf("printed %s", b.out.String())
	}
}

func TestRun_SendsWhatANewSessionTakes(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{"POST /v1/session": {plainTurn()}})
	b := newBench(t, "run", "--url", url, "--message", "-", "--dry-run", "--as-of", "2026-01-02T03:04:05+01:00", "--file", "a/b.md=b.md", "--file", "c.bin=c.bin")
	b.Stdin = strings.NewReader("from stdin")
	write(t, b.Dir+"/b.md", "text")
	write(t, b.Dir+"/c.bin", "\xff\x00")
	b.want(t, ExitOK, "", "")
	want := `POST /v1/session {"message":"from stdin","dryRun":true,"asOf":"2026-01-02T03:04:05+01:00","workspaceFiles":{"a/b.md":"text","c.bin":{"base64":"/wA="}}}`
	if got := strings.Join(api.requests(), "\n"); got != want {
		t.Errorf("asked %s", got)
	}
}

func TestRun_ContinuesASession(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"GET /v1/session/ses_1":  {`{"ok":true,"session":{"id":"ses_1","continuationToken":"http:7"}}`},
		"POST /v1/session/ses_1": {plainTurn()},
	})
	b := newBench(t, "run", "--url", url, "--message", "more", "--session", "ses_1")
	b.want(t, ExitOK, "All done.\n", "")
	if got := api.requests(); got[len(got)-1] != `POST /v1/session/ses_1 {"continuationToken":"http:7","message":"more"}` {
		t.Errorf("asked %q", got)
	}
}

// cli.md: "run exits 1 on turn.failed".
func TestRun_AFailedTurnExitsWith1(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{"POST /v1/session": {script(1, received, started, step1,
		`turn.failed {"message":"OPENAI_API_KEY is not set","code":"model_error"}`, idle)}})
	newBench(t, "run", "--url", url, "--message", "hi").want(t, ExitFailed, "", "bdk: the turn failed: OPENAI_API_KEY is not set (model_error)\n")
}

// cli.md: "4 when it ended parked with nobody to ask".
func TestRun_ParkedWithNobodyToAskExitsWith4(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{"POST /v1/session": {script(1, received, started, step1, calls, asks, waits)}})
	newBench(t, "run", "--url", url, "--message", "hi").
		want(t, ExitParked, "→ merge", "bdk: session ses_1 waits for your approval of merge (c1): decide with bdk chat --session ses_1\n")
}

// cli.md: "approvals (asked on a terminal)".
func TestRun_ApprovalsAreAskedOnATerminal(t *testing.T) {
	t.Parallel()
	for answer, decision := range map[string]string{"y\n": "approve", "what?\nno\n": "deny"} {
		url, api := fakeAPI(t, map[string][]string{
			"POST /v1/session":                    {script(1, received, started, step1, calls, asks, waits)},
			"POST /v1/session/ses_1/approvals/c1": {`{"ok":true}`},
			"GET /v1/session/ses_1/stream":        {script(7, `input.resolved {"requestId":"r1","callId":"c1","decision":"`+decision+`"}`, says, ends, idle)},
		})
		b := newBench(t, "run", "--url", url, "--message", "hi").onTerminal()
		b.Stdin = strings.NewReader(answer)
		b.Environ = []string{"NO_COLOR=1"}
		b.want(t, ExitOK, "All done.\n", "merge wants to run with\n  {\n    \"pr\": 1\n  }\nrun it? [y/n] ")
		got := strings.Join(api.requests(), "\n")
		if !strings.Contains(got, `POST /v1/session/ses_1/approvals/c1 {"decision":"`+decision+`"}`) || !strings.Contains(got, "startIndex=7&until=idle") {
			t.Errorf("asked %s", got)
		}
	}
}

func TestRun_AnApprovalDecidedElsewhereIsTaken(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{
		"POST /v1/session":                    {script(1, received, started, step1, calls, asks, waits)},
		"POST /v1/session/ses_1/approvals/c1": {`409|{"ok":false,"error":"already_resolved"}`},
		"GET /v1/session/ses_1/stream":        {script(7, `input.resolved {"requestId":"r1","callId":"c1","decision":"deny"}`, says, ends, idle)},
	})
	b := newBench(t, "run", "--url", url, "--message", "hi").onTerminal()
	b.Stdin = strings.NewReader("y\n")
	b.want(t, ExitOK, "All done.", "")
}

// S20: the arguments shown have nothing hidden in them.
func TestRun_ArgumentsAreShownWithNothingHidden(t *testing.T) {
	t.Parallel()
	hostile := strings.ReplaceAll(waits, `{"pr":1}`, `{"pr":"a\u202eb\u001b[2J`+"\u200b"+`"}`)
	url := fakeHost(t, map[string][]string{"POST /v1/session": {script(1, received, started, step1, calls, asks, hostile)}})
	b := newBench(t, "run", "--url", url, "--message", "hi").onTerminal()
	b.want(t, ExitParked, "", `a\u202eb\u001b[2J\u200b`)
}

func TestRun_TextCannotMoveATerminal(t *testing.T) {
	t.Parallel()
	turn := script(1, received, started, step1, `message.completed {"text":"a\u001b]0;x\u0007b\n","finishReason":"stop"}`, ends, idle)
	for _, args := range [][]string{{}, {"--text"}} {
		url := fakeHost(t, map[string][]string{"POST /v1/session": {turn}})
		b := newBench(t, append([]string{"run", "--url", url, "--message", "hi"}, args...)...).onTerminal()
		b.want(t, ExitOK, `a\x1b]0;x\x07b`+"\n", "")
	}
}

func TestRun_ABrokenStreamIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"POST /v1/session":             {script(1, received, started, step1) + "\n" + `{"type":"mess`},
		"GET /v1/session/ses_1/stream": {`503|{"ok":false,"error":"draining"}`, script(4, says, ends, idle)},
	})
	newBench(t, "run", "--url", url, "--message", "hi").want(t, ExitOK, "All done.\n", "")
	if got := strings.Join(api.requests(), "\n"); strings.Count(got, "startIndex=4&until=idle") != 2 {
		t.Errorf("asked %s", got)
	}
}

func TestRun_RefusalsAreSaidInALine(t *testing.T) {
	t.Parallel()
	for answer, stderr := range map[string]string{
		`401|{"ok":false,"error":"unauthorized","message":"no policy admits this"}`: "bdk: the host wants a token: pass --token or set BDK_TOKEN (no policy admits this (unauthorized))\n",
		`429|{"ok":false,"error":"too_many_messages","message":"100 wait"}`:         "bdk: 100 wait (too_many_messages)\n",
	} {
		url := fakeHost(t, map[string][]string{"POST /v1/session": {answer}})
		newBench(t, "run", "--url", url, "--message", "hi").want(t, ExitFailed, "", stderr)
	}
}

// Of a subagent people see the calls, marked with its name; its texts would run into
// the reply, and into each other.
func TestPrinter_Subagents(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{"POST /v1/session": {script(1, received, started, step1,
		`actions.requested {"calls":[{"callId":"c1","toolName":"task","args":{"subagent":"reader","prompt":"read"}}]}`,
		`subagent.called {"callId":"c1","name":"reader","task":"read"}`, `step.started {"step":1,"attempt":1,"parentCallId":"c1"}`,
		`message.appended {"text":"Hm","parentCallId":"c1"}`, `step.started {"step":1,"attempt":2,"parentCallId":"c1"}`,
		`message.completed {"text":"Reading.","finishReason":"tool-calls","parentCallId":"c1"}`,
		`actions.requested {"calls":[{"callId":"c2","toolName":"look","args":{"n":4}}],"parentCallId":"c1"}`,
		`action.result {"callId":"c2","toolName":"look","output":"birds","isError":false,"parentCallId":"c1"}`,
		`message.completed {"text":"It is about birds.","finishReason":"stop","parentCallId":"c1"}`,
		`subagent.completed {"callId":"c1","name":"reader","output":"It is about birds.","isError":false}`,
		`action.result {"callId":"c1","toolName":"task","output":"It is about birds.","isError":false}`,
		says, ends, idle)}})
	b := newBench(t, "run", "--url", url, "--message", "hi")
	b.want(t, ExitOK, `→ task {"subagent":"reader","prompt":"read"}
  reader → look {"n":4}
  reader ← look "birds"
← task "It is about birds."
All done.
`, "")
}

func TestPrinter_ANewAttemptVoidsWhatStood(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{"POST /v1/session": {script(1, received, started, step1, `message.appended {"text":"All"}`,
		`step.started {"step":1,"attempt":2}`, `message.appended {"text":"All done."}`, says, ends, idle)}})
	b := newBench(t, "run", "--url", url, "--message", "hi")
	b.want(t, ExitOK, "All\nthe answer broke off; starting again\nAll done.\n", "")
}
