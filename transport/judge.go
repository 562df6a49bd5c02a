package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// judgeTime is how long a function may take to judge a request.
const judgeTime = 10 * time.Second

// judge is a policy that is a function of the author's.
type judge struct {
	ask    func(ctx context.Context, r *agent.Request) (*events.Principal, error)
	logger zerolog.Logger
}

// carries takes an Authorization header for a guess: what the function looks at is
// not known.
func (j judge) carries(r *http.Request) bool { return len(r.Header["Authorization"]) > 0 }

// admit asks the function. One that fails, panics or names nobody admits nobody.
func (j judge) admit(r *http.Request) (events.Principal, bool) {
	who, err := j.judged(r)
	switch {
	case err != nil:
		j.logger.Error().Err(err).Str("path", r.URL.Path).Msg("a policy failed, and so admitted nobody")
	case who == nil:
	case who.Kind == "" || who.ID == "":
		j.logger.Error().Str("path", r.URL.Path).Msg("a policy named a principal without kind or id, and so admitted nobody")
	default:
		return *who, true
	}
	return events.Principal{}, false
}

func (judge) why(*http.Request) string {
	return "the function named nobody; where it failed the log has an error of that"
}

func (j judge) judged(r *http.Request) (who *events.Principal, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(r.Context(), judgeTime)
	defer cancel()
	if who, err = j.ask(ctx, authorsRequest(r)); err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it did not answer within %v: %w", judgeTime, err)
	}
	return who, err
}

// authorsRequest is a request as authors see it, without what is not known yet: its
// body, its parameters, who sent it.
func authorsRequest(r *http.Request) *agent.Request {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	req := &agent.Request{
		Method: r.Method, URL: scheme + "://" + r.Host + r.URL.EscapedPath(),
		Header: r.Header.Clone(), Query: r.URL.Query(), Remote: r.RemoteAddr,
	}
	if r.URL.RawQuery != "" {
		req.URL += "?" + r.URL.RawQuery
	}
	return req
}
