package oauth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gobdk/bdk/internal/netguard"
)

const (
	// maxAnswer is the bytes of an answer that are read.
	maxAnswer = 1 << 20
	// patience bounds one exchange.
	patience = 30 * time.Second
)

// web reaches the servers of one connection: the address that the author wrote as
// it is, and where a server points only where anybody may be sent.
type web struct {
	home  *url.URL
	own   http.RoundTripper
	other http.RoundTripper
}

func (m *Manager) newWeb(t *Target) (*web, error) {
	home, err := url.Parse(t.URL)
	if err != nil || home.Host == "" || home.Scheme != "http" && home.Scheme != "https" {
		return nil, fmt.Errorf("the url of the connection %s is not one of http or https", t.Connection)
	}
	return &web{home: home, own: m.o.Transport, other: netguard.NewTransport(&netguard.Options{Loopback: isLoopback(home.Hostname()), MaxBody: maxAnswer})}, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// RoundTrip is http.RoundTripper's.
func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	if netguard.SameOrigin(r.URL, w.home) {
		return w.own.RoundTrip(r)
	}
	return w.other.RoundTrip(r)
}

// close lets go of idle connections.
func (w *web) close() {
	if c, ok := w.other.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// errNotThere is for a document that a server does not have.
var errNotThere = errors.New("it is not there")

// get reads a JSON document.
func (w *web) get(ctx context.Context, address string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	res, err := (&http.Client{Transport: w, CheckRedirect: netguard.CheckRedirect}).Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	switch {
	case res.StatusCode >= 400 && res.StatusCode < 500:
		return errNotThere
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("%s answered with status %d", address, res.StatusCode)
	}
	return decode(res, into)
}

// post sends a body and reads the answer, whatever its status: a redirect is not
// followed, as what is sent proves who we are.
func (w *web) post(ctx context.Context, address, contentType, body string, header http.Header, into any) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", "application/json")
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := (&http.Client{Transport: w, CheckRedirect: stay}).Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	return res.StatusCode, decode(res, into)
}

func decode(res *http.Response, into any) error {
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return fmt.Errorf("%s answered with status %d and no JSON", res.Request.URL.Redacted(), res.StatusCode)
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s answered with JSON that cannot be read: %w", res.Request.URL.Redacted(), err)
	}
	return nil
}

// checkAddress takes addresses of the web alone: people open them, and we send
// secrets there. http is for this machine.
func (w *web) checkAddress(what, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Fragment != "" {
		return fmt.Errorf("the %s is no address", what)
	}
	if netguard.SameOrigin(u, w.home) && u.User == nil {
		return nil
	}
	if err := netguard.CheckURL(u, isLoopback(w.home.Hostname())); err != nil {
		return fmt.Errorf("the %s may not be used: %w", what, err)
	}
	return nil
}

func basic(id, secret string) string {
	pair := url.QueryEscape(id) + ":" + url.QueryEscape(secret)
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}
