package journal

import (
	"strings"
	"testing"
)

// TestReadSome_LongLines: what a reader holds is a run of lines, not the log.
func TestReadSome_LongLines(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	for i, size := range []int{1 << 20, 1 << 20, 100 << 10, 100 << 10, 100 << 10, 1 << 20, 10, 10} {
		mustAppend(t, j, Append{Stream: "ses_a", Expect: uint64(i), Events: texts(strings.Repeat("x", size))})
	}
	for from, want := range map[uint64]int{0: 1, 1: 1, 2: 2, 3: 2, 4: 1, 5: 1, 6: 2, 7: 1, 8: 0, 9: 0} {
		if lines, err := j.ReadSome("ses_a", from, 100); err != nil || len(lines) != want {
			t.Errorf("from %d there are %d lines at once, %v, want %d", from, len(lines), err, want)
		}
	}
}

// What memory holds of a log is given in runs too.
func TestReadSome_FromMemory(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	if _, err := j.Hold("ses_a"); err != nil {
		t.Fatal(err)
	}
	defer j.Release("ses_a")
	long := strings.Repeat("x", 100<<10)
	mustAppend(t, j, Append{Stream: "ses_a", Events: texts(long, long, long, long)})
	for from, want := range map[uint64]int{0: 2, 2: 2, 3: 1, 4: 0} {
		if lines, err := j.ReadSome("ses_a", from, 100); err != nil || len(lines) != want {
			t.Errorf("from %d: %d lines, %v, want %d", from, len(lines), err, want)
		}
	}
	if lines, err := j.Read("ses_a", 0, 100); err != nil || len(lines) != 4 {
		t.Errorf("Read gave %d lines, %v", len(lines), err)
	}
}
