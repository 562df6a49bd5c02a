package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// cli.md: "a server tool without a model; exit 1 on an error result".
func TestCall_PrintsTheResult(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"POST /v1/tools/add":  {`{"ok":true,"toolName":"add","callId":"tool_add_1","isError":false,"result":{"n":12345678901234567890},"durationMs":1}`},
		"POST /v1/tools/fail": {`{"ok":true,"toolName":"fail","callId":"tool_fail_1","isError":true,"message":"no\nway","code":"tool_error","durationMs":1}`},
		"POST /v1/tools/none": {`404|{"ok":false,"error":"unknown_tool","message":"no","available":["add","fail"]}`},
		"POST /v1/tools/bad":  {`400|{"ok":false,"error":"invalid_input","message":"the input does not fit","issues":[{"path":"a","message":"is required"}]}`},
	})
	b := newBench(t, "call", "add", "--url", url, "--input", ` {"a":1} `)
	b.want(t, ExitOK, "", "")
	if b.out.String() != "{\"n\":12345678901234567890}\n" {
		t.Errorf("printed %q", b.out.String())
	}
	if got := api.requests(); got[0] != `POST /v1/tools/add {"input":{"a":1}}` {
		t.Errorf("asked %q", got)
	}
	newBench(t, "call", "add", "--url", url).onTerminal().want(t, ExitOK, "{\n  \"n\": 12345678901234567890\n}\n", "")
	newBench(t, "call", "fail", "--url", url).want(t, ExitFailed, "", "bdk: fail: no\nway (tool_error)\n")
	newBench(t, "call", "fail", "--url", url, "--json").want(t, ExitFailed, `"isError": true`, "")
	newBench(t, "call", "none", "--url", url).want(t, ExitUsage, "", `there is no tool "none": there is add, fail`)
	newBench(t, "call", "bad", "--url", url).want(t, ExitFailed, "", "the input does not fit: is required (at a) (invalid_input)")
	b = newBench(t, "call", "add", "--url", url, "--input", "-")
	b.Stdin = strings.NewReader(`{"b":2}`)
	b.want(t, ExitOK, "", "")
	if got := api.requests(); got[len(got)-1] != `POST /v1/tools/add {"input":{"b":2}}` {
		t.Errorf("asked %q", got)
	}
}

const row = `{"id":"ses_1","agent":"bot","channelId":"http","mode":"chat","purpose":"live","status":"parked","createdAt":"2026-01-02T03:04:05.000Z","updatedAt":"2026-01-02T03:04:06.000Z","turns":2,"lastMessage":"hi\nthere","usage":{"inputTokens":3,"cacheReadTokens":0,"cacheWriteTokens":0,"outputTokens":4},"principal":{"kind":"local","id":"local"}}`

func TestSessions_ThroughAHost(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"GET /v1/sessions":                {`{"ok":true,"sessions":[` + row + `]}`},
		"GET /v1/session/ses_1":           {`{"ok":true,"session":` + row + `}`},
		"GET /v1/session/ses_2":           {`404|{"ok":false,"error":"unknown_session","message":"no"}`},
		"GET /v1/session/ses_1/approvals": {`{"ok":true,"approvals":[{"callId":"c1","toolName":"merge","args":{"pr":1}}]}`},
		"GET /v1/session/ses_1/stream":    {plainTurn()},
		"POST /v1/session/ses_1/stop":     {`{"ok":true,"stopped":true}`, `{"ok":true,"stopped":false}`},
		"POST /v1/session/ses_2/stop":     {`404|{"ok":false,"error":"unknown_session","message":"no"}`},
	})
	newBench(t, "sessions", "list", "--url", url, "--status", "parked", "--query", "x y").want(t, ExitOK, "  bot               hi there\n", "")
	newBench(t, "sessions", "--url", url, "--json").want(t, ExitOK, "\"id\": \"ses_1\"", "")
	if got := strings.Join(api.requests(), "\n"); got != "GET /v1/sessions?limit=50&q=x+y&status=parked\nGET /v1/sessions?limit=50" {
		t.Errorf("asked %s", got)
	}
	newBench(t, "sessions", "show", "ses_1", "--url", url).want(t, ExitOK, "waits for    merge {\"pr\":1} (c1)\n", "")
	newBench(t, "sessions", "show", "ses_1", "--url", url, "--json").want(t, ExitOK, "\"status\": \"parked\"", "")
	newBench(t, "sessions", "show", "ses_2", "--url", url).want(t, ExitFailed, "", "there is no session ses_2")
	newBench(t, "sessions", "events", "ses_1", "--url", url).want(t, ExitOK, plainTurn()+"\n", "")
	newBench(t, "sessions", "events", "ses_2", "--url", url).want(t, ExitFailed, "", "there is no session ses_2")
	newBench(t, "sessions", "stop", "ses_1", "--url", url).want(t, ExitOK, "stopped the turn of session ses_1\n", "")
	newBench(t, "sessions", "stop", "ses_1", "--url", url, "--json").want(t, ExitOK, `"stopped": false`, "")
	newBench(t, "sessions", "stop", "ses_1", "--url", url).want(t, ExitOK, "has no running turn", "")
	newBench(t, "sessions", "stop", "ses_2", "--url", url).want(t, ExitFailed, "", "there is no session ses_2")
}

func TestSessions_AllAgentsOfAHost(t *testing.T) {
	t.Parallel()
	newer := strings.NewReplacer(`"ses_1"`, `"ses_9"`, "03:04:06", "04:00:00").Replace(row)
	url := fakeHost(t, map[string][]string{
		"GET /v1/info":            nil,
		"GET /v1/agents":          {`{"ok":true,"agents":[{"slug":"a"},{"slug":"b"}]}`},
		"GET /a/v1/info":          {`{}`},
		"GET /a/v1/sessions":      {`{"ok":true,"sessions":[` + row + `]}`},
		"GET /b/v1/sessions":      {`{"ok":true,"sessions":[` + newer + `]}`},
		"GET /a/v1/session/ses_9": {`404|{"ok":false,"error":"unknown_session"}`},
		"GET /b/v1/session/ses_9": {`{"ok":true,"session":` + newer + `}`},
	})
	b := newBench(t, "sessions", "--url", url, "--json", "--last", "2")
	b.want(t, ExitOK, "", "")
	if strings.Index(b.out.String(), "ses_9") > strings.Index(b.out.String(), "ses_1") {
		t.Errorf("not newest first: %s", b.out.String())
	}
	newBench(t, "sessions", "show", "ses_9", "--url", url, "--json").want(t, ExitOK, "ses_9", "")
	newBench(t, "sessions", "--url", url, "--json").want(t, ExitOK, `"createdAt": "2026-01-02T03:04:05.000Z",`, "")
	newBench(t, "run", "--message", "m", "--url", url).want(t, ExitUsage, "", "has several agents: choose one with --slug: a, b")
	newBench(t, "run", "--message", "m", "--url", url, "--slug", "c").want(t, ExitUsage, "", `has no agent "c": it has a, b`)
}

func TestSessions_OfAStateRootThatWasNeverUsed(t *testing.T) {
	t.Parallel()
	b := newBench(t, "sessions")
	b.want(t, ExitOK, "", "there are no sessions")
	if _, err := os.Stat(b.Dir + "/.bdk"); !os.IsNotExist(err) {
		t.Errorf("looking made the state root: %v", err)
	}
	newBench(t, "sessions", "--json").want(t, ExitOK, `"sessions": []`, "")
	newBench(t, "sessions", "show", "ses_1").want(t, ExitFailed, "", "there is no session ses_1")
}

func TestLogs_PrintsAndFollows(t *testing.T) {
	t.Parallel()
	answers := map[string][]string{"GET /v1/logs": {
		`{"ok":true,"lines":[{"n":1,"at":"2026-01-02T03:04:05.000Z","level":"info","message":"one\u001b[2J","fields":{"agent":"bot"}}],"next":1}`,
		`{"ok":true,"lines":[{"n":2,"at":"2026-01-02T03:04:05.000Z","level":"warn","message":"two","fields":{}}],"next":2}`,
		`{"ok":true,"lines":[],"next":2}`}}
	newBench(t, "logs", "--url", fakeHost(t, answers)).want(t, ExitOK, `info  one\x1b[2J agent=bot`+"\n", "")
	b := newBench(t, "logs", "--url", fakeHost(t, answers), "--json")
	b.want(t, ExitOK, `"at":"2026-01-02T03:04:05.000Z","level"`, "")
	var line map[string]any
	if err := json.Unmarshal([]byte(b.out.String()), &line); err != nil || line["level"] != "info" {
		t.Errorf("printed %q, %v", b.out.String(), err)
	}

	b = newBench(t, "logs", "--url", fakeHost(t, answers), "--follow")
	sig, done := make(chan os.Signal, 1), make(chan int, 1)
	b.Signals = sig
	go func() { done <- Main(b.Process) }()
	b.out.await(t, "warn  two", 1)
	sig <- os.Interrupt
	if code := <-done; code != ExitInterrupted || strings.Count(b.out.String(), "\n") != 2 {
		t.Errorf("exit code %d, printed %q", code, b.out.String())
	}
}

// host.md: "Secrets … never appear in a log, an error, an event or info."
func TestMain_ErrorsHideSecrets(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{"POST /v1/session": {`401|{"ok":false,"error":"x","message":"bad token canary-1234 and canary-5678"}`}})
	b := newBench(t, "run", "--url", url, "--message", "m", "--token", "canary-1234")
	b.Environ = []string{"OPENAI_API_KEY=canary-5678"}
	b.want(t, ExitFailed, "", "bad token [redacted] and [redacted]")
	if strings.Contains(b.err.String(), "canary") {
		t.Errorf("a secret is in %q", b.err.String())
	}
}

// cli.md: "Ctrl-C stops cleanly."
func TestRun_CtrlCStopsTheTurnAndExitsWith130(t *testing.T) {
	t.Parallel()
	answers := stoppable()
	answers["POST /v1/session"] = []string{answers["POST /v1/session"][0] + "\n…"}
	url, api := fakeAPI(t, answers)
	b := newBench(t, "run", "--url", url, "--message", "hi")
	sig, done := make(chan os.Signal, 1), make(chan int, 1)
	b.Signals = sig
	go func() { done <- Main(b.Process) }()
	b.out.await(t, "Long ", 1)
	sig <- os.Interrupt
	if code := <-done; code != ExitInterrupted || !strings.Contains(b.err.String(), "stopped the turn of session ses_1") {
		t.Errorf("exit code %d, stderr %q, asked %q", code, b.err.String(), api.requests())
	}
}
