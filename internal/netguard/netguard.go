// Package netguard reaches addresses that come from data: a redirect, a document
// that a server gave, an argument of a model. A name is resolved once, every
// address that it has is checked, and the address that was checked is dialed, so
// that nobody can point the host at its own network.
package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// ErrRefused is in every error for an address that may not be reached.
var ErrRefused = errors.New("the address is refused")

// A Resolver finds the addresses of a name. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options of a guard. The zero value is the strict one.
type Options struct {
	// Loopback lets http and https reach this machine, for development.
	Loopback bool
	// MaxBody is the bytes of an answer that are read. Defaults to 1 MiB.
	MaxBody int64
	// Timeout bounds a whole exchange of Client, redirects and body included.
	// Defaults to 30 s; negative: none.
	Timeout time.Duration
	// Resolver defaults to the system's, Dial to a plain TCP dialer.
	Resolver Resolver
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
}

// EnsureDefaults fills what was left out.
func (o *Options) EnsureDefaults() {
	if o.MaxBody <= 0 {
		o.MaxBody = 1 << 20
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	}
}

// NewClient gives a client whose requests and redirects are all checked.
func NewClient(o *Options) *http.Client {
	c := &http.Client{Transport: NewTransport(o), CheckRedirect: CheckRedirect}
	if opts := defaulted(o); opts.Timeout > 0 {
		c.Timeout = opts.Timeout
	}
	return c
}

// NewTransport gives what NewClient sends requests with. It uses no proxy.
func NewTransport(o *Options) http.RoundTripper {
	opts := defaulted(o)
	g := &guard{o: opts}
	return &checked{g: g, next: &http.Transport{
		DialContext: g.dial, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second,
		ResponseHeaderTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10, MaxIdleConns: 10, IdleConnTimeout: 30 * time.Second,
	}}
}

func defaulted(o *Options) Options {
	var opts Options
	if o != nil {
		opts = *o
	}
	opts.EnsureDefaults()
	return opts
}

type guard struct{ o Options }

// dial resolves the name once and dials an address that was checked.
func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, refusedf("%q is no address", address)
	}
	found, err := g.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, ip := range found {
		conn, err := g.o.Dial(ctx, network, net.JoinHostPort(ip.String(), port))
		if err == nil {
			return conn, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}

// resolve gives the addresses of a host when all of them may be reached.
func (g *guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	found := []netip.Addr{}
	if ip, err := netip.ParseAddr(host); err == nil {
		found = append(found, ip)
	} else if found, err = g.o.Resolver.LookupNetIP(ctx, "ip", host); err != nil {
		return nil, fmt.Errorf("looking up %s: %w", host, err)
	}
	if len(found) == 0 {
		return nil, refusedf("%s has no address", host)
	}
	for _, ip := range found {
		if g.o.Loopback && ip.Unmap().IsLoopback() {
			continue
		}
		if err := CheckAddr(ip); err != nil {
			return nil, fmt.Errorf("%s: %w", host, err)
		}
	}
	return found, nil
}

func refusedf(format string, a ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRefused}, a...)...)
}
