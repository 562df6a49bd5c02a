package transport

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// "A reader that does not read slows nobody: it is served from the log when it
// comes back, or cut." (P10)
func TestStream_ReaderThatDoesNotRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	h.patience = 50 * time.Millisecond
	c := w.serveHandler(h)
	id, _ := c.started("x")
	const large = 24 // MiB, more than the sockets between two ends hold
	for range large {
		if _, err := w.host.Rename(t.Context(), id, strings.Repeat("y", 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	var stuck []net.Conn
	for range 4 {
		conn, err := net.Dial("tcp", c.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		_, _ = fmt.Fprintf(conn, "GET /bot/v1/session/%s/stream HTTP/1.1\r\nHost: %s\r\n\r\n", id, c.addr)
		stuck = append(stuck, conn)
	}
	if _, err := io.ReadFull(stuck[3], make([]byte, 100)); err != nil { // the last one has begun
		t.Fatal(err)
	}
	if a := w.serve(nil).do("GET", "/bot/v1/session/"+id+"/events", ""); len(a.body) < large<<20 {
		t.Error("another reader gets the whole log")
	}
	deadline := time.Now().Add(patience)
	for open := len(stuck); open > 0; {
		h.streams.mu.Lock()
		open = len(h.streams.open)
		h.streams.mu.Unlock()
		if time.Now().After(deadline) {
			t.Fatalf("%d readers that do not read were not cut", open)
		}
	}
}

// "curl alone can do all …, and nothing that a caller sent can make a 500":
// requests put together at random from right and wrong parts.
func TestRandomRequests_NeverA500(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	close(w.release)
	c := w.serve(nil)
	id, token := c.started("/call merge {}")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	value := func() string {
		return pick(`"x"`, `""`, `null`, `1e999`, `-0`, `[]`, `{}`, `true`, `"\ud83d"`, `"`+token+`"`, `"`+id+`"`, `{"a":{"b":[1,2]}}`, `"2026-02-30T00:00:00Z"`, `"2026-02-03T00:00:00Z"`, `"approve"`, `{"../x":"y"}`, `{"ok.txt":{"base64":"AAAA"}}`, `"/call save {}"`, "\"\xff\"", `99999999999999999999999`)
	}
	body := func() string {
		var fields []string
		for range rng.IntN(4) {
			fields = append(fields, fmt.Sprintf("%q:%s", pick("message", "title", "dryRun", "asOf", "workspaceFiles", "purpose", "continuationToken", "input", "sessionId", "decision", "reason", "Message", ""), value()))
		}
		return pick("{", "{", "{", "{", "[", " ") + strings.Join(fields, pick(",", ",", ",", ";")) + pick("}", "}", "}", "}", "", "}}")
	}
	for i := range 1500 {
		path := "/" + pick("bot", "bot", "bot", "other", "none") + "/v1/" + pick("session", "session", "sessions", "session/"+id, "session/"+id+"/stop", "session/"+id+"/approvals/"+pick("call_x", id), "session/"+id+"/events", "session/"+id+"/cost", "tools", "tools/"+pick("echo", "save", "merge", "break", "none"), "info", "logs", "health", "session/"+id+"/stream")
		query := ""
		if rng.IntN(3) == 0 {
			query = "?" + pick("limit", "cursor", "q", "session", "continuationToken", "after", "format", "startIndex", "status") + "=" + url.QueryEscape(pick("", "1", "-1", "x", id, token, "json", "\xff\x00", "99999999999999999999", strings.Repeat("z", 3000)))
		}
		method := pick("GET", "POST", "POST", "PATCH", "PUT", "HEAD")
		if strings.HasSuffix(path, "/stream") {
			query = pick("?follow=false", "?limit=2&startIndex=0", "?until=idle")
		}
		b := ""
		if method != "GET" && method != "HEAD" {
			b = body()
		}
		headers := []string{"Idempotency-Key", pick("a", "b", "c", "") + fmt.Sprint(rng.IntN(50)), "Accept", pick("*/*", ndjson, eventStream, ";;q=,")}
		if rng.IntN(2) == 0 {
			headers = headers[2:]
		}
		a := c.do(method, path+query, b, headers[:len(headers)/2*2]...)
		if a.status >= 500 {
			t.Fatalf("request %d: %s %s%s %q %q: %d %s", i, method, path, query, b, headers, a.status, a.body)
		}
	}
}

// A GET with a body is answered as without, and its stream goes on.
func TestStream_OfAGetWithABody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("x")
	head, _ := w.journal.Head(id)
	res := c.open("GET", fmt.Sprintf("/bot/v1/session/%s/stream?startIndex=%d&limit=1", id, head), "{}")
	if _, err := w.host.Rename(t.Context(), id, "x"); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || !strings.Contains(string(b), "session.updated") {
		t.Errorf("%q, %v", b, err)
	}
}

// S21: "ReadHeaderTimeout 5 s, … IdleTimeout 120 s; per-write deadlines on streams … instead of a global WriteTimeout".
func TestNewServer_Bounds(t *testing.T) {
	t.Parallel()
	s := NewServer(http.NotFoundHandler(), nil)
	if s.ReadHeaderTimeout != 5*time.Second || s.IdleTimeout != 120*time.Second || s.WriteTimeout != 0 || s.ReadTimeout != 0 || s.MaxHeaderBytes+headerSlop != 32<<10 {
		t.Errorf("%+v", s)
	}
	if err := Shutdown(t.Context(), s, http.NotFoundHandler()); err != nil {
		t.Error(err)
	}
}
