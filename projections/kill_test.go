//go:build failpoints

package projections

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/gobdk/bdk/events/journal"
)

const victimDir = "BDK_TEST_VICTIM_DIR"

// TestViews_Killed: "Run 100 turns, KILL@projection.mid_batch ×20": the same state
// root is killed again and again, and then compared with a dumb fold of its log.
func TestViews_Killed(t *testing.T) {
	dir := t.TempDir()
	for n := 1; n <= 20; n++ {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$", "-test.count=1")
		cmd.Env = append(os.Environ(), victimDir+"="+dir, fmt.Sprintf("BDK_FP=projection.mid_batch:%d", 3*n))
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("run %d was not killed: %v\n%s", n, err, out)
		}
	}
	j, err := journal.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	v, err := Start(t.Context(), &Options{Journal: j, Extra: []Projection{&counter{name: "types", version: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	defer closeViews(t, v)
	checkRebuilt(t, v, j)
	checkCosts(t, v, j)
	t.Logf("%d events", j.Position())
}

// TestVictim appends turns while the views fold them, until it is killed.
func TestVictim(t *testing.T) {
	dir := os.Getenv(victimDir)
	if dir == "" {
		return // it is a child of TestViews_Killed alone
	}
	j, err := journal.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Start(context.Background(), &Options{Journal: j, Extra: []Projection{&counter{name: "types", version: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	from := int(j.Position())
	addTurns(t, j, from, 1000)
	caughtUp(t, v, j)
	t.Fatal("nobody killed it")
}
