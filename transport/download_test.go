package transport

import (
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

// A shelf has artifacts of the caller's.
type shelf struct {
	*world
	c  *client
	id string // of the session
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	w := newWorld(t)
	s := &shelf{world: w, c: w.serve(nil)}
	s.id, _ = s.c.started("mine")
	return s
}

// put gives the path of an artifact's contents.
func (s *shelf) put(in map[string]any) (path string, rec events.Artifact) {
	s.t.Helper()
	rec = s.tagged(s.id, in)
	return "/bot/v1/artifacts/" + rec.ID + "/content", rec
}

// "Download: `Content-Disposition: attachment` with an RFC 6266 name, `nosniff`, a
// locked-down CSP, `ETag`, ranges."
func TestDownload_Whole(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path, rec := s.put(map[string]any{"key": "k", "contents": "hello", "contentType": "text/csv", "fileName": "july.csv"})
	for _, method := range []string{"GET", "HEAD"} {
		a := s.c.do(method, path, "", "Accept-Encoding", "identity")
		for header, want := range map[string]string{
			"Content-Type": "text/csv; charset=utf-8", "Content-Length": "5", "Content-Disposition": `attachment; filename="july.csv"; filename*=UTF-8''july.csv`,
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox", "Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control": "private, no-cache", "ETag": `"` + rec.SHA256 + `"`, "Accept-Ranges": "bytes",
		} {
			if got := a.header.Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", method, header, got, want)
			}
		}
		if want := map[string]string{"GET": "hello"}[method]; a.status != 200 || a.body != want {
			t.Errorf("%s: %d %q", method, a.status, a.body)
		}
	}
	empty, _ := s.put(map[string]any{"key": "empty", "contents": ""})
	for _, headers := range [][]string{nil, {"Range", "bytes=0-"}} {
		if a := s.c.do("GET", empty, "", headers...); a.status != 200 || a.body != "" || a.header.Get("Content-Length") != "0" {
			t.Errorf("empty contents: %d %q %v", a.status, a.body, a.header)
		}
	}
	long := strings.Repeat("0123456789", 100_000)
	big, _ := s.put(map[string]any{"key": "big", "contents": long})
	if a := s.c.do("GET", big, ""); a.body != long {
		t.Errorf("%d bytes came back as %d", len(long), len(a.body))
	}
}

func TestDownload_Conditions(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path, rec := s.put(map[string]any{"key": "k", "contents": "hello"})
	tag := `"` + rec.SHA256 + `"`
	for _, tc := range []struct {
		headers []string
		status  int
		body    string
	}{
		{[]string{"If-None-Match", tag}, 304, ""},
		{[]string{"If-None-Match", `"other", W/` + tag}, 304, ""},
		{[]string{"If-None-Match", "*", "Range", "bytes=0-1"}, 304, ""},
		{[]string{"If-None-Match", `"other"`}, 200, "hello"},
		{[]string{"If-Match", tag}, 200, "hello"},
		{[]string{"If-Range", tag, "Range", "bytes=0-1"}, 206, "he"},
		{[]string{"If-Range", `"other"`, "Range", "bytes=0-1"}, 200, "hello"},
		{[]string{"If-Range", "Wed, 21 Oct 2015 07:28:00 GMT", "Range", "bytes=9-"}, 200, "hello"},
	} {
		a := s.c.do("GET", path, "", tc.headers...)
		if a.status != tc.status || a.body != tc.body || a.header.Get("ETag") != tag {
			t.Errorf("%v: %d %q %v", tc.headers, a.status, a.body, a.header)
		}
	}
	s.c.do("GET", path, "", "If-Match", `"other"`).want(t, 412, "precondition_failed")
}

func TestDownload_Ranges(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path, _ := s.put(map[string]any{"key": "k", "contents": "0123456789"})
	for _, tc := range []struct{ ask, body, content string }{
		{"bytes=0-0", "0", "bytes 0-0/10"},
		{"bytes=2-5", "2345", "bytes 2-5/10"},
		{"BYTES=7-", "789", "bytes 7-9/10"},
		{"bytes=-3", "789", "bytes 7-9/10"},
		{"bytes=-99", "0123456789", "bytes 0-9/10"},
		{"bytes=8-99999999999999999999999", "89", "bytes 8-9/10"},
		{"bytes= 8-9 , 20-30", "89", "bytes 8-9/10"},
	} {
		a := s.c.do("GET", path, "", "Range", tc.ask)
		if a.status != 206 || a.body != tc.body || a.header.Get("Content-Range") != tc.content || a.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %q %q", tc.ask, a.status, a.body, a.header.Get("Content-Range"))
		}
	}
	for _, ask := range []string{"bytes=10-", "bytes=-0", "bytes=99999999999999999999999-", "bytes=20-30,40-"} {
		a := s.c.do("GET", path, "", "Range", ask)
		if a.want(t, 416, "invalid_range"); a.header.Get("Content-Range") != "bytes */10" {
			t.Errorf("%s: %v", ask, a.header)
		}
	}
	for _, ask := range []string{"", "bytes", "bytes=", "bytes=5", "bytes=5-2", "bytes=a-b", "bytes=+1-2", "bytes=0x1-2", "lines=1-2", "bytes=0-1,x", "bytes=1--2"} {
		if a := s.c.do("GET", path, "", "Range", ask); a.status != 200 || a.body != "0123456789" {
			t.Errorf("%q: %d %q", ask, a.status, a.body)
		}
	}
	if a := s.c.do("HEAD", path, "", "Range", "bytes=0-1"); a.status != 200 || a.header.Get("Content-Length") != "10" {
		t.Errorf("HEAD: %d %v", a.status, a.header)
	}
}

// "Range requests bounded": a few ranges are sent as parts, many or overlapping ones
// as the whole.
func TestDownload_SeveralRanges(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path, _ := s.put(map[string]any{"key": "k", "contents": "0123456789", "contentType": "text/plain"})
	a := s.c.do("GET", path, "", "Range", "bytes=0-1,4-5,-1")
	kind, params, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	if err != nil || a.status != 206 || kind != "multipart/byteranges" || a.header.Get("Content-Range") != "" || a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Fatalf("%d %v", a.status, a.header)
	}
	var parts []string
	for m := multipart.NewReader(strings.NewReader(a.body), params["boundary"]); ; {
		p, err := m.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, p.Header.Get("Content-Range")+" "+p.Header.Get("Content-Type")+" "+string(b))
	}
	if got := strings.Join(parts, "\n"); got != "bytes 0-1/10 text/plain; charset=utf-8 01\nbytes 4-5/10 text/plain; charset=utf-8 45\nbytes 9-9/10 text/plain; charset=utf-8 9" {
		t.Error(got)
	}
	for _, ask := range []string{"bytes=0-" + strings.Repeat(",0-", 3), "bytes=0-0" + strings.Repeat(",1-1", 8), "bytes=0-" + strings.Repeat(",0-", 1200)} {
		if a := s.c.do("GET", path, "", "Range", ask); a.status != 200 || a.body != "0123456789" {
			t.Errorf("%.40s: %d %q", ask, a.status, a.body)
		}
	}
}

// S17: "KA: artifact named `a"; filename=evil.html`, `x\r\nSet-Cookie: a=b`, `ü.svg`,
// SVG with script."
func TestDownload_RunsNothing(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	const script = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	for i, tc := range []struct{ fileName, contentType, disposition, sent string }{
		{`a"; filename=evil.html`, "text/html", `attachment; filename="a_ filename_evil.html"; filename*=UTF-8''a%3B%20filename%3Devil.html`, anyBytes},
		{"x\r\nSet-Cookie: a=b", "text/plain", `attachment; filename="xSet-Cookie_ a_b"; filename*=UTF-8''xSet-Cookie_%20a%3Db`, "text/plain; charset=utf-8"},
		{"ü.svg", "image/svg+xml", `attachment; filename="_.svg"; filename*=UTF-8''%C3%BC.svg`, anyBytes},
		{"../../etc/passwd", "application/xhtml+xml", `attachment; filename="_.._etc_passwd"; filename*=UTF-8''_.._etc_passwd`, anyBytes},
		{`C:\a.exe`, "text/javascript", `attachment; filename="C__a.exe"; filename*=UTF-8''C__a.exe`, anyBytes},
		{"a\u202etxt.exe", "text/xml", `attachment; filename="atxt.exe"; filename*=UTF-8''atxt.exe`, anyBytes},
		{"..", "application/pdf", `attachment; filename="artifact"; filename*=UTF-8''artifact`, "application/pdf"},
		{"a%41.txt", "Text/Plain; Charset=UTF-8", `attachment; filename="a_41.txt"; filename*=UTF-8''a%2541.txt`, "text/plain; charset=utf-8"},
		{"", "text/plain; charset=utf-7", `attachment; filename="key_of it"; filename*=UTF-8''key_of%20it`, anyBytes},
		{"日本語.png", "", `attachment; filename="___.png"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E.png`, anyBytes},
		{"p.png", "image/png; x=y", `attachment; filename="p.png"; filename*=UTF-8''p.png`, "image/png"},
	} {
		path, _ := s.put(map[string]any{"kind": fmt.Sprint("n", i), "key": "key/of it", "contents": script, "fileName": tc.fileName, "contentType": tc.contentType})
		a := s.c.do("GET", path, "")
		if got := a.header.Get("Content-Disposition"); got != tc.disposition {
			t.Errorf("%q: %s, want %s", tc.fileName, got, tc.disposition)
		}
		if got := a.header.Get("Content-Type"); got != tc.sent {
			t.Errorf("%q: sent as %s, want %s", tc.contentType, got, tc.sent)
		}
		if a.body != script || a.header.Get("Set-Cookie") != "" || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
			t.Errorf("%q: %v %s", tc.fileName, a.header, a.body)
		}
		if kind, params, err := mime.ParseMediaType(a.header.Get("Content-Disposition")); err != nil || kind != "attachment" || len(params) != 1 {
			t.Errorf("%q: read back as %s %v, %v", tc.fileName, kind, params, err)
		}
	}
}

// Contents that are damaged on the disk are never taken for whole ones.
func TestDownload_Damaged(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path, rec := s.put(map[string]any{"key": "k", "contents": strings.Repeat("right", 50_000)})
	file := filepath.Join(s.journal.Dir(), "content", rec.SHA256[:2], rec.SHA256)
	if err := os.WriteFile(file, []byte(strings.Repeat("wrong", 50_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	res := s.c.open("GET", path, "")
	b, err := io.ReadAll(res.Body)
	if _ = res.Body.Close(); err == nil || len(b) >= 250_000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if err := os.Truncate(file, 5); err != nil {
		t.Fatal(err)
	}
	s.c.do("GET", path, "").want(t, 500, "internal")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.c.do("GET", path, "").want(t, 500, "internal")
}
