//go:build unix

package plainfile

import "syscall"

// noWait is a flag for opening what may have become a pipe.
const noWait = syscall.O_NONBLOCK
