// Command bdk hosts AI agents that are folders of files, and drives them.
package main

import (
	"os"
	"runtime/debug"
	_ "time/tzdata" // for the zones of Intl where the system has none

	"github.com/gobdk/bdk/internal/cli"
)

func main() {
	if os.Getenv("GOGC") == "" { // a host keeps little alive and allocates much
		debug.SetGCPercent(300)
	}
	os.Exit(cli.Main(cli.System()))
}
