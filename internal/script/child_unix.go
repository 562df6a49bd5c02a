//go:build !windows

package script

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup lets a process and what it starts be ended together.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd, s syscall.Signal) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	return syscall.Kill(-cmd.Process.Pid, s)
}

var signals = map[string]syscall.Signal{
	"SIGTERM": syscall.SIGTERM, "SIGKILL": syscall.SIGKILL, "SIGINT": syscall.SIGINT, "SIGHUP": syscall.SIGHUP,
	"SIGQUIT": syscall.SIGQUIT, "SIGUSR1": syscall.SIGUSR1, "SIGUSR2": syscall.SIGUSR2, "SIGSTOP": syscall.SIGSTOP, "SIGCONT": syscall.SIGCONT,
}

// signalOf reads a signal's name; SIGTERM where there is none.
func signalOf(name string) syscall.Signal {
	if s, ok := signals[name]; ok {
		return s
	}
	return syscall.SIGTERM
}

// signalName is the signal that ended a process, empty for none.
func signalName(s *os.ProcessState) string {
	w, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !w.Signaled() {
		return ""
	}
	for name, sig := range signals {
		if sig == w.Signal() {
			return name
		}
	}
	return w.Signal().String()
}
