package script

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd, _ syscall.Signal) error {
	if cmd.Process == nil {
		return os.ErrProcessDone
	}
	return cmd.Process.Kill()
}

func signalOf(string) syscall.Signal { return syscall.SIGKILL }

func signalName(*os.ProcessState) string { return "" }

// cpuUsed is not known here.
func cpuUsed() map[string]int64 { return map[string]int64{"user": 0, "system": 0} }
