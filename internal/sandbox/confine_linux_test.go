package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// "writes outside the workspace and its temp folder refused by Landlock, the rest of
// the file system read-only … Where the kernel cannot, info says so."
func TestRun_Confined(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "there"), []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, out := sh(t, strings.ReplaceAll(`
cat OUT/there; echo
(echo x > OUT/new) 2>/dev/null && echo wrote a new file outside
(echo x > OUT/there) 2>/dev/null && echo overwrote a file outside
rm -f OUT/there 2>/dev/null && echo removed a file outside
mkdir OUT/dir 2>/dev/null && echo made a folder outside
ln OUT/there hard 2>/dev/null && echo linked a file of outside
mv OUT/there here 2>/dev/null && echo moved a file of outside
echo x > inside && mkdir -p a/b && mv inside a/b/c && cat a/b/c
echo x > "$TMPDIR/tmp" && mv "$TMPDIR/tmp" moved && cat moved
echo gone > /dev/null && echo null is there
`, "OUT", outside))
	tmp := t.TempDir()
	p.Env = append(p.Env, "TMPDIR="+tmp)
	p.Confine, p.Writable = true, []string{p.Dir, tmp}
	if status := Status(""); status != StatusWorkspace {
		_, err := Run(t.Context(), p)
		if !strings.HasPrefix(status, "unavailable: ") || !errors.Is(err, ErrUnavailable) {
			t.Fatalf("status %q, and a confined run gives %v", status, err)
		}
		return
	}
	run1(t, p)
	if got, want := out.String(), "kept\nx\nx\nnull is there\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if b, err := os.ReadFile(filepath.Join(outside, "there")); err != nil || string(b) != "kept" {
		t.Errorf("the file outside is %q, %v", b, err)
	}
}

// The rules hold for the program alone: not for the host, whatever its threads do.
func TestRun_HostStaysFree(t *testing.T) {
	t.Parallel()
	if Status("") != StatusWorkspace {
		t.Log("nothing is confined on this kernel")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				p, _ := sh(t, "true")
				p.Confine, p.Writable = Status("") == StatusWorkspace, []string{p.Dir}
				run1(t, p)
				if err := os.WriteFile(filepath.Join(t.TempDir(), "free"), []byte("x"), 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestRun_CannotEndItsHost(t *testing.T) {
	t.Parallel()
	version, err := abi()
	p, out := sh(t, fmt.Sprintf("kill -0 %d 2>/dev/null && echo may; sleep 600 & kill $! && echo own", os.Getpid()))
	p.Confine, p.Writable = err == nil, []string{p.Dir}
	run1(t, p)
	want := "own\n"
	if version < 6 { // what this kernel cannot hold
		want = "may\nown\n"
	}
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// S37: "refuse setuid", "no inherited fds".
func TestRun_NothingInherited(t *testing.T) {
	t.Parallel()
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, out := sh(t, `for f in /proc/self/fd/*; do echo "${f##*/}"; done | sort -n | tr '\n' ' '; grep NoNewPrivs /proc/self/status`)
	run1(t, p)
	open, privileges, _ := strings.Cut(out.String(), "NoNewPrivs:")
	if strings.TrimSpace(privileges) != "1" {
		t.Errorf("setuid programs work: %q", out.String())
	}
	for _, fd := range strings.Fields(open) {
		if !strings.Contains("0 1 2", fd) && fd != "3" && fd != "10" { // 3 and 10 are the shell's own
			t.Errorf("descriptor %s was inherited", fd)
		}
	}
	p, out = sh(t, `grep NoNewPrivs /proc/self/status`)
	p.KeepPrivileges = true
	run1(t, p)
	if !strings.HasSuffix(out.String(), "\t0\n") {
		t.Errorf("with KeepPrivileges: %q", out.String())
	}
}

func TestRun_LeavingTheGroupDoesNotHelp(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `setsid sh -c 'echo $$ > pid; trap "" TERM; sleep 600' </dev/null >/dev/null 2>&1 & while ! test -s pid; do sleep 0.01; done; cat pid`)
	run1(t, p)
	gone(t, out.String())
}

// "what it starts ends with it": also what has left the group, with an environment of its own.
func TestRun_ClearingTheEnvironmentDoesNotHelp(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `env -i /bin/sh -c 'exec setsid /bin/sh -c "echo \$\$ > pid; exec sleep 600"' </dev/null >/dev/null 2>&1 & while ! test -s pid; do sleep 0.01; done; cat pid`)
	run1(t, p)
	gone(t, out.String())
}

// The limit of one mark is not that of another, and that of an owner holds for all runs.
func TestLimits(t *testing.T) {
	t.Parallel()
	from, to := limits(markOf("owner"))
	one, same := limits(markOf("owner") + "RUN")
	other, _ := limits(markOf("other") + "RUN")
	if one != same || one < from || one > to || other >= from && other <= to {
		t.Errorf("from %x to %x, one %x, other %x", from, to, one, other)
	}
}

// A host that was killed leaves nothing behind that its successor cannot end.
func TestKillOwned(t *testing.T) {
	t.Parallel()
	p, out := sh(t, `echo $$; exec sleep 600`)
	p.Owner = "owner-of-this-test"
	ended := make(chan End)
	go func() {
		end, _ := Run(context.WithoutCancel(t.Context()), p)
		ended <- end
	}()
	<-out.changed
	if n := KillOwned("owner-of-this"); n != 0 {
		t.Errorf("%d processes of another owner were ended", n)
	}
	if n := KillOwned(p.Owner); n != 1 {
		t.Errorf("%d processes were ended, want 1", n)
	}
	select {
	case end := <-ended:
		if end.Signal != "killed" || end.ExitCode != 137 {
			t.Errorf("ended as %+v", end)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the program still runs")
	}
	if n := KillOwned(""); n != 0 {
		t.Errorf("an owner without a name had %d processes", n)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	if got := Status(StatusOff); got != StatusOff {
		t.Errorf("off is %q", got)
	}
	confined, err := Confines(StatusWorkspace)
	if want := Status(StatusWorkspace) == StatusWorkspace; confined != want || (err == nil) != want {
		t.Errorf("asked for by name: %v, %v", confined, err)
	}
	if confined, err := Confines(StatusOff); confined || err != nil {
		t.Errorf("off: %v, %v", confined, err)
	}
	if _, err := Confines(""); err != nil {
		t.Errorf("what the kernel can: %v", err)
	}
}

// S26: "env of tool processes is an allow list": a confined program does not find the
// host's own environment elsewhere, not even as root.
func TestRun_CannotReadItsHost(t *testing.T) {
	t.Parallel()
	p, out := sh(t, fmt.Sprintf("cat /proc/%d/environ >/dev/null 2>&1 && echo environ; head -c 1 /proc/%[1]d/mem >/dev/null 2>&1 && echo mem; readlink /proc/%[1]d/exe && echo exe; echo end", os.Getpid()))
	_, err := abi()
	p.Confine, p.Writable = err == nil, []string{p.Dir}
	run1(t, p)
	if got := out.String(); got != "end\n" && err == nil {
		t.Errorf("it found %q", got)
	}
}

// A program is apart from its host whichever thread starts it: the first thread of a
// process stands for all of it.
func TestOnOwnThread_IsNotTheFirst(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 500 {
		all.Go(func() {
			done := make(chan int)
			onOwnThread(func() { done <- unix.Gettid() })
			if <-done == os.Getpid() {
				t.Error("the first thread was taken")
			}
		})
	}
	all.Wait()
}
