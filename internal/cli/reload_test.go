package cli

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A devHost is bdk dev on a folder.
type devHost struct {
	*bench
	t    *testing.T
	base string
	done chan int
	sig  chan os.Signal
}

// newProject writes one whose tool says a word.
func newProject(t *testing.T, dir, word string) {
	t.Helper()
	write(t, filepath.Join(dir, "bot/instructions.md"), "Help.\n")
	sayWord(t, dir, word)
}

func sayWord(t *testing.T, dir, word string) {
	t.Helper()
	write(t, filepath.Join(dir, "bot/tools/word.ts"), fmt.Sprintf(`import { defineTool } from "@cursor/bdk/tools";
import { join } from "../lib/join.js";
export default defineTool({ description: "A word.", inputSchema: { type: "object" }, execute: () => join(%q, process.env.EXTRA) });
`, word))
	if _, err := os.Stat(filepath.Join(dir, "bot/lib/join.ts")); err != nil {
		write(t, filepath.Join(dir, "bot/lib/join.ts"), "export const join = (a: string, b?: string) => (b ? `${a} ${b}` : a);\n")
	}
}

// startDev serves a folder until the test ends.
func startDev(t *testing.T, dir string, args ...string) *devHost {
	t.Helper()
	h := &devHost{bench: newBench(t, append([]string{"dev", "--port", "0", "--dir", dir, "--state-root", t.TempDir()}, args...)...), t: t, done: make(chan int, 1), sig: make(chan os.Signal, 2)}
	h.Signals = h.sig
	go func() { h.done <- Main(h.Process) }()
	t.Cleanup(h.stop)
	h.out.await(t, "http://", 1)
	line, _, _ := strings.Cut(h.out.String(), "\n")
	_, at, _ := strings.Cut(line, " ")
	h.base, _, _ = strings.Cut(strings.TrimPrefix(at, "http://"), "/")
	h.base = "http://" + h.base
	return h
}

func (h *devHost) stop() {
	h.sig <- syscall.SIGTERM
	select {
	case code := <-h.done:
		if code != ExitOK && code != ExitInterrupted {
			h.t.Errorf("bdk dev ended with %d: %s", code, h.err.String())
		}
	case <-time.After(20 * time.Second):
		h.t.Errorf("bdk dev does not end: %s", h.err.String())
	}
}

// ask makes a request and gives the body.
func (h *devHost) ask(method, path, body string) string {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.base+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("content-type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// says holds what the tool of an agent says now.
func (h *devHost) says(slug, word string) {
	h.t.Helper()
	if got := h.ask("POST", "/"+slug+"/v1/tools/word", "{}"); !strings.Contains(got, fmt.Sprintf(`"result":%q`, word)) {
		h.t.Errorf("the tool of %s gives %s, want %q", slug, got, word)
	}
}

// dev: "a changed file reloads the project in a fresh VM set … a project that no
// longer loads keeps the old one serving and shows the diagnostics."
func TestDev_Reloads(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	newProject(t, dir, "one")
	h := startDev(t, dir)
	h.says("demo", "one")

	sayWord(t, dir, "two")
	h.err.await(t, `"message":"reloaded"`, 1)
	h.says("demo", "two")
	if said := h.err.String(); !strings.Contains(said, `"agent":"demo"`) || !strings.Contains(said, `"changed":["bot/tools/word.ts"]`) || !strings.Contains(said, `"took":"`) {
		t.Errorf("said %s", said)
	}

	// A shared file, written as editors do: a new file takes its place.
	temp := filepath.Join(dir, "bot/lib/join.ts~")
	write(t, temp, "export const join = (a: string, b?: string) => [a, b ?? \"nothing\"].join(\" and \");\n")
	if err := os.Rename(temp, filepath.Join(dir, "bot/lib/join.ts")); err != nil {
		t.Fatal(err)
	}
	h.err.await(t, `"message":"reloaded"`, 2)
	h.says("demo", "two and nothing")

	// ".env is loaded first … read again at each start."
	write(t, filepath.Join(dir, ".env"), "EXTRA=more\n")
	h.err.await(t, `"message":"reloaded"`, 3)
	h.says("demo", "two and more")

	// Broken: the old one goes on, and it is said where and why.
	write(t, filepath.Join(dir, "bot/tools/word.ts"), "export default {\n")
	h.err.await(t, "not reloaded, the project has 1 error", 1)
	if said := h.err.String(); !strings.Contains(said, "word.ts:") || !strings.Contains(said, "[module/load]") {
		t.Errorf("said %s", said)
	}
	h.says("demo", "two and more")
	info := h.ask("GET", "/demo/v1/info", "")
	if !strings.Contains(info, `"rule":"dev/kept"`) || !strings.Contains(info, `"rule":"module/load","severity":"error","file":"bot/tools/word.ts"`) {
		t.Errorf("info is %s", info)
	}

	sayWord(t, dir, "three")
	h.err.await(t, `"message":"reloaded"`, 4)
	h.says("demo", "three and more")
	if info := h.ask("GET", "/demo/v1/info", ""); !strings.Contains(info, `"diagnostics":[]`) {
		t.Errorf("info is %s", info)
	}
}

// A model's own file, and a limit of the command line, hold for what is loaded anew.
func TestDev_ReloadKeepsFlags(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	newProject(t, dir, "one")
	write(t, filepath.Join(dir, "bot/script.yaml"), "- when: /loop/\n  steps: [ { call: [ { word: {} } ] }, { call: [ { word: {} } ] }, { say: done } ]\n")
	h := startDev(t, dir, "--limit", "steps=1", "--model", "scripted")
	sayWord(t, dir, "two")
	h.err.await(t, `"message":"reloaded"`, 1)
	req, err := http.NewRequestWithContext(t.Context(), "POST", h.base+"/demo/v1/session", strings.NewReader(`{"message":"loop"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("content-type", "application/json")
	req.Header.Set("accept", "application/x-ndjson")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	events, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(events), `"output":"two"`) || !strings.Contains(string(events), `"code":"max_steps"`) {
		t.Errorf("the turn is %s, %v", events, err)
	}
}

// Projects come and go in a folder of projects; a file that none of them owns is
// everybody's.
func TestDev_ReloadsAFolderOfProjects(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newProject(t, filepath.Join(dir, "one"), "first")
	newProject(t, filepath.Join(dir, "two"), "second")
	write(t, filepath.Join(dir, "shared/note.ts"), "export const note = 1;\n")
	h := startDev(t, dir)

	sayWord(t, filepath.Join(dir, "two"), "changed")
	h.err.await(t, `"message":"reloaded"`, 1)
	h.says("one", "first")
	h.says("two", "changed")
	if said := h.err.String(); strings.Count(said, `"message":"reloaded"`) != 1 || !strings.Contains(said, `"changed":["two/bot/tools/word.ts"]`) {
		t.Errorf("said %s", said)
	}

	write(t, filepath.Join(dir, "shared/note.ts"), "export const note = 2; // changed\n")
	h.err.await(t, `"message":"reloaded"`, 3)

	newProject(t, filepath.Join(dir, "three"), "third")
	h.out.await(t, "\nthree "+h.base+"/three\n", 1)
	h.says("three", "third")

	old := h.ask("POST", "/one/v1/session", `{"message":"hello"}`)
	_, id, _ := strings.Cut(old, `"sessionId":"`)
	id, _, _ = strings.Cut(id, `"`)
	if err := os.RemoveAll(filepath.Join(dir, "one")); err != nil {
		t.Fatal(err)
	}
	h.err.await(t, "removed: it starts no new sessions", 1)
	if agents := h.ask("GET", "/v1/agents", ""); strings.Contains(agents, `"slug":"one"`) || !strings.Contains(agents, `"slug":"three"`) {
		t.Errorf("the agents are %s", agents)
	}
	if events := h.ask("GET", "/one/v1/session/"+id+"/events", ""); !strings.Contains(events, `"type":"session.started"`) {
		t.Errorf("the session of the removed one is %s", events)
	}
	if refused := h.ask("POST", "/one/v1/session", `{"message":"hello"}`); !strings.Contains(refused, "unknown_agent") {
		t.Errorf("a new session of the removed one: %s", refused)
	}
}

// What started with errors is served as far as it loaded, and becomes whole when it is mended.
func TestDev_StartsWithErrors(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	newProject(t, dir, "one")
	write(t, filepath.Join(dir, "bot/tools/bad.ts"), "export default 1;\n")
	write(t, filepath.Join(dir, "bot/tools/worse.ts"), "export default 1;\n")
	h := startDev(t, dir, "--mode", "single")
	if got := h.ask("POST", "/v1/tools/word", "{}"); !strings.Contains(got, `"result":"one"`) {
		t.Error(got)
	}
	if err := os.Remove(filepath.Join(dir, "bot/tools/bad.ts")); err != nil {
		t.Fatal(err)
	}
	h.err.await(t, `"message":"reloaded"`, 1)
	if got := h.ask("GET", "/v1/info", ""); strings.Count(got, `"rule":"slot/export"`) != 1 {
		t.Error(got)
	}
	if err := os.Remove(filepath.Join(dir, "bot/tools/worse.ts")); err != nil {
		t.Fatal(err)
	}
	h.err.await(t, `"message":"reloaded"`, 2)
	if got := h.ask("GET", "/v1/info", ""); !strings.Contains(got, `"diagnostics":[]`) {
		t.Error(got)
	}
	if err := os.RemoveAll(filepath.Join(dir, "bot")); err != nil {
		t.Fatal(err)
	}
	h.err.await(t, "not reloaded: what was loaded before goes on", 1)
	if got := h.ask("POST", "/v1/tools/word", "{}"); !strings.Contains(got, `"result":"one"`) {
		t.Error(got)
	}
}

// A watcher leaves out what no project is loaded from, ends at links that lead back,
// and tells a change when it is over.
func TestWatcher_SeesWhatMatters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, file := range []string{"bot/a.ts", "bot/lib/deep/b.json", ".env", "package.json", "node_modules/x/index.js", ".git/HEAD", ".bdk/lock", "root/data", "bot/a.test.ts", "types/x.d.ts", "bot/a.ts~", "bot/sandbox/workspace/.github/a.test.ts",
		"packages/ci/tools/a.ts", "plugins/x/.cursor-plugin/plugin.json", "plugins/x/.mcp.json", "plugins/x/skills/a/SKILL.md"} { // what is mounted
		write(t, filepath.Join(dir, file), "x")
	}
	if err := os.Symlink(dir, filepath.Join(dir, "bot/back")); err != nil {
		t.Fatal(err)
	}
	extra := filepath.Join(t.TempDir(), "prod.env")
	w := newWatcher(dir, filepath.Join(dir, "root"), []string{extra})
	w.every, w.settle = time.Millisecond, time.Millisecond
	var seen []string
	for _, p := range slices.Sorted(maps.Keys(w.seen)) {
		rel, _ := filepath.Rel(dir, p)
		seen = append(seen, rel)
	}
	if got := strings.Join(seen, " "); got != ".env bot/a.ts bot/lib/deep/b.json bot/sandbox/workspace/.github/a.test.ts package.json packages/ci/tools/a.ts plugins/x/.cursor-plugin/plugin.json plugins/x/.mcp.json plugins/x/skills/a/SKILL.md" {
		t.Errorf("seen are %s", got)
	}
	for _, change := range []func(){
		func() { write(t, extra, "A=1") },
		func() { write(t, filepath.Join(dir, "bot/new.ts"), "x") },
		func() { write(t, filepath.Join(dir, "bot/a.ts"), "longer") },
		func() { _ = os.Remove(filepath.Join(dir, "package.json")) },
		func() { write(t, filepath.Join(dir, "node_modules/.package-lock.json"), "{}") },
	} {
		change()
		if got := w.next(t.Context()); len(got) != 1 {
			t.Errorf("told are %v", got)
		}
	}
	for _, file := range []string{"node_modules/x/index.js", ".git/HEAD", "root/data", "bot/a.test.ts", "types/x.d.ts"} {
		write(t, filepath.Join(dir, file), "other")
	}
	if now := w.look(); len(difference(w.seen, now)) > 0 {
		t.Errorf("told would be %v", difference(w.seen, now))
	}
}
