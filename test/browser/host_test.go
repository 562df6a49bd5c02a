package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/test/typed"
)

// limit bounds everything that a test waits for.
const limit = 30 * time.Second

// A host is a bdk serve of a project, in a process of its own that can be killed.
type host struct {
	t    *testing.T
	args []string
	env  []string
	// dir is the project, root its state.
	dir, root string
	port      int
	// url is the agent's, origin the host's.
	url, origin string

	cmd *exec.Cmd
	log *lines
}

// sample copies a project of the repository and serves it.
func sample(t *testing.T, name string, args ...string) *host {
	t.Helper()
	h := prepare(t, filepath.Join("..", "projects", name), args...)
	h.start()
	return h
}

// prepare copies a project; start serves it.
func prepare(t *testing.T, from string, args ...string) *host {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(from))
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".bdk")); err != nil {
		t.Fatal(err)
	}
	if len(args) == 0 {
		args = []string{"--dev"}
	}
	return &host{t: t, args: args, dir: dir, root: filepath.Join(t.TempDir(), "state"), port: typed.FreePort(t)}
}

// start runs the host and waits until it serves.
func (h *host) start() {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	args := append([]string{"serve", "--dir", h.dir, "--state-root", h.root, "--port", fmt.Sprint(h.port)}, h.args...)
	h.cmd, h.log = exec.Command(self, args...), &lines{}
	h.cmd.Env = append(append(quiet(), asHost+"=1"), h.env...)
	h.cmd.Stderr = h.log
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(h.kill)
	h.ready(out)
}

// ready waits for the line with the agent's URL.
func (h *host) ready(out io.Reader) {
	h.t.Helper()
	said := make(chan string, 1)
	go func() {
		defer close(said)
		for s := bufio.NewScanner(out); s.Scan(); {
			if _, url, ok := strings.Cut(s.Text(), " http://"); ok {
				select {
				case said <- "http://" + strings.TrimSpace(url):
				default: // another agent's
				}
			}
		}
	}()
	select {
	case url, ok := <-said:
		if !ok {
			h.t.Fatalf("the host ended before it served:\n%s", h.log)
		}
		h.url = url
		h.origin = url[:strings.LastIndex(url, "/")]
	case <-time.After(limit):
		h.t.Fatalf("the host did not serve:\n%s", h.log)
	}
}

// kill ends the host as SIGKILL does.
func (h *host) kill() {
	if h.cmd == nil || h.cmd.ProcessState != nil {
		return
	}
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
	if h.t.Failed() {
		h.t.Logf("the host's log:\n%s", h.log)
	}
}

// page is the address of a view of the agent's playground.
func (h *host) page(view string) string { return h.url + "/playground#/" + view }

// ask calls the agent's API.
func (h *host) ask(method, path string, body any) map[string]any {
	h.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, bytes.NewReader(b))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, _ := io.ReadAll(reply.Body)
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil || reply.StatusCode >= 300 {
		h.t.Fatalf("%s %s: %d %s", method, path, reply.StatusCode, text)
	}
	return got
}

// talk starts a session with a message, and gives its id when the turn has stopped.
func (h *host) talk(message string) string {
	h.t.Helper()
	id := h.ask("POST", "/v1/session", map[string]any{"message": message})["sessionId"].(string)
	h.read(id, func(line string) bool {
		return strings.Contains(line, `"type":"session.waiting"`) || strings.Contains(line, `"type":"input.requested"`)
	})
	return id
}

// read gives a session's lines up to one that is the last.
func (h *host) read(id string, last func(line string) bool) []string {
	h.t.Helper()
	reply, err := http.Get(h.url + "/v1/session/" + id + "/stream")
	if err != nil {
		h.t.Fatal(err)
	}
	defer reply.Body.Close()
	stop := time.AfterFunc(limit, func() { _ = reply.Body.Close() })
	defer stop.Stop()
	var all []string
	s := bufio.NewScanner(reply.Body)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		if s.Text() == "" {
			continue
		}
		all = append(all, s.Text())
		if last(s.Text()) {
			return all
		}
	}
	h.t.Fatalf("the stream of %s ended too early:\n%s", id, strings.Join(all, "\n"))
	return nil
}

// quiet is the environment without what would choose a model or a setting.
func quiet() []string {
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return strings.HasPrefix(name, "BDK_") || strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_BASE_URL")
	})
}

// lines keeps what a process writes.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
