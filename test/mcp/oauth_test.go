package mcp

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/cli"
	"github.com/gobdk/bdk/test/oauthserver"
)

// guardedProject has a connection to the guarded server.
func guardedProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bot/instructions.md":           "You greet.",
		"bot/script.yaml":               "- when: /hi/\n  steps:\n    - call: [{ door__hello: {} }]\n    - say: \"{{ index .results 0 }}\"\n",
		"bot/mcp-connections/door.ts":   fmt.Sprintf("import { defineConnection } from \"@cursor/bdk/connections\";\nexport default defineConnection({ url: %q, oauth: true, advertiseTools: true });\n", oauthserver.Start(t)),
		"bot/mcp-connections/public.ts": "import { defineConnection } from \"@cursor/bdk/connections\";\nexport default defineConnection({ url: \"http://127.0.0.1:1/mcp\" });\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bdk runs a command line in a folder.
func bdk(dir string, stdout io.Writer, args ...string) (code int, said string) {
	var stderr bytes.Buffer
	code = cli.Main(&cli.Process{Args: args, Dir: dir, Environ: []string{"BDK_MODEL=scripted"}, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: &stderr})
	return code, stderr.String()
}

// A screen is what a command says, line by line as it comes.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
	told chan string
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	for _, line := range strings.Split(string(p), "\n") {
		if strings.HasPrefix(line, "http") {
			s.told <- line
		}
	}
	return len(p), nil
}

// opens opens a link as a person's browser does.
func opens(t *testing.T, link string) {
	t.Helper()
	res, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(page), "Connected") {
		t.Errorf("%v: %d %s", err, res.StatusCode, page)
	}
}

// packs.md: "A first call without a grant in a chat turn parks: authorization.requested
// with the link …, the same call retried after it", in a host that a command starts for
// itself, and serves nothing but the way back.
func TestOAuth_Run(t *testing.T) {
	t.Parallel()
	for command, args := range map[string][]string{"run": {"--message", "hi"}, "run --text": {"--message", "hi"}, "chat": nil} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			runs(t, append(strings.Fields(command), args...), "hi\n")
		})
	}
}

// runs runs a command of which a turn waits for a connection.
func runs(t *testing.T, args []string, typed string) {
	t.Helper()
	dir := guardedProject(t)
	var out bytes.Buffer
	said := &screen{told: make(chan string, 4)}
	done := make(chan int, 1)
	go func() {
		done <- cli.Main(&cli.Process{Args: args, Dir: dir, Environ: []string{"BDK_MODEL=scripted"}, Stdin: strings.NewReader(typed), Stdout: &out, Stderr: said})
	}()
	link := <-said.told
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	back, err := url.Parse(u.Query().Get("redirect_uri"))
	if err != nil || back.Hostname() != "127.0.0.1" {
		t.Fatalf("%v: people come back to %v", err, back)
	}
	res, err := http.Get("http://" + back.Host + "/v1/agents")
	if err != nil {
		t.Fatal(err)
	}
	if _ = res.Body.Close(); res.StatusCode != 404 {
		t.Errorf("the port serves more: %d", res.StatusCode)
	}
	opens(t, link)
	if code := <-done; code != 0 || !slices.Contains(args, "--text") && !strings.Contains(out.String(), "connection door: granted") || !strings.Contains(out.String(), "hello from behind the door") {
		t.Errorf("%d: %s\n%s", code, out.String(), said.text.String())
	}
	if n := strings.Count(said.text.String(), "door is not connected: open this link in a browser by "); n != 1 {
		t.Errorf("it says: %s", said.text.String())
	}
}

// packs.md: "`bdk mcp oauth <name>` opens the browser flow"; after it a call runs, in
// another process and with no person about.
func TestOAuth_CommandLine(t *testing.T) {
	t.Parallel()
	dir := guardedProject(t)
	greet := func() string {
		var out bytes.Buffer
		_, said := bdk(dir, &out, "run", "--json", "--message", "hi")
		return out.String() + said
	}
	read, write := io.Pipe()
	done := make(chan string, 1)
	go func() {
		code, said := bdk(dir, write, "mcp", "oauth", "door")
		_ = write.Close()
		done <- fmt.Sprintf("%d %s", code, said)
	}()
	link, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-done)
	}
	opens(t, strings.TrimSpace(link))
	if said := <-done; !strings.HasPrefix(said, "0 ") || !strings.Contains(said, "door is connected") {
		t.Errorf("it ended with %s", said)
	}
	if said := greet(); !strings.Contains(said, "hello from behind the door") {
		t.Errorf("after it: %s", said)
	}
}

// Where the person says no the command ends, and says so.
func TestOAuth_Denied(t *testing.T) {
	t.Parallel()
	read, write := io.Pipe()
	done := make(chan string, 1)
	go func() {
		code, said := bdk(guardedProject(t), write, "mcp", "oauth", "door")
		_ = write.Close()
		done <- fmt.Sprintf("%d %s", code, said)
	}()
	link, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-done)
	}
	deny, err := http.NewRequest(http.MethodGet, strings.TrimSpace(link), nil)
	if err != nil {
		t.Fatal(err)
	}
	deny.Header.Set("X-Deny", "1")
	res, err := http.DefaultClient.Do(deny)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	select {
	case said := <-done:
		if !strings.HasPrefix(said, "1 ") || !strings.Contains(said, "door is not connected: ") || !strings.Contains(said, "not today") {
			t.Errorf("it ended with %s", said)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the command waits on")
	}
}

// A connection that needs nothing of the kind, or is not there, is said to be so.
func TestOAuth_OtherConnections(t *testing.T) {
	t.Parallel()
	dir := guardedProject(t)
	for name, says := range map[string]string{"public": "does not use oauth", "nope": "no connection of this name"} {
		if code, said := bdk(dir, io.Discard, "mcp", "oauth", name); code == 0 || !strings.Contains(said, says) {
			t.Errorf("%s: %d %s", name, code, said)
		}
	}
}
