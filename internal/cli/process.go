// Package cli is the command line: the process as a value, the commands, and the
// only place where errors become exit codes.
package cli

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/mattn/go-isatty"
)

// A Process is everything of the operating system's process that commands use,
// so that they can be run, several at once, inside another one.
type Process struct {
	// Args are the arguments without the program's name.
	Args []string
	// Environ is the environment, "NAME=value".
	Environ []string
	// Executable is the program's own file, for what it runs in processes of their own.
	// Empty: it is not known, and nothing can be run so.
	Executable string
	// Dir is the absolute working directory; relative paths start there.
	Dir    string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// IsTerminal says whether one of the three streams is a terminal. Nil: none is.
	IsTerminal func(stream any) bool
	// Browse opens a URL in a browser; nil: there is none.
	Browse func(url string) error
	// Signals gives what asks the process to end; nil: nothing does.
	Signals <-chan os.Signal
}

// System gives the process that this program runs in.
func System() *Process {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	executable, err := os.Executable()
	if err != nil {
		executable = ""
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return &Process{
		Args: os.Args[1:], Environ: os.Environ(), Executable: executable, Dir: dir,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		IsTerminal: isTerminal, Browse: browse, Signals: signals,
	}
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// terminal says whether a stream of the process is one.
func (p *Process) terminal(stream any) bool { return p.IsTerminal != nil && p.IsTerminal(stream) }
