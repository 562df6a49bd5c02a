//go:build !windows

package script

import "syscall"

// nonblocking lets a named pipe be opened without its other end.
const nonblocking = syscall.O_NONBLOCK
