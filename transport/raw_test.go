package transport

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// raw sends a request line with nothing between it and the wire; more are header lines.
func (c *client) raw(requestLine string, more ...string) answer {
	c.t.Helper()
	conn, err := net.Dial("tcp", c.addr)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		c.t.Fatal(err)
	}
	host := "Host: " + c.addr + "\r\n"
	for _, h := range more {
		if strings.HasPrefix(strings.ToLower(h), "host:") {
			host = ""
		}
	}
	req := requestLine + " HTTP/1.1\r\n" + host + "Connection: close\r\n"
	for _, h := range more {
		req += h + "\r\n"
	}
	if _, err := io.WriteString(conn, req+"\r\n"); err != nil {
		c.t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		c.t.Fatalf("%s: %v", requestLine, err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(b)}
}

// S01 over the wire: "Host evil.test, evil.test:3000, 127.0.0.1.evil.test,
// localhost. (trailing dot), empty, two Host headers, absolute-form request target".
func TestHost_OverTheWire(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	_, port, _ := net.SplitHostPort(c.addr)
	for _, host := range []string{"evil.test", "evil.test:" + port, "127.0.0.1.evil.test", "localhost.", "localhost.:" + port, "", "localhost:1", "0.0.0.0:" + port} {
		c.raw("GET /bot/v1/info", "Host: "+host).want(t, 401, "unauthorized")
	}
	for _, host := range []string{"localhost:" + port, "LocalHost:" + port, "127.0.0.1:" + port, "[::1]:" + port} {
		c.raw("GET /bot/v1/info", "Host: "+host).want(t, 200, "")
	}
	if a := c.raw("GET /bot/v1/info", "Host: "+c.addr, "Host: evil.test"); a.status != 400 {
		t.Errorf("two Host headers: %d", a.status)
	}
	c.raw("GET http://evil.test/bot/v1/info", "Host: "+c.addr).want(t, 401, "unauthorized")
	c.raw("GET http://"+c.addr+"/bot/v1/info", "Host: evil.test").want(t, 401, "unauthorized")
	for _, h := range []string{"x-forwarded-for: ", "X-FORWARDED-FOR: 127.0.0.1", "forwarded:", "Via: 1.1 x", "cf-connecting-ip: 127.0.0.1"} { // S02
		c.raw("GET /bot/v1/info", h).want(t, 401, "unauthorized")
		c.raw("GET /bot/v1/health", h).want(t, 200, "")
	}
}

// "No parsing, compiling or file access before auth … every route without
// credentials and with a 10 MB body returns 401 quickly and reads < 64 KB" (S12).
func TestAuth_BeforeTheBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, rt := range agentRoutes() {
		if !rt.changes() {
			continue
		}
		for _, framing := range []string{"Content-Length: 10000000", "Transfer-Encoding: chunked"} {
			m := cell{world: w, route: &rt, id: "ses_01J0000000000000000000000A"}
			if got := w.refuseLarge(rt.method+" "+m.path(), framing); got > 64<<10 {
				t.Errorf("%s %s: %d bytes were read", rt.method, rt.path, got)
			}
		}
	}
}

// refuseLarge sends a large body to a server over a pipe of no capacity, and gives
// how many bytes of it were read before the connection ended.
func (w *world) refuseLarge(requestLine, framing string) int {
	w.t.Helper()
	h := w.handler(nil)
	srv := NewServer(h, &h.o)
	here, there := net.Pipe()
	served := make(chan error, 1)
	l := &oneConn{conn: there, closed: make(chan struct{})}
	go func() { served <- srv.Serve(l) }()
	defer func() {
		_ = srv.Close()
		<-served
	}()
	_ = here.SetDeadline(time.Now().Add(patience))
	answered := make(chan answer, 1)
	go func() {
		res, err := http.ReadResponse(bufio.NewReader(here), nil)
		if err != nil {
			answered <- answer{}
			return
		}
		b, _ := io.ReadAll(res.Body)
		answered <- answer{res.StatusCode, res.Header, string(b)}
		_ = here.Close()
	}()
	_, err := io.WriteString(here, requestLine+" HTTP/1.1\r\nHost: evil.test\r\nContent-Type: application/json\r\n"+framing+"\r\n\r\n")
	sent := 0
	for chunk := []byte("1000\r\n" + strings.Repeat("x", 4096) + "\r\n"); err == nil && sent < 10_000_000; {
		var n int
		n, err = here.Write(chunk)
		sent += n
	}
	if a := <-answered; a.status != 401 {
		w.t.Errorf("%s: %d %s", requestLine, a.status, a.body)
	}
	return sent
}

// oneConn is a listener of one connection.
type oneConn struct {
	conn   net.Conn
	closed chan struct{}
}

func (l *oneConn) Accept() (net.Conn, error) {
	if c := l.conn; c != nil {
		l.conn = nil
		return c, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
	return nil
}

func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 3000} }

// "Header block 32 KiB: 431."
func TestServer_HeaderLimit(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	if a := c.raw("GET /bot/v1/health", "X-Pad: "+strings.Repeat("x", 31<<10)); a.status != 200 {
		t.Errorf("31 KiB: %d", a.status)
	}
	if a := c.raw("GET /bot/v1/health", "X-Pad: "+strings.Repeat("x", 33<<10)); a.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("33 KiB: %d", a.status)
	}
}
