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
// the runtime starts no threads from it, and it ends with its goroutine.
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
	onOwnThread(func() {
		err := r.giveUp(rules)
		if err == nil {
			r.process, err = os.StartProcess(argv[0], argv, attr)
		}
		if err == nil {
			markLimit(r.process.Pid, r.mark)
		}
		started <- err
		if err == nil {
			awaitExit(r.process.Pid)
			close(r.ended)
		}
	})
	return <-started
}

// onOwnThread runs f on a goroutine with a thread that ends with it. It is never the
// process's first thread: that one stands for the whole process, so that a program
// would be among its own kind with the host, and it does not end.
func onOwnThread(f func()) {
	locked := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		first := unix.Gettid() == unix.Getpid()
		if first {
			onOwnThread(f) // which finds this thread taken
		}
		close(locked)
		if first {
			runtime.UnlockOSThread()
			return
		}
		f() // and never unlocked
	}()
	<-locked
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
	for _, c := range seeing {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0) // who may not drop one has none
	}
	return restrict(rules)
}

// seeing are what lets a program of root's read the memory and the environment of
// others, the host's keys among them, whatever Landlock says.
var seeing = []int{unix.CAP_SYS_PTRACE, unix.CAP_SYS_ADMIN, unix.CAP_PERFMON}

// awaitExit returns when the process has ended and leaves it to be reaped.
func awaitExit(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
