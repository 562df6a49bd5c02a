package netguard

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// "check every IP after resolution against loopback/private/link-local/CGNAT/ULA/
// multicast/metadata (IPv4-mapped, 6to4, NAT64 forms too)"
func TestCheckAddr(t *testing.T) {
	t.Parallel()
	for _, ip := range []string{
		"127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
		"100.64.0.1", "100.100.100.200", "224.0.0.1", "239.1.1.1", "255.255.255.255", "240.0.0.1", "198.18.0.1", "192.0.2.1", "192.0.0.192", "168.63.129.16",
		"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "2001::1", "100::1",
		"::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1",
		"64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:c0a8:101::1",
	} {
		if err := CheckAddr(netip.MustParseAddr(ip)); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", ip, err)
		}
	}
	for _, ip := range []string{"1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"} {
		if err := CheckAddr(netip.MustParseAddr(ip)); err != nil {
			t.Errorf("%s: %v", ip, err)
		}
	}
	if err := CheckAddr(netip.Addr{}); !errors.Is(err, ErrRefused) {
		t.Errorf("no address: %v", err)
	}
}

// Cases: "http://127.1, 0x7f.1, [::ffff:169.254.169.254], user@host, host#@evil"
func TestCheckURL(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"http://127.1/":                    "https is needed",
		"https://127.1/":                   "read differently",
		"https://0x7f.1/":                  "read differently",
		"https://0x7f000001/":              "read differently",
		"https://2130706433/":              "read differently",
		"https://017700000001/":            "read differently",
		"https://host.1./":                 "read differently",
		"https://user@host/":               "user name",
		"https://host:pw@evil.example/":    "user name",
		"http://example.com/":              "https is needed",
		"file:///etc/passwd":               "no scheme",
		"gopher://example.com/":            "no scheme",
		"https:///path":                    "no host",
		"https://localhost/":               "",
		"https://example.com/a#@evil":      "",
		"https://[::ffff:169.254.169.254]": "",
		"https://example.com:8443/x":       "",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		err = CheckURL(u, false)
		if want == "" && err != nil || want != "" && (!errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
	}
	for raw, ok := range map[string]bool{"http://127.0.0.1:1/": true, "http://localhost/": true, "http://[::1]/": true, "http://10.0.0.1/": false, "http://example.com/": false} {
		u, _ := url.Parse(raw)
		if err := CheckURL(u, true); (err == nil) != ok {
			t.Errorf("%s in development: %v", raw, err)
		}
	}
}

// A rebinding resolver answers each question in another way.
type rebinding struct {
	asked   int
	answers [][]netip.Addr
}

func (r *rebinding) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	answer := r.answers[min(r.asked, len(r.answers)-1)]
	r.asked++
	return answer, nil
}

func addrs(list ...string) (out []netip.Addr) {
	for _, s := range list {
		out = append(out, netip.MustParseAddr(s))
	}
	return out
}

// "Resolve once, check every IP after resolution …, dial that IP"
func TestDial_ResolvesOnce(t *testing.T) {
	t.Parallel()
	r := &rebinding{answers: [][]netip.Addr{addrs("93.184.216.34"), addrs("127.0.0.1")}}
	var dialed []string
	stop := errors.New("far enough")
	c := NewClient(&Options{Resolver: r, Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		dialed = append(dialed, address)
		return nil, stop
	}})
	if _, err := c.Get("https://rebind.example/"); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if r.asked != 1 || len(dialed) != 1 || dialed[0] != "93.184.216.34:443" {
		t.Errorf("asked %d times, dialed %v", r.asked, dialed)
	}
	if _, err := c.Get("https://rebind.example/"); !errors.Is(err, ErrRefused) || len(dialed) != 1 {
		t.Errorf("after the change: %v, dialed %v", err, dialed)
	}
	r.answers = [][]netip.Addr{addrs("93.184.216.34", "10.0.0.1")}
	if _, err := c.Get("https://mixed.example/"); !errors.Is(err, ErrRefused) || len(dialed) != 1 {
		t.Errorf("one good and one bad address: %v, dialed %v", err, dialed)
	}
	for _, raw := range []string{"https://[::ffff:169.254.169.254]/", "https://169.254.169.254/latest", "https://[::1]/"} {
		if _, err := c.Get(raw); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// "re-check each redirect, ≤ 3 redirects, drop Authorization on host change"
func TestClient_Redirects(t *testing.T) {
	t.Parallel()
	var heard []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		heard = append(heard, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	hops := 0
	one := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/other":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/private":
			http.Redirect(w, r, "https://10.0.0.1/", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/loop":
			hops++
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 200))
		case "/full":
			_, _ = io.WriteString(w, strings.Repeat("x", 100))
		}
	}))
	defer one.Close()
	c := NewClient(&Options{Loopback: true, MaxBody: 100})
	get := func(path string) (string, error) {
		r, _ := http.NewRequest(http.MethodGet, one.URL+path, nil)
		r.Header.Set("Authorization", "Bearer secret")
		res, err := c.Do(r)
		if err != nil {
			return "", err
		}
		defer func() { _ = res.Body.Close() }()
		b, err := io.ReadAll(res.Body)
		return string(b), err
	}
	if _, err := get("/other"); err != nil || len(heard) != 1 || heard[0] != "" {
		t.Errorf("the other host heard %q, %v", heard, err)
	}
	for _, path := range []string{"/private", "/file"} {
		if _, err := get(path); err == nil {
			t.Errorf("%s was followed", path)
		}
	}
	if _, err := get("/loop"); !errors.Is(err, ErrRefused) || hops != MaxRedirects+1 {
		t.Errorf("the loop ended after %d requests: %v", hops, err)
	}
	if _, err := get("/large"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large body: %v", err)
	}
	if b, err := get("/full"); err != nil || len(b) != 100 {
		t.Errorf("a body of the limit: %d bytes, %v", len(b), err)
	}
	if _, err := NewClient(nil).Get(one.URL); !errors.Is(err, ErrRefused) {
		t.Errorf("this machine without development: %v", err)
	}
}

// "drop Authorization on host change": also for what the other host redirects to itself,
// and for what comes back from there.
func TestClient_RedirectsTwice(t *testing.T) {
	t.Parallel()
	heard := map[string]string{}
	var one, other *httptest.Server
	note := func(host string, w http.ResponseWriter, r *http.Request) {
		heard[host+r.URL.Path] = r.Header.Get("Authorization")
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
		}
	}
	one = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { note("one", w, r) }))
	defer one.Close()
	other = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { note("other", w, r) }))
	defer other.Close()
	get := func(to string) {
		r, _ := http.NewRequest(http.MethodGet, to, nil)
		r.Header.Set("Authorization", "Bearer secret")
		res, err := NewClient(&Options{Loopback: true}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	get(one.URL + "/a?to=" + url.QueryEscape(other.URL+"/b?to="+url.QueryEscape("/c?to="+url.QueryEscape(one.URL+"/d"))))
	get(one.URL + "/e?to=/f")
	for place, want := range map[string]string{"one/a": "Bearer secret", "other/b": "", "other/c": "", "one/d": "", "one/e": "Bearer secret", "one/f": "Bearer secret"} {
		if got, was := heard[place]; !was || got != want {
			t.Errorf("%s heard %q (%v), want %q", place, got, was, want)
		}
	}
}
