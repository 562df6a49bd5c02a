// Package typed runs for tests what a reader of the docs would type into a shell.
package typed

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Shell runs a bash script in a folder, with more variables, and gives what it wrote
// to its standard output and error. It runs in a process group of its own, which
// ends with it; one that takes longer than limit fails the test.
func Shell(t *testing.T, dir, script string, limit time.Duration, env ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(plainEnv(), "NO_COLOR=1"), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	var out, faults bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &faults
	err = cmd.Run()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if ctx.Err() != nil {
		t.Fatalf("the script took too long: %v\n%s\n%s", err, out.String(), faults.String())
	}
	return out.String(), faults.String(), err
}

// FreePort gives a port that nobody listens on.
func FreePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// plainEnv is the environment without what would choose a model or a setting.
func plainEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return strings.HasPrefix(name, "BDK_") || strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_BASE_URL")
	})
}
