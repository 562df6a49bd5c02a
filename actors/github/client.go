package github

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/clock"
	"github.com/gobdk/bdk/internal/redact"
)

// DefaultAPI is where the REST API of github.com is.
const DefaultAPI = "https://api.github.com"

// Bounds of one request.
const (
	attemptLimit = 30 * time.Second
	maxAnswer    = 16 << 20
)

// ClientOptions say as whom the API is asked. The zero value asks it as nobody, which
// reads public repositories at a low rate.
type ClientOptions struct {
	// Token is a personal, machine or installation token. It excludes AppID.
	Token string
	// AppID and PrivateKey, in PEM, are those of a GitHub App. A key whose line breaks
	// are written as \n is understood.
	AppID      string
	PrivateKey string
	// APIURL defaults to DefaultAPI. Of GitHub Enterprise Server it ends with /api/v3.
	APIURL string
	// Transport defaults to http.DefaultTransport.
	Transport http.RoundTripper
	// Clock defaults to the machine's.
	Clock clock.Clock
}

// A Client asks the REST API of GitHub. It is safe for concurrent use.
type Client struct {
	base   *url.URL
	http   *http.Client
	clock  clock.Clock
	secret *redact.Redactor
	token  string
	key    string
	// app is nil where there is none.
	app *app
	me  identity
}

var _ agent.Platform = (*Client)(nil)

// NewClient checks the options; it asks nobody yet. The error says everything that is
// wrong with them and shows no secret.
func NewClient(o ClientOptions) (*Client, error) {
	c := &Client{token: o.Token, key: o.PrivateKey, clock: o.Clock, secret: redact.New(o.Token, o.PrivateKey)}
	if c.clock == nil {
		c.clock = clock.System{}
	}
	var errs []error
	var err error
	if c.base, err = parseBase(o.APIURL); err != nil {
		errs = append(errs, err)
	}
	switch {
	case o.Token != "" && o.AppID != "":
		errs = append(errs, &SettingError{"token", "a token and an app's id exclude each other: give one of them"})
	case o.AppID != "" && o.PrivateKey == "":
		errs = append(errs, &SettingError{"privateKey", "the app's private key is missing: it comes with its id"})
	case o.AppID == "" && o.PrivateKey != "":
		errs = append(errs, &SettingError{"appId", "the app's id is missing: it comes with its private key"})
	case o.AppID != "":
		if c.app, err = newApp(o.AppID, o.PrivateKey); err != nil {
			errs = append(errs, err)
		}
	}
	if strings.ContainsAny(o.Token, " \r\n\t") {
		errs = append(errs, &SettingError{"token", "the token has white space in it: copy it again"})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("github: %w", err)
	}
	c.http = &http.Client{Transport: o.Transport, Timeout: attemptLimit, CheckRedirect: c.redirect}
	return c, nil
}

// secrets are those of the client, and more.
func (c *Client) secrets(more ...string) []string { return append(more, c.token, c.key) }

// Authenticated says whether the client asks as somebody; without that it can only read.
func (c *Client) Authenticated() bool { return c.token != "" || c.app != nil }

// A SettingError is a setting that cannot be used. NewClient joins those that it finds.
type SettingError struct {
	// Setting is "token", "appId", "privateKey" or "apiUrl".
	Setting string
	// Message says what is wrong, without the value.
	Message string
}

// Error is the message.
func (e *SettingError) Error() string { return e.Message }

func parseBase(text string) (*url.URL, error) {
	if text == "" {
		text = DefaultAPI
	}
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, &SettingError{"apiUrl", "the API's URL looks like " + DefaultAPI + ", and has no user, query or fragment"}
	}
	return u, nil
}

// redirect follows to where GitHub sends for contents and renamed repositories, never
// from https to http. Credentials go to the API's own host alone.
func (c *Client) redirect(to *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 5:
		return errors.New("too many redirects")
	case to.URL.Scheme != "https" && c.base.Scheme == "https":
		return errors.New("a redirect away from https")
	}
	if to.URL.Host != c.base.Host || to.URL.Scheme != c.base.Scheme {
		to.Header.Del("Authorization")
	}
	return nil
}
