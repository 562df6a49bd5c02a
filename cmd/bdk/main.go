// Command bdk hosts AI agents that are folders of files, and drives them.
package main

import (
	"os"

	"github.com/gobdk/bdk/internal/cli"
)

func main() { os.Exit(cli.Main(cli.System())) }
