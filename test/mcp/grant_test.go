package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/cli"
)

// served runs bdk serve until the test ends, and gives the agent's URL.
func served(t *testing.T, dir string, args ...string) string {
	t.Helper()
	signals, done := make(chan os.Signal, 1), make(chan int, 1)
	read, write := io.Pipe()
	var said bytes.Buffer
	go func() {
		defer func() { _ = write.Close() }()
		done <- cli.Main(&cli.Process{Args: append([]string{"serve", "--port", "0"}, args...), Dir: dir, Environ: []string{"BDK_MODEL=scripted"}, Stdin: strings.NewReader(""), Stdout: write, Stderr: &said, Signals: signals})
	}()
	t.Cleanup(func() {
		signals <- os.Interrupt
		if code := <-done; code != 0 && code != 130 {
			t.Errorf("serve ended with %d: %s", code, said.String())
		}
	})
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	_, at, _ := strings.Cut(strings.TrimSpace(line), " ")
	return at
}

// asks gives the reply to a request, as text.
func asks(t *testing.T, method, url, body, accept string) (string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %v, %d: %s", method, url, err, res.StatusCode, text)
	}
	return string(text), res.Header
}

// sentBack plays a person who agrees at a link, and gives where the browser is sent.
func sentBack(t *testing.T, link string) *url.URL {
	t.Helper()
	once := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := once.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	to, err := res.Location()
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// Over HTTP: a stream has the link and ends where the turn is parked, which no list of
// approvals shows and the session's status does; people come back to the public URL, and
// the turn goes on.
func TestGrant_OverHTTP(t *testing.T) {
	t.Parallel()
	at := served(t, guardedProject(t), "--public-url", "https://agents.example.com/here/")
	stream, header := asks(t, "POST", at+"/v1/session", `{"message":"hi"}`, "application/x-ndjson")
	id := header.Get("bdk-session-id")
	var last struct {
		Index int
		Type  string
		Data  struct{ Connection, CallID, URL, ExpiresAt string }
	}
	lines := strings.Split(strings.TrimSpace(stream), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Type != "authorization.requested" || last.Data.Connection != "door" || last.Data.CallID == "" || last.Data.ExpiresAt == "" {
		t.Fatalf("%v: the stream ends with %s", err, lines[len(lines)-1])
	}
	if status, _ := asks(t, "GET", at+"/v1/session/"+id, "", "application/json"); !strings.Contains(status, `"status":"parked"`) {
		t.Errorf("the session is %s", status)
	}
	if list, _ := asks(t, "GET", at+"/v1/session/"+id+"/approvals", "", "application/json"); !strings.Contains(list, `"approvals":[]`) {
		t.Errorf("approvals are %s", list)
	}
	back := sentBack(t, last.Data.URL)
	if back.Host != "agents.example.com" || back.Scheme != "https" || back.Path != "/here/v1/oauth/callback" {
		t.Fatalf("the browser is sent to %s", back)
	}
	host, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	if page, _ := asks(t, "GET", "http://"+host.Host+"/v1/oauth/callback?"+back.RawQuery, "", "text/html"); !strings.Contains(page, "Connected") {
		t.Errorf("the page is %s", page)
	}
	rest, _ := asks(t, "GET", at+"/v1/session/"+id+"/stream?until=idle&startIndex="+strconv.Itoa(last.Index+1), "", "text/event-stream")
	for _, want := range []string{`"type":"authorization.completed"`, `"outcome":"granted"`, "hello from behind the door", `"type":"turn.completed"`} {
		if !strings.Contains(rest, want) {
			t.Errorf("%s is not in %s", want, rest)
		}
	}
	if link, _ := asks(t, "POST", at+"/v1/mcp/oauth/door", "", "application/json"); !strings.Contains(link, url.QueryEscape("https://agents.example.com/here/v1/oauth/callback")) {
		t.Errorf("another link is %s", link)
	}
}

// A public URL is one of http or https, with a host and a path alone.
func TestGrant_PublicURL(t *testing.T) {
	t.Parallel()
	dir := guardedProject(t)
	for _, bad := range []string{"agents.example.com", "ftp://a/", "https://a/?x=1", "https://me@a", "https://a/#x", "https:///v1"} {
		if code, said := bdk(dir, io.Discard, "serve", "--port", "0", "--public-url", bad); code != 2 || !strings.Contains(said, "--public-url") {
			t.Errorf("%s: %d %s", bad, code, said)
		}
	}
}
