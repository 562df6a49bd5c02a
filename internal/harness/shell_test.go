//go:build unix

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/sandbox"
)

// sh runs a command with the shell tool.
func (r *rig) sh(command, more string) shellOutput {
	r.t.Helper()
	res, err := r.result(r.t.Context(), "shell", `{"command":`+quoted(command)+more+`}`)
	must(r.t, err)
	var out shellOutput
	must(r.t, json.Unmarshal(res.Output, &out))
	return out
}

func TestShell_OutputAndExitCode(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.want("shell", `{"command":"echo out; echo err >&2; exit 3"}`, `{"exitCode":3,"output":"out\nerr\n"}`)
	r.want("shell", `{"command":"printf 'a\\377b' > f; cat f"}`, `{"exitCode":0,"output":"a`+"\uFFFD"+`b"}`)
	r.want("shell", `{"command":"kill -9 $$"}`, `{"exitCode":137,"output":"","signal":"killed"}`)
	r.want("shell", `{"command":""}`, "error: the command is missing")
	for _, ms := range []string{"600001", "-1", "18446744073710"} { // the last one is 448 ms when it runs over
		r.want("shell", `{"command":"true","timeoutMs":`+ms+`}`, "error: timeoutMs is a number from 1 to 600000")
	}
	if got := r.has("f"); got != "a\xffb" {
		t.Errorf("the workspace has %q", got)
	}
}

// S37: "no stdin/tty, cwd = workspace, clean env"; S26: "env of tool processes is an
// allow list".
func TestShell_CleanSurroundings(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{Programs: Programs{Environ: []string{"OPENAI_API_KEY=canary", "BDK_TOKEN=canary", "USER=somebody", "LD_PRELOAD=x", "PATH=/nowhere", "LANG="}}})
	out := r.sh(`pwd; cat; env | sort | grep -v '^BDK_RUN=\|^_=\|^PWD=\|^SHLVL=\|^OLDPWD='`, "")
	dir, err := filepath.EvalSymlinks(r.dir)
	must(t, err)
	want := strings.Join([]string{dir, "HOME=" + r.scratch.Home, "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "TERM=dumb", "TMPDIR=" + r.scratch.Tmp, "USER=somebody", ""}, "\n")
	if out.Output != want {
		t.Errorf("got\n%s\nwant\n%s", out.Output, want)
	}
}

// "writes outside the workspace and its temp folder refused …, the rest of the file
// system read-only"; "off"; and a sandbox that was asked for and cannot be had.
func TestShell_Sandbox(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	command := "echo x > in && echo y > $TMPDIR/t && mkdir -p ~/h && (echo z > " + out + "/new) 2>/dev/null; cat in $TMPDIR/t"
	for _, asked := range []string{"", agent.SandboxWorkspace, agent.SandboxOff} {
		r := newRig(t, Options{Programs: Programs{Sandbox: asked}})
		status := sandbox.Status(asked)
		if strings.HasPrefix(status, "unavailable") && asked == agent.SandboxWorkspace {
			r.wantPart("shell", `{"command":"true"}`, "error: sandbox: unavailable")
			continue
		}
		if got := r.sh(command, ""); got.Output != "x\ny\n" {
			t.Errorf("%q: %+v", asked, got)
		}
		_, err := os.Stat(filepath.Join(out, "new"))
		if written := err == nil; written != (status != agent.SandboxWorkspace) {
			t.Errorf("%q with status %q: written outside: %v", asked, status, written)
		}
		_ = os.Remove(filepath.Join(out, "new"))
	}
}

// What a program did to its home does not break the next one.
func TestShell_HomeIsThereAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{Programs: Programs{Sandbox: agent.SandboxOff}})
	r.sh("rm -rf ~ $TMPDIR", "")
	if got := r.sh("echo x > ~/a; mktemp > /dev/null && cat ~/a", ""); got.Output != "x\n" {
		t.Errorf("got %+v", got)
	}
}

// C76: "endless output; timeout 2 s" → "Memory of host flat; output capped head+tail".
// Not beside other tests, since memory is counted for all.
func TestShell_EndlessOutput(t *testing.T) {
	r := newRig(t, Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out := r.sh(`echo begin; yes 0123456789 | tr -d '\n'`, `,"timeoutMs":500`)
	runtime.ReadMemStats(&after)
	if !out.TimedOut || !out.Truncated || out.Bytes < 2*inlineBytes {
		t.Fatalf("got %d bytes, timed out %v, truncated %v", out.Bytes, out.TimedOut, out.Truncated)
	}
	if !strings.HasPrefix(out.Output, "begin\n0123") || !strings.Contains(out.Output, "bytes are left out here") || len(out.Output) > 2*inlineBytes+200 {
		t.Errorf("the output has %d bytes and begins with %.20q", len(out.Output), out.Output)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 100<<20 {
		t.Errorf("%d MiB were used for %d MiB of output", used>>20, out.Bytes>>20)
	}
	kept, err := r.files.Read(t.Context(), agent.FileScope{Session: "ses_1"}, out.File)
	if err != nil || int64(len(kept)) != min(out.Bytes, keptBytes) {
		t.Errorf("%d bytes are kept of %d, %v", len(kept), out.Bytes, err)
	}
	if left, err := os.ReadDir(r.scratch.Notes); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// C46: cut on a character; the whole output "is kept as a file of the session", which
// read shows.
func TestShell_LongOutput(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("long", strings.Repeat("x", 3)+strings.Repeat("👩‍👩‍👧‍👦\n", 4000))
	out := r.sh("cat long", "")
	whole := r.has("long")
	if !out.Truncated || out.Bytes != int64(len(whole)) || out.File != "outputs/call_1.txt" {
		t.Fatalf("got %+v", out)
	}
	if !utf8.ValidString(out.Output) || strings.Contains(out.Output, "\uFFFD") {
		t.Error("cut inside of a character")
	}
	if got := r.do("read", `{"path":"outputs/call_1.txt"}`); !strings.HasPrefix(whole, strings.TrimSuffix(got, "[the file goes on; read on with offset 2001]")) || len(got) < 10_000 {
		t.Errorf("read gives %d bytes", len(got))
	}
	r.want("ls", `{}`, "long ("+itoa(len(whole))+" bytes)")
	r.want("grep", `{"pattern":"^xxx","path":"outputs","glob":"*.txt"}`, "outputs/call_1.txt:1: xxx👩‍👩‍👧‍👦")
	r.wantPart("write", `{"path":"outputs/call_1.txt","content":"y"}`, "error: outputs/call_1.txt cannot be written to")
	// A folder of that name in the workspace hides no output, and is not hidden by them.
	r.want("write", `{"path":"outputs/x","content":"y"}`, "wrote outputs/x: 1 byte")
	r.want("ls", `{"path":"outputs"}`, "x (1 byte)")
	r.wantPart("read", `{"path":"outputs/call_1.txt","limit":1}`, "xxx👩‍👩‍👧‍👦\n")
	r.want("read", `{"path":"outputs/x"}`, "y")
	r.file("exact", strings.Repeat("y", 2*inlineBytes))
	if out := r.sh("cat exact", ""); out.Truncated || len(out.Output) != 2*inlineBytes {
		t.Errorf("an output that fits: %d bytes, %v", len(out.Output), out.Truncated)
	}
}

func TestShell_Stopped(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped")
	time.AfterFunc(100*time.Millisecond, func() { cancel(stop) })
	if _, err := r.result(ctx, "shell", `{"command":"sleep 600"}`); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func TestRing_KeepsTheEnd(t *testing.T) {
	t.Parallel()
	for _, step := range []int{1, 7, inlineBytes - 1, inlineBytes, inlineBytes + 1, 3 * inlineBytes} {
		r := &ring{}
		var all []byte
		for i := range 3*inlineBytes/step + 2 {
			piece := []byte(strings.Repeat(string(rune('a'+i%26)), step))
			all = append(all, piece...)
			r.write(piece)
			if got, want := string(r.bytes()), string(all[max(0, len(all)-inlineBytes):]); got != want {
				t.Fatalf("steps of %d: %d bytes, want %d", step, len(got), len(want))
			}
			if step == 1 && i > 100 {
				break
			}
		}
	}
}
