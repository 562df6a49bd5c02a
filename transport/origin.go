package transport

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// origins are the foreign origins whose pages may call and read.
type origins struct{ allowed map[string]bool }

func newOrigins(list []string) (*origins, error) {
	o := &origins{allowed: map[string]bool{}}
	for _, s := range list {
		u, err := url.Parse(s)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != s || strings.Contains(s, "*") {
			return nil, fmt.Errorf("transport: %q is no origin; write it as https://host or https://host:port", s)
		}
		o.allowed[strings.ToLower(s)] = true
	}
	return o, nil
}

// foreign says whether a browser sent the request from a page of another origin
// that was not allowed. A client that is no browser sends neither header.
func (o *origins) foreign(r *http.Request) bool {
	if origin, ok := r.Header["Origin"]; ok {
		if len(origin) == 1 && o.allowed[strings.ToLower(origin[0])] {
			return false
		}
		if len(origin) != 1 || !sameOrigin(origin[0], r.Host) {
			return true
		}
	}
	site, ok := r.Header["Sec-Fetch-Site"]
	return ok && (len(site) != 1 || site[0] != "same-origin" && site[0] != "none")
}

// sameOrigin compares an origin's host and port with the Host of the request.
// The scheme cannot be told behind a proxy that ends TLS.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Opaque != "" || u.User != nil || u.Scheme+"://"+u.Host != origin {
		return false
	}
	switch u.Scheme {
	case "http":
		return strings.EqualFold(trimPort(u.Host, "80"), trimPort(host, "80"))
	case "https":
		return strings.EqualFold(trimPort(u.Host, "443"), trimPort(host, "443"))
	}
	return false
}

func trimPort(host, port string) string {
	if name, p, ok := cutPort(host); ok && p == port {
		return name
	}
	return host
}

// Headers that an allowed page may send and read.
const (
	corsRequestHeaders  = "Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Range"
	corsResponseHeaders = "bdk-session-id, bdk-continuation-token, Content-Disposition, Content-Range, ETag, Retry-After, WWW-Authenticate"
)

// set adds the headers that let an allowed origin read the reply. Without allowed
// origins there are none.
func (o *origins) set(w http.ResponseWriter, r *http.Request) {
	if len(o.allowed) == 0 {
		return
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if origin := r.Header["Origin"]; len(origin) == 1 && o.allowed[strings.ToLower(origin[0])] {
		h.Set("Access-Control-Allow-Origin", origin[0])
		h.Set("Access-Control-Expose-Headers", corsResponseHeaders)
	}
}

// corsHeaders are those that an allowed page may send. A channel has headers of its
// own, so there the page may send what it asks for.
func (c *call) corsHeaders() string {
	asked := c.r.Header.Get("Access-Control-Request-Headers")
	if c.port == nil || asked == "" || !validHeader("x", []string{asked}) {
		return corsRequestHeaders
	}
	return corsRequestHeaders + ", " + asked
}

// preflight answers a browser that asks for an allowed page whether it may send
// the request it names. It needs no principal, as browsers send none with it.
func (c *call) preflight() bool {
	h := c.w.Header()
	if c.r.Method != http.MethodOptions || c.r.Header.Get("Access-Control-Request-Method") == "" || h.Get("Access-Control-Allow-Origin") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", h.Get("Allow"))
	h.Set("Access-Control-Allow-Headers", c.corsHeaders())
	h.Set("Access-Control-Max-Age", "600")
	c.sent = true
	c.w.WriteHeader(http.StatusNoContent)
	return true
}
