package eval

import "errors"

// Why a run does not begin, or why one is not found.
var (
	// ErrNoConfig is of a suite whose evals.config.ts is missing or does not hold.
	ErrNoConfig = errors.New("evals: no configuration holds")
	// ErrNoCases is of a selection that nothing matches. What wraps it names near ids.
	ErrNoCases = errors.New("evals: no case is selected")
	// ErrOptions is of options of a run that cannot be.
	ErrOptions = errors.New("evals: bad options")
	// errHostStopped is why a run was cancelled that nobody cancelled.
	errHostStopped = errors.New("the host was stopped while the run was under way")
	// ErrRunning is of a second run of an agent at the same time.
	ErrRunning = errors.New("evals: a run is under way")
	// ErrUnknownRun is of an id that no run has.
	ErrUnknownRun = errors.New("evals: no such run")
	// ErrNotRunning is of cancelling a run that has ended.
	ErrNotRunning = errors.New("evals: the run has ended")
	// ErrInFlight is of an idempotency key whose first start has not been answered.
	ErrInFlight = errors.New("evals: the first start with this idempotency key is under way")
	// ErrMismatch is of an idempotency key that started a run with another body.
	ErrMismatch = errors.New("evals: the idempotency key was used with another body")
	// ErrClosed is of a service that has been closed.
	ErrClosed = errors.New("evals: closed")
)
