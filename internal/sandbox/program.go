package sandbox

import (
	"errors"
	"io"
	"time"
)

// ErrNoShell says that this system has no way to run programs for tools.
var ErrNoShell = errors.New("programs cannot be run on this system: it has no process groups")

// ErrUnavailable says that a sandbox was asked for that the kernel does not have.
var ErrUnavailable = errors.New("sandbox: unavailable")

// A Program is one run of a program. Argv, Dir and Env are required.
type Program struct {
	// Argv are the program, a path or a name to be found in the PATH of Env, and its arguments.
	Argv []string
	// Dir is the absolute path of the folder that it starts in.
	Dir string
	// Env is its whole environment, "NAME=value".
	Env []string
	// Stdin is what it can read; nil: nothing.
	Stdin []byte
	// Stdout and Stderr take what it writes, as it comes, on one goroutine each; both
	// the same writer: in the order of writing, on one. Nil: it is thrown away.
	Stdout, Stderr io.Writer
	// Timeout ends it; 0: only the context does.
	Timeout time.Duration
	// Confine lets it write below Writable alone; a run fails with ErrUnavailable
	// where the kernel cannot hold that.
	Confine  bool
	Writable []string
	// KeepPrivileges lets setuid programs work, which otherwise gain nothing; with
	// Confine they never do.
	KeepPrivileges bool
	// KeepUmask leaves the modes of new files to the host's umask; otherwise they are
	// the user's alone.
	KeepUmask bool
	// Owner names who runs it, so that KillOwned finds it after a crash of the host.
	Owner  string
	Limits Limits
}

// Limits bound what each process of a program may use.
type Limits struct {
	// FileBytes is the size of a file that it writes. Defaults to 1 GiB.
	FileBytes int64
	// DataBytes is its private memory. Defaults to 4 GiB; elsewhere than on Linux it
	// is not held.
	DataBytes int64
	// KillAfter is the time between the request to end and the kill. Defaults to 2 s.
	KillAfter time.Duration
}

// EnsureDefaults fills what was left out.
func (l *Limits) EnsureDefaults() {
	if l.FileBytes <= 0 {
		l.FileBytes = 1 << 30
	}
	if l.DataBytes <= 0 {
		l.DataBytes = 4 << 30
	}
	if l.KillAfter <= 0 {
		l.KillAfter = 2 * time.Second
	}
}

// An End is how a program ended.
type End struct {
	// ExitCode is its own, or 128 and the number of the signal that ended it.
	ExitCode int
	// Signal is the name of that signal, such as "killed"; empty for none.
	Signal string
	// TimedOut says that Timeout ended it.
	TimedOut bool
}
