//go:build !unix

package sandbox

import "context"

// Run is refused where there are no process groups.
func Run(context.Context, *Program) (End, error) { return End{}, ErrNoShell }

// KillOwned finds nothing, since nothing was run.
func KillOwned(string) int { return 0 }
