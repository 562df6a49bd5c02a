package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

const failAppends = 40

// failAppend is the i-th append of the scenario.
func failAppend(i int) Append {
	return Append{
		Stream: fmt.Sprint("ses_", i%3), Expect: uint64(i / 3 * 2),
		Events: texts(fmt.Sprint(i), strings.Repeat("x", 500)),
		Claims: []Claim{{Key: fmt.Sprint("k", i), Value: fmt.Append(nil, i)}},
		Mark:   MarkOp{Set: true, Value: fmt.Append(nil, i)},
	}
}

// failRoot is the child: the scenario, with the n-th operation on the disk
// failing, and when sticky all after it. It says what it acknowledges.
func failRoot(arg string) {
	var dir string
	var n int64
	var sticky bool
	if _, err := fmt.Sscan(arg, &n, &sticky, &dir); err != nil {
		panic(err)
	}
	var count atomic.Int64
	fs := errorfs.Wrap(vfs.Default, errorfs.InjectorFunc(func(errorfs.Op) error {
		if k := count.Add(1); k == n || (sticky && k > n) {
			return errDisk
		}
		return nil
	}))
	j, err := Open(dir, &Options{FS: fs, tune: func(o *pebble.Options) { o.MemTableSize = 16 << 10 }})
	if err != nil {
		fmt.Println("refused", err)
		return
	}
	for i := range failAppends {
		if err := failStep(j, i); err != nil {
			fmt.Println("failed", i, err)
			break
		}
		fmt.Println("acked", i)
		if i%10 == 9 {
			_ = j.PutSnapshot(fmt.Sprint("ses_", i%3), 1, []byte("s"))
		}
	}
	if err := j.Close(); err != nil {
		fmt.Println("close", err)
	}
	fmt.Println("operations", count.Load())
}

// failStep appends, or ends the process when the disk takes nothing: a person would kill it.
func failStep(j *Journal, i int) error {
	for tries := 0; ; tries++ {
		c := make(chan result, 1)
		go j.AppendAsync(failAppend(i), func(at Appended, err error) { c <- result{at, err} })
		select {
		case r := <-c:
			if !errors.Is(r.err, ErrFull) || tries == 20 {
				return r.err
			}
			time.Sleep(retryWait)
		case <-time.After(time.Second):
			fmt.Println("stalled", i)
			os.Exit(0)
		}
	}
}

// failed runs the child and gives how many appends it acknowledged, and how many operations it took.
func failed(t *testing.T, dir string, n int64, sticky bool) (acked int, operations int64, said string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=fail %d %v %s", childEnv, n, sticky, dir))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	// Where Pebble has no other way it panics, or dies of a mutex that its panic unlocked twice.
	died := strings.Contains(stderr.String(), "(*DB).rotateWAL") || strings.Contains(stderr.String(), errDisk.Error())
	if e, ok := errors.AsType[*exec.ExitError](err); err != nil && !died && (!ok || e.ExitCode() != exitStore) {
		t.Errorf("operation %d: the child ended with %v: %.2000s", n, err, stderr.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		what, rest, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "acked":
			acked++
		case "operations":
			operations, _ = strconv.ParseInt(rest, 10, 64)
		}
	}
	return acked, operations, string(out)
}

// "fail the 1st, 2nd, 3rd … I/O call until the test passes with no fault fired;
// then the same with permanent faults": whatever fails, what was acknowledged is
// there after a start, and the log is whole.
func TestJournal_FailNth(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	acked, total, said := failed(t, dir, 0, false)
	if acked != failAppends || total == 0 {
		t.Fatalf("without a fault the child said %s", said)
	}
	runs, hurt := 0, 0
	step := max(int64(1), total/int64(12*scale()))
	for _, sticky := range []bool{false, true} {
		for n := int64(1); n <= total; n += step {
			dir := t.TempDir()
			acked, _, said := failed(t, dir, n, sticky)
			if runs++; acked < failAppends {
				hurt++
			}
			if !checkFailed(t, dir, acked) {
				t.Fatalf("operation %d of %d, sticky %v; the child said\n%s", n, total, sticky, said)
			}
		}
	}
	t.Logf("%d runs of %d operations, in %d of them an append failed", runs, total, hurt)
	if hurt == 0 {
		t.Error("no fault was felt: the test does not reach it")
	}
}

// checkFailed opens what is left, compares it with the scenario and goes on.
func checkFailed(t *testing.T, dir string, acked int) bool {
	t.Helper()
	j, err := Open(dir, nil)
	if err != nil {
		t.Errorf("opening again: %v", err)
		return false
	}
	defer j.Close()
	p := j.Position()
	if p < uint64(2*acked) || p%2 != 0 || p > 2*failAppends {
		t.Errorf("%d events are left of %d acknowledged", p, 2*acked)
		return false
	}
	m := newModel()
	for i := range int(p / 2) {
		m.apply(failAppend(i))
	}
	m.check(t, j)
	for i := int(p / 2); i < failAppends+3; i++ {
		m.apply(failAppend(i))
		mustAppend(t, j, failAppend(i))
	}
	m.check(t, j)
	return !t.Failed()
}
