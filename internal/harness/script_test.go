//go:build unix

package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

func (r *rig) script(ctx context.Context, command, input string) (agent.Result, error) {
	r.t.Helper()
	return RunScript(ctx, &Script{
		Programs: Programs{Environ: []string{"PATH=" + os.Getenv("PATH")}}, Dir: r.dir, Scratch: r.scratch, Log: zerolog.Nop(),
		Argv: []string{"sh", "-c", command}, Input: []byte(input),
	})
}

// "input as JSON on stdin, the result as the last line of stdout, exit code 0 or an
// error result with the end of stderr; limits as for `shell`".
func TestRunScript(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	for _, c := range []struct{ command, want, code string }{
		{`cat`, `{"a":1}`, ""},
		{`echo noise; echo '{"r":2}'; echo; echo fine >&2`, `{"r":2}`, ""},
		{`printf '  [1]'`, `[1]`, ""},
		{`echo '{"r":2}'; echo first >&2; echo it broke >&2; exit 1`, `"first\nit broke"`, events.CodeToolError},
		{`exit 9`, `"the tool's process ended with exit code 9 and said nothing"`, events.CodeToolError},
		{`echo does not fit >&2; exit 65`, `"does not fit"`, events.CodeInvalidOutput},
		{`echo dying >&2; kill -9 $$`, `"the tool's process was ended by a signal (killed): dying"`, events.CodeToolError},
	} {
		got, err := r.script(t.Context(), c.command, `{"a":1}`)
		if err != nil || string(got.Output) != c.want || got.Code != c.code || got.IsError != (c.code != "") {
			t.Errorf("%s: %s %s, %v; want %s %s", c.command, got.Output, got.Code, err, c.want, c.code)
		}
	}
	for command, want := range map[string]string{
		`true`:                                   "it wrote nothing",
		`echo '{"a":1}'; echo not json`:          "the last line of its output is not JSON",
		`head -c 20000000 /dev/zero | tr '\0' x`: "the last line of its output has more than",
	} {
		if got, err := r.script(t.Context(), command, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v; want %q", command, got.Output, err, want)
		}
	}
	long, err := r.script(t.Context(), `head -c 100000 /dev/zero | tr '\0' e >&2; echo end >&2; exit 1`, "")
	if err != nil || len(long.Output) > maxErrorText+10 || !strings.HasSuffix(string(long.Output), `eend"`) {
		t.Errorf("the end of a long text: %d bytes, %v", len(long.Output), err)
	}
}

func TestRunScript_Limits(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	go func() { // its time is over when it has begun
		for ctx.Err() == nil {
			if b, _ := os.ReadFile(filepath.Join(r.dir, "pid")); strings.HasSuffix(string(b), "\n") {
				cancel(context.DeadlineExceeded)
			}
			runtime.Gosched()
		}
	}()
	if _, err := r.script(ctx, `sleep 600 & echo $! > pid; wait`, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("over its time: %v", err)
	}
	pid := strings.TrimSpace(r.has("pid"))
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for alive := true; alive; {
		stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
		if alive = err == nil && !strings.Contains(string(stat), ") Z "); !alive {
			break
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("process %s still runs", pid)
		}
	}
}
