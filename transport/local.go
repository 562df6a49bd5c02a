package transport

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
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

func (localDevStrict) why(r *http.Request) string {
	switch mark := forwardedBy(r.Header); {
	case !isLoopback(r.RemoteAddr):
		return "the peer is not on this machine"
	case mark != "":
		return "a proxy left the header " + mark
	}
	return notLocalHost
}

const notLocalHost = "Host is not localhost, 127.0.0.1 or [::1], without a port or with this host's own"

// allowAll admits everybody. On a loopback bind the Host is checked, or a page
// whose name resolves to this machine could call.
type allowAll struct{}

func (allowAll) carries(*http.Request) bool { return false }

func (allowAll) admit(r *http.Request) (events.Principal, bool) {
	return anonymousPrincipal, !onLoopbackBind(r) || hasLocalHost(r)
}

func (allowAll) why(*http.Request) string { return notLocalHost }

func isLoopback(addr string) bool {
	a, err := netip.ParseAddrPort(addr)
	return err == nil && a.Addr().Unmap().IsLoopback()
}

// hasLocalHost says whether the request was sent to localhost, 127.0.0.1 or [::1]
// at the port that it came in at, or without a port. A request line with a host of its own is refused.
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

// Headers that proxies, content networks and tunnels add, and what others of theirs
// begin with.
var (
	proxyHeaders = []string{
		"Cdn-Loop", "Client-Ip", "Fastly-Client-Ip", "Forwarded", "True-Client-Ip", "Via", "X-Amz-Cf-Id", "X-Azure-Clientip", "X-Azure-Fdid", "X-Azure-Ref",
		"X-Azure-Socketip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-For", "X-Original-Host", "X-Original-Proto", "X-Proxyuser-Ip", "X-Real-Ip", "X-Vercel-Id",
	}
	proxyPrefixes = []string{"Cf-", "Fly-", "Ngrok-Auth-", "Tailscale-", "X-Appengine-", "X-Arr-", "X-Envoy-", "X-Forwarded-", "X-Nf-", "X-Original-Forwarded-"}
)

// isForwarded says whether a proxy left a mark, were it an empty one.
func isForwarded(h http.Header) bool { return forwardedBy(h) != "" }

// forwardedBy names a header that a proxy left; empty for none.
func forwardedBy(h http.Header) string {
	for name := range h {
		if slices.Contains(proxyHeaders, name) || slices.ContainsFunc(proxyPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return name
		}
	}
	return ""
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
