//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testPath = "PATH=/usr/local/bin:/usr/bin:/bin"

// A text takes output and tells when something is in it.
type text struct {
	mu      sync.Mutex
	b       bytes.Buffer
	n       int64
	changed chan struct{}
}

func newText() *text { return &text{changed: make(chan struct{}, 1)} }

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n += int64(len(p)); t.b.Len() < 1<<16 {
		t.b.Write(p)
	}
	select {
	case t.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// sh is a program that a shell runs in a folder of the test.
func sh(t *testing.T, command string) (*Program, *text) {
	t.Helper()
	out := newText()
	return &Program{Argv: []string{"/bin/sh", "-c", command}, Dir: t.TempDir(), Env: []string{testPath}, Stdout: out, Stderr: out}, out
}

func run1(t *testing.T, p *Program) End {
	t.Helper()
	end, err := Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return end
}

// gone waits until a process has ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatalf("no number of a process: %q", pid)
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for syscall.Kill(n, 0) == nil && !zombie(n) {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("process %d still runs", n)
		}
	}
}

// zombie says whether a process has ended and waits for a parent that does not care.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && bytes.Contains(b, []byte(") Z "))
}

func TestRun_OutputInOrderAndExitCode(t *testing.T) {
	t.Parallel()
	p, out := sh(t, "echo one; echo two >&2; echo three; exit 7")
	if end := run1(t, p); end != (End{ExitCode: 7}) {
		t.Errorf("ended as %+v", end)
	}
	if got := out.String(); got != "one\ntwo\nthree\n" {
		t.Errorf("wrote %q", got)
	}
}

// S37: "no stdin/tty, cwd = workspace, clean env, … umask 077".
func TestRun_CleanSurroundings(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `read x; echo "read $?"; (: </dev/tty) 2>/dev/null || echo no tty; pwd; umask; ulimit -c; env | sed 's/^BDK_RUN=.*/BDK_RUN/' | grep -v '^_=\|^PWD=\|^SHLVL=\|^OLDPWD=' | sort`)
	run1(t, p)
	dir, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := "read 1\nno tty\n" + dir + "\n0077\n0\nBDK_RUN\n" + testPath + "\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRun_Stdin(t *testing.T) {
	t.Parallel()
	p, out := sh(t, "cat")
	p.Stdin = bytes.Repeat([]byte("0123456789"), 100_000)
	run1(t, p)
	if out.n != 1_000_000 {
		t.Errorf("%d bytes came back", out.n)
	}
	deaf, _ := sh(t, "exit 0")
	deaf.Stdin = p.Stdin
	run1(t, deaf)
}

// C22: "Tool runs `trap ” INT TERM; while :; do sleep 1; done`; STOP" → "Killed (group
// SIGKILL) within grace; … no orphan process".
func TestRun_TrapsDoNotHelp(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `trap '' INT TERM; sleep 600 & echo $$ $!; while :; do sleep 1; done`)
	p.Limits.KillAfter = 50 * time.Millisecond
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	stop := errors.New("stopped")
	go func() {
		<-out.changed
		cancel(stop)
	}()
	if _, err := Run(ctx, p); !errors.Is(err, stop) {
		t.Fatalf("got %v, want the cause of the context's end", err)
	}
	for _, pid := range strings.Fields(out.String()) {
		gone(t, pid)
	}
}

func TestRun_AskedFirst(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done`)
	p.Limits.KillAfter = 30 * time.Second
	p.Timeout = 200 * time.Millisecond
	if end := run1(t, p); !end.TimedOut || end.ExitCode != 3 {
		t.Errorf("ended as %+v", end)
	}
	if !strings.HasSuffix(out.String(), "bye\n") {
		t.Errorf("wrote %q", out.String())
	}
}

// C76: "endless output; timeout" → "no process left". The writer is never held back.
func TestRun_EndlessOutput(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `echo $$; yes | tr -d '\n'`)
	p.Timeout, p.Limits.KillAfter = 200*time.Millisecond, 50*time.Millisecond
	if end := run1(t, p); !end.TimedOut {
		t.Errorf("ended as %+v", end)
	}
	if out.n < 1<<16 {
		t.Errorf("only %d bytes came", out.n)
	}
	pid, _, _ := strings.Cut(out.String(), "\n")
	gone(t, pid)
}

func TestRun_BackgroundEndsWithIt(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `sleep 600 & echo $!`)
	if end := run1(t, p); end.ExitCode != 0 {
		t.Errorf("ended as %+v", end)
	}
	gone(t, out.String())
}

func TestRun_NotStarted(t *testing.T) {
	t.Parallel()
	p, out := sh(t, "")
	p.Argv = []string{"no-such-program"}
	if end := run1(t, p); end.ExitCode != 127 || !strings.Contains(out.String(), "no-such-program") {
		t.Errorf("ended as %+v: %q", end, out.String())
	}
	p.Dir = filepath.Join(p.Dir, "nowhere")
	if _, err := Run(t.Context(), p); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ended, p); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// S37: "wall/CPU/memory/file limits".
func TestRun_FileLimit(t *testing.T) {
	t.Parallel()
	p, _ := sh(t, `head -c 100000 /dev/zero > big; stat -c %s big 2>/dev/null || stat -f %z big`)
	p.Limits.FileBytes = 50 * 512
	out := newText()
	p.Stdout = out
	run1(t, p)
	if got := strings.TrimSpace(out.String()); got != "25600" {
		t.Errorf("the file has %s bytes", got)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestRun_WriterThatFails(t *testing.T) {
	t.Parallel()
	p, _ := sh(t, `head -c 1000000 /dev/zero; exit 5`)
	p.Stdout, p.Stderr = brokenWriter{}, nil
	if end := run1(t, p); end.ExitCode != 5 {
		t.Errorf("ended as %+v", end)
	}
}

// A program that outlasts its kill, since the kernel holds it, is no zombie afterwards.
func TestRun_ReapedLate(t *testing.T) {
	t.Parallel()
	p, err := os.StartProcess("/bin/sleep", []string{"sleep", "600"}, &os.ProcAttr{})
	if err != nil {
		t.Fatal(err)
	}
	pid := p.Pid
	r := &run{process: p, ended: make(chan struct{})}
	if _, err := r.reap(time.Millisecond); err == nil {
		t.Error("it counts as ended")
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	close(r.ended)
	deadline := time.Now().Add(20 * time.Second)
	for syscall.Kill(pid, 0) == nil && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if syscall.Kill(pid, 0) == nil {
		t.Errorf("process %d was not reaped", pid)
	}
}
