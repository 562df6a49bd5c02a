package pages_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/test/pages"
	"github.com/gobdk/bdk/test/typed"
)

const folder = "../../transport/docs"

// "each docs page on tools, hooks, skills, subagents has a sample that a test runs as printed":
// what stands in a console on a page is typed, and prints what the page says.
func TestPages_RunAsPrinted(t *testing.T) {
	t.Parallel()
	for _, file := range all(t) {
		p, err := pages.Read(read(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(p.Commands) == 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			t.Parallel()
			play(t, p)
		})
	}
}

// play types a page's commands and compares what they print.
func play(t *testing.T, p *pages.Page) {
	dir := filepath.Join(t.TempDir(), p.Folder)
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	printed := run(t, dir, p.Commands)
	for i, c := range p.Commands {
		if !pages.Matches(c.Want, printed[i]) {
			t.Errorf("$ %s\nprints\n%s\nthe page says\n%s", c.Line, strings.Join(printed[i], "\n"), strings.Join(c.Want, "\n"))
		}
	}
}

const mark = "\x1e"

// run types the commands into one shell and gives what each printed.
func run(t *testing.T, dir string, commands []pages.Command) [][]string {
	t.Helper()
	port := fmt.Sprint(typed.FreePort(t))
	var script strings.Builder
	script.WriteString("trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n") // hosts in the background
	for _, c := range commands {
		line := c.Line
		if strings.HasSuffix(line, "&") && !strings.Contains(line, "--port") {
			line = strings.Replace(line, "bdk serve", "bdk serve --port 3000", 1)
		}
		line = strings.NewReplacer("127.0.0.1:3000", "127.0.0.1:"+port, "--port 3000", "--port "+port).Replace(line)
		command, hosts := strings.CutSuffix(line, "&")
		switch {
		case !hosts:
			fmt.Fprintf(&script, "printf '%s'\n%s\n", mark, line)
			continue
		case strings.Contains(command, ">"): // it writes elsewhere
			fmt.Fprintf(&script, "printf '%s'\n%s\nfor i in $(seq 300); do curl -sf -o /dev/null http://127.0.0.1:%s/v1/health && break; sleep 0.1; done\n", mark, line, port)
			continue
		}
		// What a host prints, and that it answers, is waited for.
		fmt.Fprintf(&script, `printf '%s'; said=$(mktemp)
%s >"$said" &
for i in $(seq 300); do [ -s "$said" ] && curl -sf -o /dev/null http://127.0.0.1:%s/v1/health && break; sleep 0.1; done
cat "$said"; rm "$said"
`, mark, command, port)
	}
	out, faults, _ := typed.Shell(t, dir, script.String(), 3*time.Minute, "PATH="+filepath.Dir(bdk(t))+":"+os.Getenv("PATH"))
	t.Logf("standard error:\n%s", faults)
	parts := strings.Split(out, mark)[1:]
	if len(parts) != len(commands) {
		t.Fatalf("%d of %d commands ran:\n%s", len(parts), len(commands), out)
	}
	printed := make([][]string, len(parts))
	for i, part := range parts {
		part = strings.ReplaceAll(part, "127.0.0.1:"+port, "127.0.0.1:3000")
		if part = strings.TrimRight(part, "\n"); part != "" {
			printed[i] = strings.Split(part, "\n")
		}
	}
	return printed
}

var built struct {
	sync.Once
	path string
	err  error
}

// bdk builds the binary once.
func bdk(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		dir, err := os.MkdirTemp("", "bdk-pages")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "bdk")
		cmd := exec.Command("go", "build", "-o", built.path, "./cmd/bdk")
		cmd.Dir = "../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("building bdk: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" {
		_ = os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}
