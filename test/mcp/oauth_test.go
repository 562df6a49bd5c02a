package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/internal/cli"
)

// guarded is an MCP server with one tool that takes the token "good" alone, and the
// authorization server for it. A person who opens a link agrees at once.
func guarded(t *testing.T) string {
	t.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "guarded", Version: "1"}, nil)
	server.AddTool(&sdk.Tool{Name: "hello", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "hello from behind the door"}}}, nil
		})
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		if token != "good" {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: "somebody", Expiration: time.Now().Add(time.Hour)}, nil
	}
	streamable := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true})
	mux.Handle("/mcp", auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: s.URL + "/resource"})(streamable))
	say := func(path string, body any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body)
		})
	}
	say("/resource", map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}})
	say("/.well-known/oauth-authorization-server", map[string]any{"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token",
		"registration_endpoint": s.URL + "/register", "code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true})
	say("/register", map[string]any{"client_id": "c1"})
	say("/token", map[string]any{"access_token": "good", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r1"})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		back, err := url.Parse(q.Get("redirect_uri"))
		if err != nil || q.Get("code_challenge_method") != "S256" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		if r.Header.Get("X-Deny") != "" {
			back.RawQuery = url.Values{"error": {"access_denied"}, "error_description": {"not today"}, "state": {q.Get("state")}, "iss": {s.URL}}.Encode()
			http.Redirect(w, r, back.String(), http.StatusFound)
			return
		}
		back.RawQuery = url.Values{"code": {"c"}, "state": {q.Get("state")}, "iss": {s.URL}}.Encode()
		http.Redirect(w, r, back.String(), http.StatusFound)
	})
	return s.URL + "/mcp"
}

// guardedProject has a connection to the guarded server.
func guardedProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bot/instructions.md":           "You greet.",
		"bot/script.yaml":               "- when: /hi/\n  steps:\n    - call: [{ door__hello: {} }]\n    - say: \"{{ index .results 0 }}\"\n",
		"bot/mcp-connections/door.ts":   fmt.Sprintf("import { defineConnection } from \"@cursor/bdk/connections\";\nexport default defineConnection({ url: %q, oauth: true, advertiseTools: true });\n", guarded(t)),
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
