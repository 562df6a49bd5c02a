package project

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"
)

// TestMain holds that a closed project leaves no goroutine behind. Run as the process
// of a tool, the test is that process.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == runsTool {
		os.Exit(runTool(os.Args[2], os.Args[3], os.Args[4]))
	}
	goleak.VerifyTestMain(m)
}

// runsTool is the argument by which the test runs itself.
const runsTool = "run-tool"

// runTool does what the command line does.
func runTool(dir, module, file string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	input, err := io.ReadAll(os.Stdin)
	if err == nil {
		var cwd string
		if cwd, err = os.Getwd(); err == nil {
			var result []byte
			log := zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, NoColor: true, PartsOrder: []string{zerolog.MessageFieldName}, FieldsExclude: []string{"source", "call", "tool"}}).Level(zerolog.InfoLevel)
			result, err = RunTool(ctx, &ToolRun{Dir: dir, Module: module, File: file, Cwd: cwd, Input: input, Env: os.Environ(), Logger: log})
			fmt.Printf("\n%s\n", result)
		}
	}
	switch {
	case errors.Is(err, ErrInvalidOutput):
		fmt.Fprintln(os.Stderr, err)
		return 65
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
