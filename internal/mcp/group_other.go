//go:build !unix

package mcp

import (
	"os"
	"syscall"
)

// ownGroup is what a system without process groups has: nothing.
func ownGroup() *syscall.SysProcAttr { return nil }

func askGroup(pid int) { killGroup(pid) }

func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
