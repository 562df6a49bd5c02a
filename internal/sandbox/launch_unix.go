//go:build unix && !linux

package sandbox

import (
	"os"
	"syscall"
)

// ownSession gives a program a group and a session of its own, without a terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// launch starts the program.
func (r *run) launch(argv []string, attr *os.ProcAttr) error {
	if r.Confine {
		return unavailable()
	}
	p, err := os.StartProcess(argv[0], argv, attr)
	if err != nil {
		return err
	}
	r.process = p
	go func() {
		r.state, _ = p.Wait() // without a state, reap asks again and has the error
		close(r.ended)
	}()
	return nil
}

// killMarked does nothing where one cannot look at the environment of others.
func killMarked(string, int) int { return 0 }

// KillOwned does nothing where one cannot look at the environment of others.
func KillOwned(string) int { return 0 }
