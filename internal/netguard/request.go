package netguard

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// MaxRedirects is how many redirects are followed.
const MaxRedirects = 3

// CheckURL refuses what no request may be sent to, before any name is resolved.
// With loopback, http to this machine is allowed.
func CheckURL(u *url.URL, loopback bool) error {
	host := u.Hostname()
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return refusedf("%q is no scheme of the web", u.Scheme)
	case u.User != nil:
		return refusedf("the URL has a user name in it")
	case host == "" || strings.ContainsAny(host, "\\@ \t\r\n%"):
		return refusedf("the URL names no host")
	case u.Scheme == "http" && !(loopback && isLoopbackName(host)):
		return refusedf("http is not safe for %s: https is needed", host)
	}
	if _, err := netip.ParseAddr(host); err != nil && endsInNumber(host) {
		return refusedf("%s is an address in a form that programs read differently", host)
	}
	return nil
}

func isLoopbackName(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// endsInNumber finds names that some programs take for an IPv4 address: 127.1, 0x7f.1, 2130706433.
func endsInNumber(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last == "" || strings.Trim(last, "0123456789") == ""
}

// CheckRedirect is for http.Client: at most MaxRedirects, and what proves who calls
// does not leave its host. The client copies the headers of the first request to each,
// so once they have left, they stay away.
func CheckRedirect(r *http.Request, via []*http.Request) error {
	if len(via) > MaxRedirects {
		return refusedf("more than %d redirects", MaxRedirects)
	}
	for _, hop := range append(via[1:len(via):len(via)], r) {
		if SameOrigin(via[0].URL, hop.URL) {
			continue
		}
		for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "Www-Authenticate"} {
			r.Header.Del(name)
		}
	}
	return nil
}

// SameOrigin says whether two URLs have one scheme, host and port.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}

// checked looks at each request before it is sent, those of redirects too.
type checked struct {
	g    *guard
	next http.RoundTripper
}

// RoundTrip is http.RoundTripper's.
func (c *checked) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := CheckURL(r.URL, c.g.o.Loopback); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	res, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	res.Body = &capped{ReadCloser: res.Body, left: c.g.o.MaxBody, max: c.g.o.MaxBody}
	return res, nil
}

// CloseIdleConnections lets http.Client reach the transport below.
func (c *checked) CloseIdleConnections() {
	if t, ok := c.next.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

// ErrTooLarge is in the error of a body that goes on beyond its limit.
var ErrTooLarge = errors.New("the answer is too large")

// A capped body ends with an error where it would go on too long.
type capped struct {
	io.ReadCloser
	left, max int64
}

// Read is io.Reader's.
func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, c.max)
	}
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.ReadCloser.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return n - 1, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, c.max)
	}
	return n, err
}
