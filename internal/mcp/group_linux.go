package mcp

import "syscall"

// ownGroup makes a program the first of a process group, and has it asked to end
// where the host does not live to do that.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
