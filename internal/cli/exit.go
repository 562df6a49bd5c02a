package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/client"
)

// Exit codes of the program.
const (
	ExitOK          = 0
	ExitFailed      = 1   // the thing asked for failed
	ExitUsage       = 2   // wrong usage or an empty selection
	ExitNoStart     = 3   // could not start
	ExitParked      = 4   // a run ended parked with nobody to ask
	ExitInterrupted = 130 // by a signal
)

// errInterrupted is the cause of a context that a signal ended.
var errInterrupted = errors.New("interrupted")

// A coded error has its exit code with it. With a nil err everything was said already.
type coded struct {
	code int
	err  error
}

func (c *coded) Error() string {
	if c.err == nil {
		return fmt.Sprintf("exit code %d", c.code)
	}
	return c.err.Error()
}

func (c *coded) Unwrap() error { return c.err }

// usagef is for a command line that cannot be understood.
func usagef(format string, args ...any) error {
	return &coded{ExitUsage, fmt.Errorf(format, args...)}
}

// cannotStart is for what keeps a host or a project from starting.
func cannotStart(format string, args ...any) error {
	return &coded{ExitNoStart, fmt.Errorf(format, args...)}
}

// quiet ends with a code after the command has said why.
func quiet(code int) error { return &coded{code: code} }

// exitCode is the one place where an error becomes the program's exit code.
func exitCode(err error) int {
	var c *coded
	var locked *journal.LockedError
	var choice *client.ChoiceError
	var badURL *client.URLError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &c):
		return c.code
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &locked):
		return ExitNoStart
	case errors.As(err, &choice), errors.As(err, &badURL):
		return ExitUsage
	}
	return ExitFailed
}

// explain gives the text for people; empty when all was said.
func explain(err error) string {
	var c *coded
	var locked *journal.LockedError
	switch {
	case errors.As(err, &c) && c.err == nil, errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return ""
	case errors.As(err, &locked):
		return lockedText(locked)
	case client.HasCode(err, client.CodeUnauthorized):
		return fmt.Sprintf("the host wants a token: pass --token or set BDK_TOKEN (%v)", err)
	}
	return plain(err)
}

// lockedText says who holds a state root and what to do. A host names its URL;
// a command, or a host that is only starting, has none.
func lockedText(e *journal.LockedError) string {
	by := "another process"
	if e.Owner.PID != 0 {
		by = fmt.Sprintf("process %d", e.Owner.PID)
	}
	if e.Owner.URL != "" {
		return fmt.Sprintf("%s at %s already uses the state root %s: stop it, or choose another with --state-root", by, e.Owner.URL, e.Dir)
	}
	return fmt.Sprintf("%s already uses the state root %s and serves nothing to go through: wait until it ends; "+
		"while bdk serve runs, several commands can be used at once", by, e.Dir)
}
