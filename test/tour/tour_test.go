package tour

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/test/typed"
)

// "a five-minute tour that works as typed": every shell block of that part of the
// README runs in one shell, on copies and on a port of the test's own.
func TestReadme_TourWorksAsTyped(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	blocks := tourOf(t, filepath.Join(root, "README.md"))
	if len(blocks) < 6 {
		t.Fatalf("the tour has %d shell blocks", len(blocks))
	}
	port := typed.FreePort(t)
	script := "set -euo pipefail\n"
	for i, block := range blocks {
		script += fmt.Sprintf("echo '## block %d'\n%s", i, adapt(t, block, root, dir, port))
	}
	out, faults, err := typed.Shell(t, root, script, 5*time.Minute)
	if err != nil {
		t.Fatalf("the tour ended with %v:\n%s\n%s", err, out, faults)
	}
	out += faults
	for _, want := range wanted {
		if !want.MatchString(out) {
			t.Errorf("nothing in the tour's output matches %s", want)
		}
	}
	if t.Failed() {
		t.Logf("the script:\n%s\nits output:\n%s", script, out)
	}
}

// wanted is what a reader of the tour sees, in the parts that do not change.
var wanted = []*regexp.Regexp{
	regexp.MustCompile(`(?i)milk`),
	regexp.MustCompile(`2 cases: 2 passed`),
	regexp.MustCompile(`pr-reviewer +http://127\.0\.0\.1:\d+/pr-reviewer`),
	regexp.MustCompile(`"ok":true,"sessionId":"ses_[0-9A-Z]{26}","continuationToken":"http:`),
	regexp.MustCompile(`"type":"action\.result".*"toolName":"inspect_pr"`),
	regexp.MustCompile(`(?s)"toolName":"merge_pr".*## block 6.*## block 7.*"toolName":"merge_pr"`), // parked before and after the kill
	regexp.MustCompile(`"decision":"approve"`),
	regexp.MustCompile(`"type":"message\.completed".*Merged #7`),
}

// tourOf gives the shell blocks between two headings of the README.
func tourOf(t *testing.T, readme string) []string {
	t.Helper()
	b, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(b), "\n## Five minutes\n")
	part, _, ok2 := strings.Cut(rest, "\n## ")
	if !ok || !ok2 {
		t.Fatal("the README has no part \"Five minutes\"")
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(part, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// adapt changes where a block works, not what it does; where a person would wait for
// the host's line, it waits for the port.
func adapt(t *testing.T, block, root, dir string, port int) string {
	t.Helper()
	project := filepath.Join(dir, "pr-reviewer")
	if _, err := os.Stat(project); os.IsNotExist(err) {
		if err := os.CopyFS(project, os.DirFS(filepath.Join(root, "test/projects/pr-reviewer"))); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(project, ".bdk")); err != nil {
			t.Fatal(err)
		}
	}
	block = strings.NewReplacer(
		"go build -o bdk ", "go build -o "+dir+"/bdk ",
		"./bdk serve", dir+"/bdk serve --port "+fmt.Sprint(port),
		"./bdk", dir+"/bdk",
		"127.0.0.1:3000", fmt.Sprintf("127.0.0.1:%d", port),
		"test/projects/pr-reviewer", project,
		"/tmp/", dir+"/",
	).Replace(block)
	ready := fmt.Sprintf("&\nfor i in $(seq 100); do curl -sf http://127.0.0.1:%d/v1/health >%s/health && break; sleep 0.1; done\n", port, dir)
	return strings.ReplaceAll(block, "&\n", ready)
}
