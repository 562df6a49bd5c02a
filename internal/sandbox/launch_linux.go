package sandbox

import (
	"errors"
	"math"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownSession gives a program a group and a session of its own, without a terminal.
// It dies with the thread that started it, which is that of launch.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// launch starts the program from a thread of its own. What the thread gives up goes
// over to the program, and to nobody else: the thread never runs another goroutine,
// the runtime starts no threads from it, and it ends with this goroutine.
func (r *run) launch(argv []string, attr *os.ProcAttr) error {
	rules := -1
	if r.Confine {
		var err error
		if rules, err = newRuleset(r.Writable); err != nil {
			return err
		}
		defer unix.Close(rules)
	}
	keepDescriptors()
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked
		err := r.giveUp(rules)
		if err == nil {
			r.process, err = os.StartProcess(argv[0], argv, attr)
		}
		started <- err
		if err == nil {
			awaitExit(r.process.Pid)
			close(r.ended)
		}
	}()
	return <-started
}

// keepDescriptors keeps what the host itself inherited open from going on to programs.
// What Go opens never does; kernels before 5.11 cannot do this.
func keepDescriptors() {
	_ = unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC)
}

// giveUp takes rights from the calling thread.
func (r *run) giveUp(rules int) error {
	if r.KeepPrivileges && rules < 0 {
		return nil
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	if rules < 0 {
		return nil
	}
	return restrict(rules)
}

// awaitExit returns when the process has ended and leaves it to be reaped.
func awaitExit(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
