package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/internal/clock"
)

// A request is one question to the API.
type request struct {
	method string
	// path is escaped and begins with a slash.
	path   string
	query  url.Values
	body   []byte
	accept string
	header http.Header
	// installation is the app's installation that asks, 0 where it is to be found by the path.
	installation int64
	// asApp asks as the app itself.
	asApp bool
}

// An answer is what came back, its body whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// Tries and waits of one request.
const (
	maxTries   = 4
	longestNap = time.Minute
)

// apiVersion is the revision of the API that is asked for.
const apiVersion = "2022-11-28"

// do asks until there is an answer that is no passing fault. An answer that is no
// success is an *Error.
func (c *Client) do(ctx context.Context, r *request) (*answer, error) {
	fresh := true
	for try := 1; ; try++ {
		a, err := c.attempt(ctx, r)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil && a.status < 400 {
			return a, nil
		}
		if err == nil && a.status == http.StatusUnauthorized && c.app != nil && !r.asApp && fresh {
			fresh = false // the token was revoked before its time
			c.app.forget(r)
			continue
		}
		nap, again := c.nap(r, a, err, try)
		if !again || nap > longestNap || try == maxTries {
			if err != nil {
				return nil, err
			}
			e := c.refusal(r, a)
			if again && nap > longestNap {
				e.Wait = nap
			}
			return nil, e
		}
		if err := clock.Wait(ctx, c.clock, nap); err != nil {
			return nil, err
		}
	}
}

// attempt asks once.
func (c *Client) attempt(ctx context.Context, r *request) (*answer, error) {
	credential, err := c.credential(ctx, r)
	if err != nil {
		return nil, err
	}
	target := c.base.String() + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, bytes.NewReader(r.body))
	if err != nil {
		return nil, fmt.Errorf("github: %s %s: the path cannot be asked", r.method, r.path)
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	req.Header.Set("Accept", r.accept)
	if r.accept == "" {
		req.Header.Set("Accept", "application/vnd.github+json")
	}
	req.Header.Set("User-Agent", "bdk")
	req.Header.Set("X-GitHub-Api-Version", apiVersion)
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if credential != "" {
		req.Header.Set("Authorization", "Bearer "+credential)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, &unreachable{r, c.secret.Text(surface.CauseOf(err, attemptLimit))}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, &unreachable{r, c.secret.Text(surface.CauseOf(err, attemptLimit))}
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("github: the answer to %s %s is larger than %d MiB", r.method, r.path, maxAnswer>>20)
	}
	return &answer{resp.StatusCode, resp.Header, body}, nil
}

// unreachable says that no answer came. It leaves out URLs, which may bear signatures.
type unreachable struct {
	r     *request
	cause string
}

// Error names what was asked.
func (u *unreachable) Error() string {
	return fmt.Sprintf("no answer from GitHub to %s %s: %s", u.r.method, u.r.path, u.cause)
}

// nap is how long to wait before a request is tried again, and whether it may be. What
// GitHub refused for its rate may always; what it may have done, only where doing it
// twice is doing it once.
func (c *Client) nap(r *request, a *answer, err error, try int) (time.Duration, bool) {
	backoff := time.Second << (try - 1)
	repeatable := r.method != http.MethodPost
	if err != nil {
		var u *unreachable
		return backoff, repeatable && errors.As(err, &u)
	}
	if d, limited := c.limited(a, backoff); limited {
		return d, true
	}
	if a.status < 500 || !repeatable {
		return 0, false
	}
	if d, ok := retryAfter(a); ok {
		return d, true
	}
	return backoff, true
}

// limited says whether a rate limit refused the request, and how long that lasts.
func (c *Client) limited(a *answer, backoff time.Duration) (time.Duration, bool) {
	if a.status != http.StatusForbidden && a.status != http.StatusTooManyRequests {
		return 0, false
	}
	if d, ok := retryAfter(a); ok {
		return d, true
	}
	if a.header.Get("X-RateLimit-Remaining") == "0" {
		if reset, err := strconv.ParseInt(a.header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return max(time.Second, time.Unix(reset, 0).Sub(c.clock.Now())+time.Second), true
		}
	}
	secondary := bytes.Contains(bytes.ToLower(a.body), []byte("secondary rate limit"))
	return backoff, secondary || a.status == http.StatusTooManyRequests
}

func retryAfter(a *answer) (time.Duration, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(a.header.Get("Retry-After")))
	if err != nil || n < 0 {
		return 0, false
	}
	return time.Duration(n) * time.Second, true
}
