package sandbox

import (
	"hash/fnv"
	"os"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A mark is also a limit of its processes, on the time that a program with a real-time
// schedule computes without a pause: for ever, in ever so slightly different numbers.
// A process may begin with another environment, or write over its own, as daemons do
// that show what they are about; its limits stay what they were.

// limits gives the numbers that stand for a mark, or for all that begin with it.
func limits(mark string) (from, to uint64) {
	owner, run := mark, ""
	if i := strings.LastIndexByte(mark, '.'); i >= 0 {
		owner, run = mark[:i], mark[i+1:]
	}
	from = 1<<62 | uint64(sum(owner)>>2)<<32
	if run == "" {
		return from, from | (1<<32 - 1)
	}
	from |= uint64(sum(run))
	return from, from
}

func sum(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum32()
}

// markLimit gives a process its limit, before it has started others. Where it cannot, since it
// has a lower one already, the environment alone has the mark.
func markLimit(pid int, mark string) {
	n, _ := limits(mark)
	_ = unix.Prlimit(pid, unix.RLIMIT_RTTIME, &unix.Rlimit{Cur: n, Max: n}, nil)
}

var realTime = regexp.MustCompile(`(?m)^Max realtime timeout +\d+ +(\d+)`)

// hasLimit says whether a process has the limit of a mark.
func hasLimit(pid int, mark string) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/limits")
	if err != nil {
		return false
	}
	m := realTime.FindSubmatch(text)
	if m == nil {
		return false
	}
	n, err := strconv.ParseUint(string(m[1]), 10, 64)
	from, to := limits(mark)
	return err == nil && from <= n && n <= to
}
