package mcp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// A server that does not mind the end of its input is told when its host was killed.
func TestPool_HostIsKilled(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "pid")
	self, _ := os.Executable()
	host := exec.Command(self)
	host.Env = append(os.Environ(), asServer+"=host", "MARK="+mark)
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	server := 0
	until(t, "the server works", func() bool {
		text, _ := os.ReadFile(mark)
		server, _ = strconv.Atoi(string(text))
		return server > 0
	})
	t.Cleanup(func() {
		if !isZombie(server) {
			_ = syscall.Kill(server, syscall.SIGKILL)
		}
	})
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait() // it was killed
	until(t, "the server has ended", func() bool { return syscall.Kill(server, 0) == syscall.ESRCH || isZombie(server) })
}

// isZombie says whether a process has ended and nobody has asked how.
func isZombie(pid int) bool {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return true
	}
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == ')' {
			return i+2 < len(text) && text[i+2] == 'Z'
		}
	}
	return false
}
