//go:build unix && !linux

package mcp

import "syscall"

// ownGroup makes a program the first of a process group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
