package e2e

import (
	"bufio"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long anything may take on a busy machine.
const patience = 30 * time.Second

// A process is a host that a script started.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	log  *screen       // what it wrote to stderr
}

// hosts are the running hosts of the scripts: script and name.
type key struct{ script, name string }

var hosts = newTable[key, *process]()

// host starts bdk serve and waits for its lines on stdout.
func host(ts *testscript.TestScript, neg bool, args []string) { start(ts, neg, "serve", args) }

// dev starts bdk dev in the same way.
func dev(ts *testscript.TestScript, neg bool, args []string) { start(ts, neg, "dev", args) }

func start(ts *testscript.TestScript, neg bool, command string, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: host name [flags…]")
	}
	name := args[0]
	cmd := exec.Command(find(ts, "bdk"), append([]string{command, "--port", "0"}, args[1:]...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = environ(ts)
	stderr, err := os.Create(ts.MkAbs(name + ".err"))
	ts.Check(err)
	log := &screen{changed: make(chan struct{}, 1)}
	cmd.Stderr = io.MultiWriter(stderr, log)
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	p := &process{cmd: cmd, done: make(chan struct{}), log: log}
	first := make(chan string, 1)
	go func() {
		defer close(p.done)
		lines := bufio.NewReader(stdout)
		line, _ := lines.ReadString('\n')
		for lines.Buffered() > 0 { // one line per agent, written together
			more, _ := lines.ReadString('\n')
			line += more
		}
		first <- line
		_, _ = io.Copy(io.Discard, lines)
		_ = cmd.Wait()
		_ = stderr.Close()
	}()
	hosts.put(key{ts.Name(), name}, p)
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		<-p.done
	})
	select {
	case lines := <-first:
		_, _ = io.WriteString(ts.Stdout(), lines)
		line, _, _ := strings.Cut(lines, "\n")
		_, at, ok := strings.Cut(line, " ")
		if !ok {
			<-p.done
			ts.Fatalf("the host did not start: %s", ts.ReadFile(name+".err"))
		}
		log.await(ts, `"message":"serving"`, 0) // what it logged before is in the file then
		ts.Setenv(name, at)
		if u, err := url.Parse(at); err == nil {
			ts.Setenv(name+"_port", u.Port())
		}
		ts.Setenv(name+"_err", ts.MkAbs(name+".err"))
	case <-time.After(patience):
		ts.Fatalf("the host was not ready in time: %s", ts.ReadFile(name+".err"))
	}
}

// environ is the script's environment as far as a host uses it.
func environ(ts *testscript.TestScript) []string {
	var list []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "WORK", "NO_COLOR", "OPENAI_API_KEY", "OPENAI_BASE_URL",
		"BDK_MODEL", "BDK_TOKEN", "BDK_BEARER_TOKEN", "BDK_STATE_ROOT", "GOCOVERDIR",
		"GITHUB_API_URL", "GITHUB_TOKEN", "GITHUB_WEBHOOK_SECRET",
		"SLACK_API_URL", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"} {
		if value := ts.Getenv(name); value != "" {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// find looks a program up where the script would.
func find(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if file := filepath.Join(dir, name); isFile(file) {
			return file
		}
	}
	ts.Fatalf("%s is not in PATH", name)
	return ""
}

func isFile(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

var signals = map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL}

// halt ends a host and looks at its exit code; after KILL there is none.
func halt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 3 {
		ts.Fatalf("usage: halt name [TERM|INT|KILL [code]]")
	}
	args = append(args, []string{"TERM", "0"}[len(args)-1:]...)
	p, ok := hosts.take(key{ts.Name(), args[0]})
	if !ok {
		ts.Fatalf("there is no host %s", args[0])
	}
	ts.Check(p.cmd.Process.Signal(signals[args[1]]))
	select {
	case <-p.done:
	case <-time.After(patience):
		ts.Fatalf("the host did not end: %s", ts.ReadFile(args[0]+".err"))
	}
	want, err := strconv.Atoi(args[2])
	if err != nil {
		ts.Check(errors.New("the exit code is no number"))
	}
	if got := p.cmd.ProcessState.ExitCode(); args[1] != "KILL" && got != want {
		ts.Fatalf("the host ended with %d, want %d: %s", got, want, ts.ReadFile(args[0]+".err"))
	}
}

// sendSignal sends a host a signal and goes on when it has been heard.
func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signal name TERM|INT|KILL")
	}
	k := key{ts.Name(), args[0]}
	p, ok := hosts.take(k)
	if !ok {
		ts.Fatalf("there is no host %s", args[0])
	}
	hosts.put(k, p)
	ts.Check(p.cmd.Process.Signal(signals[args[1]]))
	if args[1] != "KILL" {
		p.log.await(ts, "stopping", 0)
	}
}

// exits runs a command and looks at its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
