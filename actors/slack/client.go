package slack

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

// DefaultAPI is where Slack's Web API is.
const DefaultAPI = "https://slack.com/api"

// Bounds of one request.
const (
	attemptLimit = 30 * time.Second
	maxAnswer    = 16 << 20
)

// ClientOptions say as whom the API is asked. A token is needed.
type ClientOptions struct {
	// Token is that of a bot, xoxb-….
	Token string
	// APIURL defaults to DefaultAPI; a method's name follows it after a slash.
	APIURL string
	// Transport defaults to http.DefaultTransport.
	Transport http.RoundTripper
	// Clock defaults to the machine's.
	Clock clock.Clock
}

// A Client asks Slack's Web API. It is safe for concurrent use.
type Client struct {
	base     *url.URL
	http     *http.Client
	clock    clock.Clock
	secret   *redact.Redactor
	token    string
	me       identity
	names    nameCache
	channels channelCache
}

var _ agent.Platform = (*Client)(nil)

// NewClient checks the options; it asks nobody yet. The error says everything that is
// wrong with them and shows no secret.
func NewClient(o ClientOptions) (*Client, error) {
	c := &Client{token: o.Token, clock: o.Clock, secret: redact.New(o.Token)}
	if c.clock == nil {
		c.clock = clock.System{}
	}
	var errs []error
	var err error
	if c.base, err = parseBase(o.APIURL); err != nil {
		errs = append(errs, err)
	}
	switch {
	case o.Token == "":
		errs = append(errs, errors.New("the bot's token is missing: it is SLACK_BOT_TOKEN, and begins with xoxb-"))
	case strings.HasPrefix(o.Token, "xapp-"):
		errs = append(errs, errors.New("the bot's token is the app's, which opens sockets alone: the bot's begins with xoxb-"))
	case strings.ContainsAny(o.Token, " \r\n\t"):
		errs = append(errs, errors.New("the bot's token has white space in it: copy it again"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("slack: %w", err)
	}
	c.http = &http.Client{Transport: o.Transport, Timeout: attemptLimit, CheckRedirect: stay}
	return c, nil
}

func parseBase(text string) (*url.URL, error) {
	if text == "" {
		text = DefaultAPI
	}
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the API's URL looks like " + DefaultAPI + ", and has no user, query or fragment")
	}
	return u, nil
}

// stay follows no redirect: the API has none.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
