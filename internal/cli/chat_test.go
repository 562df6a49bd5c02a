package cli

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A typist types on a terminal: each line when the screen shows what it waits for.
type typist struct {
	t    *testing.T
	b    *bench
	keys *io.PipeWriter
	sig  chan os.Signal
	done chan int
}

// startChat runs a chat on a terminal until it ends by itself.
func startChat(t *testing.T, args ...string) *typist {
	t.Helper()
	return startTyping(t, append([]string{"chat"}, args...)...)
}

// startTyping runs any command so.
func startTyping(t *testing.T, args ...string) *typist {
	t.Helper()
	r, w := io.Pipe()
	y := &typist{t: t, b: newBench(t, args...).onTerminal(), keys: w, sig: make(chan os.Signal, 4), done: make(chan int, 1)}
	y.b.Stdin, y.b.Signals, y.b.Environ = bufio.NewReader(r), y.sig, []string{"NO_COLOR=1"}
	go func() { y.done <- Main(y.b.Process) }()
	t.Cleanup(func() { _ = w.Close() })
	return y
}

// sees waits until the reply, or what is said beside it, has a text n times.
func (y *typist) sees(text string, n int) {
	y.t.Helper()
	y.b.out.await(y.t, text, n)
}

func (y *typist) told(text string, n int) {
	y.t.Helper()
	y.b.err.await(y.t, text, n)
}

func (y *typist) types(line string) {
	y.t.Helper()
	if _, err := io.WriteString(y.keys, line+"\n"); err != nil {
		y.t.Fatal(err)
	}
}

func (y *typist) ends(code int) {
	y.t.Helper()
	select {
	case got := <-y.done:
		if got != code {
			y.t.Errorf("exit code %d, want %d\nstdout: %s\nstderr: %s", got, code, y.b.out.String(), y.b.err.String())
		}
	case <-time.After(10 * time.Second):
		y.t.Fatalf("the chat did not end\nstdout: %s\nstderr: %s", y.b.out.String(), y.b.err.String())
	}
}

func TestChat_TalksAndQuits(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"POST /v1/session":       {plainTurn()},
		"GET /v1/session/ses_1":  {`{"ok":true,"session":{"continuationToken":"http:2"}}`},
		"POST /v1/session/ses_1": {script(9, received, started, `message.completed {"text":"Again.","finishReason":"stop"}`, ends, idle)},
	})
	y := startChat(t, "--url", url)
	y.told("> ", 1)
	y.types("/help")
	y.told("/stop   end the running turn", 1)
	y.types("")
	y.types("/stop")
	y.told("there is no turn to stop", 1)
	y.types("hello")
	y.sees("All done.", 1)
	y.types("more")
	y.sees("Again.", 1)
	y.types("/quit")
	y.ends(ExitOK)
	y.told("session ses_1: go on with bdk chat --session ses_1", 1)
	if got := api.requests(); !strings.HasSuffix(got[len(got)-1], `{"continuationToken":"http:2","message":"more"}`) {
		t.Errorf("asked %q", got)
	}
}

func TestChat_AsksForApprovals(t *testing.T) {
	t.Parallel()
	url, api := fakeAPI(t, map[string][]string{
		"POST /v1/session":                    {script(1, received, started, step1, calls, asks, waits)},
		"POST /v1/session/ses_1/approvals/c1": {`{"ok":true}`},
		"GET /v1/session/ses_1/stream":        {script(7, `input.resolved {"requestId":"r1","callId":"c1","decision":"deny"}`, says, ends, idle)},
	})
	y := startChat(t, "--url", url)
	y.types("merge it")
	y.told("run it? [y/n] ", 1)
	y.types("perhaps")
	y.told("run it? [y/n] ", 2)
	y.types("n")
	y.sees("All done.", 1)
	_ = y.keys.Close() // Ctrl-D
	y.ends(ExitOK)
	if got := strings.Join(api.requests(), "\n"); !strings.Contains(got, `approvals/c1 {"decision":"deny"}`) {
		t.Errorf("asked %s", got)
	}
}

// stoppable is a turn that runs until it is stopped.
func stoppable() map[string][]string {
	return map[string][]string{
		"POST /v1/session":             {script(1, received, started, step1, `message.appended {"text":"Long "}`)},
		"GET /v1/session/ses_1/stream": {script(5, `turn.failed {"message":"stopped","status":"cancelled"}`, idle)},
		"POST /v1/session/ses_1/stop":  {`{"ok":true,"stopped":true}`},
	}
}

func TestChat_CtrlCEndsTheTurnFirst(t *testing.T) {
	t.Parallel()
	answers := stoppable()
	answers["POST /v1/session"] = []string{answers["POST /v1/session"][0] + "\n…"}
	url, api := fakeAPI(t, answers)
	y := startChat(t, "--url", url)
	y.types("hello")
	y.sees("Long ", 1)
	y.sig <- os.Interrupt
	api.log.await(t, "POST /v1/session/ses_1/stop", 1)
	y.sig <- os.Interrupt // twice ends
	y.ends(ExitInterrupted)
}

func TestChat_CtrlCTwiceAtThePromptEndsIt(t *testing.T) {
	t.Parallel()
	y := startChat(t, "--url", fakeHost(t, nil))
	y.told("> ", 1)
	y.sig <- os.Interrupt
	y.told("press Ctrl-C again to leave", 1)
	y.sig <- os.Interrupt
	y.ends(ExitInterrupted)
}

func TestChat_StopTypedDuringATurn(t *testing.T) {
	t.Parallel()
	answers := stoppable()
	answers["GET /v1/session/ses_1/stream"] = []string{
		script(5, `message.appended {"text":"and longer"}`), script(6, `turn.failed {"message":"by you","status":"cancelled"}`, idle)}
	url, api := fakeAPI(t, answers)
	y := startChat(t, "--url", url)
	y.types("hello")
	y.sees("Long ", 1)
	y.types("/stop")
	y.told("the turn was cancelled: by you", 1)
	y.types("/quit")
	y.ends(ExitOK)
	if got := strings.Join(api.requests(), "\n"); !strings.Contains(got, "POST /v1/session/ses_1/stop") {
		t.Errorf("asked %s", got)
	}
}

func TestChat_LinesFromAPipe(t *testing.T) {
	t.Parallel()
	b := newBench(t, "chat", "--url", fakeHost(t, map[string][]string{
		"POST /v1/session":       {plainTurn()},
		"GET /v1/session/ses_1":  {`{"ok":true,"session":{"continuationToken":"http:2"}}`},
		"POST /v1/session/ses_1": {script(9, received, started, `turn.failed {"message":"no","code":"model_error"}`, idle)},
	}))
	b.Stdin = strings.NewReader("one\n\ntwo")
	b.want(t, ExitFailed, "All done.\n", "the turn failed: no (model_error)")
}

func TestChat_ContinuesAParkedSession(t *testing.T) {
	t.Parallel()
	url := fakeHost(t, map[string][]string{
		"GET /v1/session/ses_1/stream": {
			script(0, `session.started {"agent":"bot"}`, `message.received {"text":"merge it","from":"user"}`, started, step1, `message.completed {"text":"Merging.","finishReason":"tool-calls"}`, asks, waits),
			script(7, `input.resolved {"requestId":"r1","callId":"c1","decision":"approve"}`, says, ends, idle)},
		"POST /v1/session/ses_1/approvals/c1": {`{"ok":true}`},
	})
	y := startChat(t, "--url", url, "--session", "ses_1")
	y.sees("> merge it\nMerging.\n", 1)
	y.told("run it? [y/n] ", 1)
	y.types("y")
	y.sees("All done.", 1)
	y.types("/quit")
	y.ends(ExitOK)
}
