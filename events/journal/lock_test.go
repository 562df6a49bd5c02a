package journal

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// "One process owns a state root; the lock names its pid and URL, and a second
// one fails at once and says so."
func TestOpen_SecondOwner(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	j, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.SetURL("http://127.0.0.1:3000"); err != nil {
		t.Fatal(err)
	}
	_, err = Open(dir, nil)
	want := Owner{PID: os.Getpid(), URL: "http://127.0.0.1:3000"}
	locked, ok := errors.AsType[*LockedError](err)
	if !ok || locked.Owner != want || locked.Dir != dir {
		t.Fatalf("the second open gave %v", err)
	}
	for _, s := range []string{dir, "http://127.0.0.1:3000", "process "} {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
	if owner, ok, err := ReadOwner(dir); owner != want || !ok || err != nil {
		t.Errorf("the owner is %+v, %v, %v", owner, ok, err)
	}
	if err := j.SetURL("x"); err != nil {
		t.Fatal(err)
	}
	if owner, _, _ := ReadOwner(dir); owner.URL != "x" {
		t.Errorf("after a shorter URL the owner is %+v", owner)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if owner, ok, err := ReadOwner(dir); ok || err != nil {
		t.Errorf("after closing the owner is %+v, %v", owner, err)
	}
	if j, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if err := j.SetURL("y"); !errors.Is(err, ErrClosed) {
		t.Errorf("a URL after closing gave %v", err)
	}
}

// A file that a dead process left is no lock.
func TestOpen_StaleLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, note := range []string{`{"pid":1,"url":"http://x"}`, "", "garbage", "{"} {
		if err := os.WriteFile(filepath.Join(dir, "lock"), []byte(note), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := ReadOwner(dir); ok || err != nil {
			t.Errorf("%q has an owner: %v", note, err)
		}
		j, err := Open(dir, nil)
		if err != nil {
			t.Fatalf("%q: %v", note, err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, ok, err := ReadOwner(filepath.Join(dir, "nowhere")); ok || err != nil {
		t.Errorf("a directory that is not there has an owner: %v", err)
	}
}

// A process that is killed gives the root free, whatever its note says.
func TestOpen_AfterKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=hold "+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, 5)
	if _, err := out.Read(ready); err != nil || string(ready) != "ready" {
		t.Fatalf("the child said %q, %v", ready, err)
	}
	owner, ok, err := ReadOwner(dir)
	if !ok || err != nil || owner.PID != cmd.Process.Pid {
		t.Errorf("the owner is %+v, %v, %v", owner, ok, err)
	}
	if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), "is in use by process") {
		t.Errorf("a second process opened it: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the child was not killed")
	}
	if _, ok, _ := ReadOwner(dir); ok {
		t.Error("a dead process owns the root")
	}
	j, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if head, err := j.Head("ses_a"); head != 1 || err != nil {
		t.Errorf("what the killed process had appended is not there: %d, %v", head, err)
	}
}

// holdRoot is the child: it appends, says so, and waits to be killed.
func holdRoot(dir string) {
	j, err := Open(dir, nil)
	if err == nil {
		c := appendAsync(j, Append{Stream: "ses_a", Events: texts("x")})
		err = (<-c).err
	}
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString("ready")
	select {}
}

// Reading the owner never makes an opening fail.
func TestReadOwner_DoesNotKeepOthersOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, _, err := ReadOwner(dir); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 200 {
		l, err := takeLock(dir)
		if err != nil {
			t.Error(err)
			break
		}
		if err := l.release(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

// A program that is being started holds what is open until it runs: a root that was let go
// in that moment is free, and not somebody's.
func TestOpen_WaitsForALockWithoutANote(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := lockFile(f); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(3*lockPause, func() { _ = f.Close() })
	if _, ok, err := ReadOwner(dir); ok || err != nil {
		t.Errorf("the root has an owner: %v, %v", ok, err)
	}
	if j, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}
