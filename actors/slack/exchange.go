package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/internal/clock"
)

// An answer is what came back, its body whole.
type answer struct {
	status int
	header http.Header
	body   []byte
	said   struct {
		OK     bool   `json:"ok"`
		Error  string `json:"error"`
		Needed string `json:"needed"`
	}
}

// Tries and waits of one request.
const (
	maxTries   = 4
	longestNap = time.Minute
)

// do asks until there is an answer that is no passing fault. An answer that is no
// success is an *Error.
func (c *Client) do(ctx context.Context, method string, form url.Values) (*answer, error) {
	for try := 1; ; try++ {
		a, err := c.attempt(ctx, method, form)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil && a.status/100 == 2 && a.said.OK {
			return a, nil
		}
		nap, again := napFor(method, a, err, try)
		if !again || nap > longestNap || try == maxTries {
			if err != nil {
				return nil, err
			}
			e := c.refusal(method, a)
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

// attempt asks once. All methods take forms, and some nothing else.
func (c *Client) attempt(ctx context.Context, method string, form url.Values) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+"/"+method, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, fmt.Errorf("slack: %s cannot be asked", method)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	req.Header.Set("User-Agent", "bdk")
	req.Header.Set("Authorization", "Bearer "+c.token)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, &unreachable{method, c.secret.Text(surface.CauseOf(err, attemptLimit))}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, &unreachable{method, c.secret.Text(surface.CauseOf(err, attemptLimit))}
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("slack: the answer to %s is larger than %d MiB", method, maxAnswer>>20)
	}
	a := &answer{status: resp.StatusCode, header: resp.Header, body: body}
	_ = json.Unmarshal(body, &a.said) // what is no answer of the API is no success
	return a, nil
}

// unreachable says that no answer came.
type unreachable struct{ method, cause string }

// Error names what was asked.
func (u *unreachable) Error() string { return "no answer from Slack to " + u.method + ": " + u.cause }

// repeatable are methods, beside those that read, whose doing twice is doing once.
var repeatable = []string{"chat.update", "assistant.threads.setStatus", "assistant.threads.setSuggestedPrompts", "apps.connections.open"}

// reading are the ends of the names of methods that change nothing.
var reading = []string{".get", ".list", ".info", ".history", ".replies", ".test", ".getPermalink", ".lookupByEmail", ".members"}

func mayRepeat(method string) bool {
	return slices.Contains(repeatable, method) || slices.ContainsFunc(reading, func(end string) bool { return strings.HasSuffix(method, end) })
}

// napFor is how long to wait before a request is tried again, and whether it may be.
// What Slack refused for its rate may always; what it may have done, only where doing it
// twice is doing it once.
func napFor(method string, a *answer, err error, try int) (time.Duration, bool) {
	backoff := time.Second << (try - 1)
	if err != nil {
		var u *unreachable
		return backoff, mayRepeat(method) && errors.As(err, &u)
	}
	if a.status == http.StatusTooManyRequests || a.said.Error == "ratelimited" {
		if n, err := strconv.Atoi(strings.TrimSpace(a.header.Get("Retry-After"))); err == nil && n >= 0 {
			return time.Duration(n) * time.Second, true
		}
		return backoff, true
	}
	passing := a.status >= 500 || slices.Contains([]string{"internal_error", "fatal_error", "service_unavailable", "request_timeout"}, a.said.Error)
	return backoff, passing && mayRepeat(method)
}
