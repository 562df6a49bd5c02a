package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// rounds is how often the processes are looked through, since one may start another
// while it is looked for.
const rounds = 3

// KillOwned ends the processes that runs of an owner left behind when their host was
// killed, and says how many there were. An owner without a name has none.
func KillOwned(owner string) int {
	if owner == "" {
		return 0
	}
	return killMarked(markOf(owner), 0)
}

// killMarked ends the processes that have the mark, or one that begins with it, in
// their environment or as their limit: those that have left their group. Only processes with a number above after
// can be among them, unless the numbers have begun anew since.
func killMarked(mark string, after int) (killed int) {
	if after > 0 && lastPID() < after {
		after = 0
	}
	seen := map[int]bool{}
	for range rounds {
		found := false
		for _, pid := range processes(after) {
			if !seen[pid] && (hasVariable(pid, mark) || hasLimit(pid, mark)) && syscall.Kill(pid, syscall.SIGKILL) == nil {
				seen[pid], found = true, true
			}
		}
		if !found {
			break
		}
	}
	return len(seen)
}

// processes lists the numbers above after, without our own.
func processes(after int) (pids []int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // what could be read is enough
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid > after && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// hasVariable says whether the environment that a process began with has a variable
// that begins with mark. A process that has ended has none.
func hasVariable(pid int, mark string) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && (bytes.HasPrefix(env, []byte(mark)) || bytes.Contains(env, []byte("\x00"+mark)))
}

// lastPID is the newest process's number; 0 when it is not known.
func lastPID() int {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		return 0
	}
	pid, _ := strconv.Atoi(fields[len(fields)-1]) // 0 where it is no number
	return pid
}
