package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// A buffer may be written and read from several goroutines, and waited on.
type buffer struct {
	mu      sync.Mutex
	b       bytes.Buffer
	changed chan struct{} // closed by the next write, when somebody waits
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// await waits until the text stands in it n times.
func (b *buffer) await(t *testing.T, text string, n int) {
	t.Helper()
	timeout := time.After(30 * time.Second)
	for {
		b.mu.Lock()
		if b.changed == nil {
			b.changed = make(chan struct{})
		}
		changed, now := b.changed, b.b.String()
		b.mu.Unlock()
		if strings.Count(now, text) >= n {
			return
		}
		select {
		case <-changed:
		case <-timeout:
			t.Fatalf("never saw %q %d times in %q", text, n, now)
		}
	}
}

// A bench is a process for tests.
type bench struct {
	*Process
	out, err buffer
}

func newBench(t *testing.T, args ...string) *bench {
	t.Helper()
	b := &bench{Process: &Process{Args: args, Dir: t.TempDir(), Stdin: strings.NewReader("")}}
	b.Stdout, b.Stderr = &b.out, &b.err
	return b
}

// onTerminal makes all three streams one.
func (b *bench) onTerminal() *bench {
	b.IsTerminal = func(any) bool { return true }
	return b
}

// want runs the command line and checks its exit code and a part of each stream.
func (b *bench) want(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	got := Main(b.Process)
	if got != code {
		t.Errorf("bdk %s: exit code %d, want %d\nstdout: %s\nstderr: %s", strings.Join(b.Args, " "), got, code, b.out.String(), b.err.String())
	}
	if !strings.Contains(b.out.String(), stdout) {
		t.Errorf("bdk %s: stdout %q has no %q", strings.Join(b.Args, " "), b.out.String(), stdout)
	}
	if !strings.Contains(b.err.String(), stderr) {
		t.Errorf("bdk %s: stderr %q has no %q", strings.Join(b.Args, " "), b.err.String(), stderr)
	}
}

// wrongUsage are command lines and what is said about them.
var wrongUsage = map[string]string{
	"srve":                                      `bdk has no command "srve" (did you mean serve?): it has call, chat, completion, dev, docs, eval, github, info, init, logs, mcp, run, serve, sessions, slack, validate, version`,
	"srve --help":                               `bdk has no command "srve" (did you mean serve?)`,
	"-h nosuch":                                 `bdk has no command "nosuch"`,
	"sessions shwo -h":                          `bdk sessions has no command "shwo"`,
	"github repaly --help":                      `bdk github has no command "repaly" (did you mean replay?)`,
	"mcp oauht --help":                          `bdk mcp has no command "oauht"`,
	"eval --max-concurrency 0":                  "--max-concurrency 0: it is from 1 to 200",
	"eval --max-concurrency 201":                "--max-concurrency 201: it is from 1 to 200",
	"eval --timeout 180":                        `bdk: --timeout is "180": it is a time such as 50ms or 2s: see bdk eval --help`,
	"eval --timeout 0s":                         "--timeout 0s: it is a time above zero, such as 90s or 2m",
	"eval --junit=":                             "--junit is empty: give it a value, or leave it out",
	"eval --artifacts a --no-artifacts":         "--artifacts and --no-artifacts exclude each other",
	"eval --replay --model scripted":            "--model and --replay exclude each other",
	"eval record ses_1 --name a/index":          `the id of an index is that of its folder: name it "a"`,
	"replay ses_1":                              `bdk has no command "replay"`,
	"replay ses_1 --at 3":                       `bdk has no command "replay"`,
	"--at 3":                                    "unknown flag: --at",
	"help nothing":                              `bdk has no command "nothing"`,
	"sessions forkk":                            `bdk sessions has no command "forkk"`,
	"serve --publish nats://x":                  "unknown flag: --publish",
	"serve --port 70000":                        "--port 70000 is no port",
	"serve --port x":                            `bdk: --port is "x": it is a whole number: see bdk serve --help` + "\n",
	"serve --delta-window x":                    `bdk: --delta-window is "x": it is a time such as 50ms or 2s: see`,
	"serve --dev=x":                             `bdk: --dev is "x": it is true or false: see`,
	"serve a b":                                 `bdk serve takes one folder, and was given "a", "b": see bdk serve --help`,
	"info a b":                                  "bdk info takes one folder",
	"validate a b":                              "bdk validate takes one folder",
	"serve --mode both":                         `--mode is "both": it can be multi or single`,
	"serve --log-level loud":                    `--log-level is "loud": it can be debug, info, warn, error or off`,
	"serve --log-format xml":                    `--log-format is "xml": it can be auto, json or console`,
	"serve --script-workers 0":                  "there is at least one",
	"serve --max-turns -1":                      "--max-turns -1",
	"serve --delta-window -1s":                  "--delta-window -1s",
	"serve --limit body":                        "--limit body: it looks like name=value",
	"serve --limit nope=1":                      `--limit has no "nope": it has body, files-body, header`,
	"serve --limit body=0":                      "is not a positive whole number of bytes, KiB, MiB or GiB",
	"serve --limit messages=1KiB":               `"1KiB" is not a positive whole number`,
	"serve --bearer-token 12345 --host 0.0.0.0": "the bearer token has fewer than 16 characters and 0.0.0.0 can be reached by others",
	"serve --bearer-token 0123456789abcdef --allow-anonymous": "--bearer-token and --allow-anonymous exclude each other",
	"dev --dev":                                 "unknown flag: --dev",
	"run":                                       "there is no message: give one with --message",
	"run --message hi --text --json":            "--text and --json exclude each other",
	"run --message hi --as-of yesterday":        `--as-of "yesterday" is no instant with a zone`,
	"run --message hi --as-of 2026-01-02":       "is no instant with a zone",
	"run --message hi --file a.md":              "--file a.md: it looks like path/in/workspace=local-file",
	"run --message hi --file a.md=missing":      "--file a.md=missing: open ",
	"run --message hi --session s --dry-run":    "are for a new session",
	"call":                                      "bdk call needs a tool's name: see bdk call --help",
	"call a b":                                  `bdk call takes a tool's name and nothing more, and was given "a", "b"`,
	"call t --input {":                          "--input is not JSON",
	"call t --input [1]":                        "--input is JSON but no object",
	"init":                                      "bdk init needs the folder of the new project: see bdk init --help",
	"init x --template z":                       `--template is "z": it can be assistant, pr-reviewer or webhook`,
	"init a.b":                                  `"a.b" cannot be the folder of a project`,
	"init docs":                                 `"docs" cannot be the folder of a project`,
	"completion":                                "name the shell: bash, zsh or fish",
	"completion tcsh":                           `there is no completion for "tcsh"`,
	"sessions list --last 0":                    "--last 0: it is at least 1",
	"sessions list --last x":                    `bdk: --last is "x": it is a whole number: see bdk sessions list --help` + "\n",
	"eval record":                               "bdk eval record needs a session's id: see bdk eval record --help",
	"eval record ses_1 --stubs some":            `--stubs is "some": it can be writes, all or none`,
	"eval record ses_1 --name ../x":             `--name "../x": an id is a path of plain names, such as refunds/twice`,
	"eval record ses_1 --name a//b":             "an id is a path of plain names",
	"sessions list hello":                       `bdk sessions list takes no argument, and was given "hello"`,
	"sessions list --status foo":                `--status is "foo": it can be running, parked, waiting, completed or failed`,
	"sessions --status foo --url http://x":      `--status is "foo": it can be running, parked, waiting, completed or failed`,
	"sessions list --purpose foo":               `--purpose is "foo": it can be live or eval`,
	"sessions --purpose foo --url http://x":     `--purpose is "foo": it can be live or eval`,
	"sessions show":                             "bdk sessions show needs a session's id: see bdk sessions show --help",
	"sessions events ses_1 --from -1":           `bdk: --from is "-1": it is a whole number from 0 on: see`,
	"run hello there":                           `bdk: bdk run takes its message as a flag: bdk run --message "hello there"` + "\n",
	"chat hello":                                `bdk chat takes no argument, and was given "hello": see bdk chat --help`,
	"version 1":                                 "bdk version takes no argument",
	"serve --bearer-token=":                     "--bearer-token is empty: give it a token, or leave it out to admit this machine alone",
	"dev --bearer-token= --allow-anonymous":     "--bearer-token is empty",
	"info --dir . also":                         "the project's folder is given twice",
	"logs --url nowhere":                        `"nowhere" is not the URL of a host`,
	"run --message m --env-file missing":        "reading the environment: open ",
	"run --message m --url http://x --model m1": "--model is for a host that this command starts",

	"serve --limit header=1":      "--limit header=1: it is at least 8KiB, or hardly a request would get through",
	"serve --limit body=1":        "--limit body=1: it is at least 1KiB",
	"serve --limit json-depth=1":  "--limit json-depth=1: it is at least 2",
	"serve --limit title=1000000": "--limit title=1000000: it is at most 10000",
	"login":                       "bdk: there is no account to log in to",
	"secrets set A=b --prod":      "bdk: bdk keeps no secrets of its own",
	"deploy --help":               "bdk: bdk deploys nowhere by itself: run bdk serve",
}

// cli.md: "2 wrong usage or an empty selection".
func TestMain_WrongUsage(t *testing.T) {
	t.Parallel()
	for args, stderr := range wrongUsage {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			args = strings.Replace(args, "http://x", fakeHost(t, nil), 1)
			newBench(t, strings.Fields(args)...).want(t, ExitUsage, "", stderr)
		})
	}
}

// cli.md: "3 could not start (port in use, state root locked, no such project)".
func TestMain_CannotStart(t *testing.T) {
	t.Parallel()
	for args, stderr := range map[string]string{
		"serve":                         "no such project",
		"validate":                      "no such project",
		"info":                          "no such project",
		"run --message hi":              "no such project",
		"call x":                        "no such project",
		"eval":                          "no such project",
		"eval --list":                   "no such project",
		"serve --dir missing":           "there is no folder",
		"logs":                          "no host is running on",
		"logs --url http://127.0.0.1:1": "no answer from http://127.0.0.1:1",
		"run --message m --url http://127.0.0.1:1": "is the host running there?",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			newBench(t, strings.Fields(args)...).want(t, ExitNoStart, "", stderr)
		})
	}
}

// cli.md: "--help for each with an example".
func TestHelp_EachCommandHasAnExample(t *testing.T) {
	t.Parallel()
	var each func(c *cobra.Command, path []string)
	each = func(c *cobra.Command, path []string) {
		b := newBench(t, append(path, "--help")...)
		b.want(t, ExitOK, "Examples:\n  ", "")
		if c.Short == "" || !strings.Contains(b.out.String(), "bdk") {
			t.Errorf("%v has no good help:\n%s", path, b.out.String())
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				each(sub, append(path[:len(path):len(path)], sub.Name()))
			}
		}
	}
	each((&app{Process: newBench(t).Process}).newRoot(), nil)
}

func TestHelp_WithoutACommandAndByName(t *testing.T) {
	t.Parallel()
	newBench(t).want(t, ExitOK, "Available Commands:", "")
	newBench(t, "help", "run").want(t, ExitOK, "bdk run --message", "")
}

// cli.md: "each limit of sessions.md has a name, listed by bdk serve --help".
func TestHelp_ServeListsTheLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t, "serve", "--help")
	b.want(t, ExitOK, "", "")
	for _, l := range limits {
		if !strings.Contains(b.out.String(), "\n  "+l.name+" ") {
			t.Errorf("serve --help does not list the limit %s", l.name)
		}
	}
}

// cli.md: "Variables: every flag as BDK_<FLAG>".
func TestFlags_ComeFromTheEnvironment(t *testing.T) {
	t.Parallel()
	b := newBench(t, "serve")
	b.Environ = []string{"BDK_MODE=both"}
	b.want(t, ExitUsage, "", `--mode is "both"`)

	b = newBench(t, "serve")
	b.Environ = []string{"BDK_PORT=many"}
	b.want(t, ExitUsage, "", `bdk: the variable BDK_PORT is "many": it is a whole number`+"\n")

	b = newBench(t, "serve")
	b.Environ = []string{"BDK_BEARER_TOKEN="}
	b.want(t, ExitUsage, "", "the variable BDK_BEARER_TOKEN is empty: give it a token, or unset it to admit this machine alone")

	b = newBench(t, "serve", "--bearer-token", "canary-0123456789")
	b.Environ = []string{"BDK_BEARER_TOKEN="}
	b.want(t, ExitNoStart, "", "no such project")

	b = newBench(t, "serve", "--mode", "single")
	b.Environ = []string{"BDK_MODE=both"}
	b.want(t, ExitNoStart, "", "no such project")

	b = newBench(t, "serve")
	b.Environ = []string{"BDK_LIMIT=body=1MiB,nope=2"}
	b.want(t, ExitUsage, "", `--limit has no "nope"`)

	b = newBench(t, "version")
	b.Environ = []string{"BDK_JSON=1"}
	b.want(t, ExitOK, `"version":`, "")
}

func TestFlags_ANamedEnvironmentFileCounts(t *testing.T) {
	t.Parallel()
	b := newBench(t, "serve", "--env-file", "prod.env")
	write(t, filepath.Join(b.Dir, "prod.env"), "# settings\nexport BDK_MODE='both' \nBDK_PORT=1 # one\n")
	b.want(t, ExitUsage, "", `--mode is "both"`)

	b = newBench(t, "serve", "--env-file", "bad.env")
	write(t, filepath.Join(b.Dir, "bad.env"), "A=1\nnonsense\n")
	b.want(t, ExitUsage, "", "bad.env:2: this is no assignment")
}

func TestVersion_TextAndJSON(t *testing.T) {
	t.Parallel()
	newBench(t, "--version").want(t, ExitOK, "bdk "+Version()+"\n", "")
	newBench(t, "version").want(t, ExitOK, "bdk "+Version()+" go1.", "")
	newBench(t, "version", "--json").want(t, ExitOK, `"os": "`, "")
}

func TestCompletion_PrintsScripts(t *testing.T) {
	t.Parallel()
	newBench(t, "completion", "bash").want(t, ExitOK, "# bash completion V2 for bdk", "")
	newBench(t, "completion", "zsh").want(t, ExitOK, "#compdef bdk", "")
	newBench(t, "completion", "fish").want(t, ExitOK, "# fish completion for bdk", "")
	newBench(t, "__complete", "ser").want(t, ExitOK, "serve\t", "")
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
