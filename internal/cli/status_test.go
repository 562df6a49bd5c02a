package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// cli.md: "Progress on work longer than a second."
func TestStatus_ComesAfterASecondAndLeavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var screen buffer
		s := newStatus(&screen)
		defer s.end()
		w := s.writer(&screen)
		after := func(d time.Duration, want string) {
			t.Helper()
			timer := time.NewTimer(d)
			<-timer.C
			synctest.Wait()
			if got := screen.String(); got != want {
				t.Errorf("the screen has %q, want %q", got, want)
			}
		}
		s.begin("running slow")
		after(progressAfter-1, "")
		after(1, "running slow …")
		_, _ = io.WriteString(w, "a line\n")
		seen := "running slow …" + clearLine + "a line\n"
		after(0, seen)
		after(progressAfter, seen+"running slow …")
		s.end()
		seen += "running slow …" + clearLine
		after(time.Minute, seen)
		s.begin("short")
		s.end()
		after(time.Minute, seen)
	})
}

func TestStatus_LeavesATextThatIsNotEndedAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var screen buffer
		s := newStatus(&screen)
		defer s.end()
		s.begin("thinking")
		_, _ = io.WriteString(s.writer(&screen), "run it? [y/n] ")
		<-time.NewTimer(time.Minute).C
		synctest.Wait()
		if got := screen.String(); got != "run it? [y/n] " {
			t.Errorf("the screen has %q", got)
		}
		_, _ = io.ReadAll(s.reader(strings.NewReader("y\n"))) // typed: the cursor is on a new line
		s.begin("thinking\x1b[2J" + strings.Repeat("x", 100))
		<-time.NewTimer(progressAfter).C
		synctest.Wait()
		if got := screen.String(); !strings.HasPrefix(got, `run it? [y/n] thinking\x1b[2Jxxx`) || len(got) > 80 {
			t.Errorf("the screen has %q", got)
		}
	})
}

// A live line is there at once, stays below whatever else is written, and is one line
// however often it changes.
func TestStatus_LiveStaysBelowTheText(t *testing.T) {
	t.Parallel()
	var screen buffer
	s := newStatus(&screen)
	s.show("0/2 a")
	s.show("0/2 a, b")
	_, _ = io.WriteString(s.writer(&screen), "a passed\n")
	s.show("1/2 " + strings.Repeat("x", 100))
	s.end()
	_, _ = io.WriteString(s.writer(&screen), "done\n")
	want := "0/2 a …" + clearLine + "0/2 a, b …" + clearLine + "a passed\n0/2 a, b …" + clearLine +
		"1/2 " + strings.Repeat("x", liveWidth-4) + " …" + clearLine + "done\n"
	if got := screen.String(); got != want {
		t.Errorf("the screen has %q, want %q", got, want)
	}
}

// slowHost answers the requests that match only when the screen shows a text.
func slowHost(t *testing.T, screen *buffer, path, text, answer string) string {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			_, _ = io.WriteString(w, `{"ok":true}`)
			return
		}
		w.Header().Set("bdk-session-id", "ses_1")
		first, rest, slow := strings.Cut(answer, "⏳")
		_, _ = io.WriteString(w, first)
		w.(http.Flusher).Flush()
		if slow {
			screen.await(t, text, 1)
		}
		_, _ = io.WriteString(w, rest)
	}))
	t.Cleanup(h.Close)
	return h.URL
}

func TestCall_SaysWhatTakesLong(t *testing.T) {
	t.Parallel()
	b := newBench(t, "call", "slow").onTerminal()
	b.Args = append(b.Args, "--url", slowHost(t, &b.err, "/v1/tools/slow", "running slow …",
		`⏳{"ok":true,"toolName":"slow","callId":"t","isError":false,"result":1,"durationMs":1}`))
	b.want(t, ExitOK, "1\n", "")
	if got := b.err.String(); got != "running slow …"+clearLine {
		t.Errorf("stderr has %q", got)
	}
}

func TestRun_SaysWhatTakesLong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, first, rest string }{
		{"the model is thinking …", script(1, received, started, step1), script(4, says, ends, idle)},
		{"running gw, gw …", script(1, received, started, step1, calls, askTwo), script(6, says, ends, idle)},
		{"running gw, gw …", script(1, received, started, step1, calls, askTwo, waits1), script(7, denies2, says, ends, idle)}, // the other one still runs
	} {
		b := newBench(t, "run", "--message", "hi", "--text").onTerminal()
		b.Args = append(b.Args, "--url", slowHost(t, &b.err, "/v1/session", c.text, c.first+"\n⏳"+c.rest+"\n"))
		b.want(t, ExitOK, "All done.\n", "")
		if got := b.err.String(); got != c.text+clearLine {
			t.Errorf("stderr has %q", got)
		}
	}
}

// "on stderr, on a terminal only": elsewhere nothing is said, nor on one that
// cannot take a line back.
func TestStatus_OnATerminalOnly(t *testing.T) {
	t.Parallel()
	plain := newBench(t)
	dumb := newBench(t).onTerminal()
	dumb.Environ = []string{"TERM=dumb"}
	for _, b := range []*bench{plain, dumb} {
		a := newApp(b.Process, nil)
		if a.status != nil || a.Stderr != b.Stderr || a.Stdout != b.Stdout {
			t.Errorf("there is a status line")
		}
		a.progress("loading")()
	}
}
