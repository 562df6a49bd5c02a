//go:build failpoints

// Package failpoint lets a test stop the process at a named place. Without the
// build tag "failpoints" it compiles to nothing.
package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// Enabled says whether this build has fail points.
const Enabled = true

// name and left come from BDK_FP=name:n, the n-th hit from 1.
var (
	name string
	left atomic.Int64
)

func init() {
	n, count, _ := strings.Cut(os.Getenv("BDK_FP"), ":")
	k, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		k = 1
	}
	name = n
	left.Store(k)
}

// Hit kills this process with SIGKILL when it is the hit that BDK_FP names.
func Hit(at string) {
	if at == name && left.Add(-1) == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}
