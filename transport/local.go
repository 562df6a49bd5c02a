package transport

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gobdk/bdk/events"
)

// Principals of the policies that have one alone.
var (
	localPrincipal     = events.Principal{Kind: "local", ID: "local"}
	anonymousPrincipal = events.Principal{Kind: "anonymous", ID: "anonymous"}
)

// localDevStrict admits direct callers on this machine who know it by a local name.
type localDevStrict struct{}

func (localDevStrict) carries(*http.Request) bool { return false }

func (localDevStrict) admit(r *http.Request) (events.Principal, bool) {
	return localPrincipal, isLoopback(r.RemoteAddr) && hasLocalHost(r) && !isForwarded(r.Header)
}

// allowAll admits everybody. On a loopback bind the Host is checked, or a page
// whose name resolves to this machine could call.
type allowAll struct{}

func (allowAll) carries(*http.Request) bool { return false }

func (allowAll) admit(r *http.Request) (events.Principal, bool) {
	return anonymousPrincipal, !onLoopbackBind(r) || hasLocalHost(r)
}

func isLoopback(addr string) bool {
	a, err := netip.ParseAddrPort(addr)
	return err == nil && a.Addr().Unmap().IsLoopback()
}

// hasLocalHost says whether the request was sent to localhost, 127.0.0.1 or [::1]
// at the port that it came in at. A request line with a host of its own is refused.
func hasLocalHost(r *http.Request) bool {
	if r.URL.Host != "" || r.URL.Scheme != "" {
		return false
	}
	name, port, hasPort := cutPort(r.Host)
	switch strings.ToLower(name) {
	case "localhost", "127.0.0.1", "[::1]":
	default:
		return false
	}
	return !hasPort || port == localPort(r)
}

// cutPort cuts "host:port"; an IPv6 host keeps its brackets.
func cutPort(host string) (name, port string, ok bool) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") {
		return host, "", false
	}
	return host[:i], host[i+1:], true
}

// localPort is the port that the connection came in at; empty when nobody knows.
func localPort(r *http.Request) string {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return ""
	}
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return ""
	}
	return port
}

// isForwarded says whether a proxy left a mark, were it an empty one.
func isForwarded(h http.Header) bool {
	for name := range h {
		switch name {
		case "Forwarded", "Via", "X-Real-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "Fly-Client-Ip",
			"X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-For":
			return true
		}
		if strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// bindKey holds the listener's address in the context of a server of NewServer.
type bindKey struct{}

// onLoopbackBind says whether only this machine can reach the listener. Where the
// server is not ours, the connection's own address stands for the listener's.
func onLoopbackBind(r *http.Request) bool {
	addr, ok := r.Context().Value(bindKey{}).(net.Addr)
	if !ok {
		addr, ok = r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	}
	return !ok || isLoopback(addr.String())
}
