// Package retry is how every model provider tries again: which failures are worth
// it, how often, and how long to wait in between.
package retry

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/model"
)

const (
	// MaxAttempts of one step, the first included.
	MaxAttempts = 4
	// MaxWait caps what a provider may ask for.
	MaxWait = 60 * time.Second

	firstWait = 500 * time.Millisecond
	// spread is the share of a wait by which callers are spread out, so that those
	// who were refused together do not come back together.
	spread = 0.4
)

// A Failure is an attempt that failed.
type Failure struct {
	Err *model.Error
	// Again says that another attempt may do better. It is never set after output.
	Again bool
}

// Do calls attempt, with its number from 1, until it works, until a failure that
// is not worth another one, MaxAttempts times, or until ctx ends; then the error wraps that of ctx. Before each wait
// it calls note, which may be nil. It waits as long as Err.RetryAfter asks for.
func Do(ctx context.Context, note func(f *Failure, attempt int, wait time.Duration), attempt func(n int) *Failure) *model.Error {
	for n := 1; ; n++ {
		f := attempt(n)
		if f == nil {
			return nil
		}
		if !f.Again || n == MaxAttempts || ctx.Err() != nil {
			return f.Err
		}
		wait := Wait(n, f.Err.RetryAfter, rand.Float64())
		if note != nil {
			note(f, n, wait)
		}
		if !sleep(ctx, wait) {
			stopped := *f.Err
			stopped.Err = errors.Join(ctx.Err(), f.Err.Err)
			return &stopped
		}
	}
}

// Wait is how long to wait after the attempt n, from 1: exponential, or what the
// provider asked for and up to two fifths more, at most MaxWait. random is in [0, 1).
func Wait(n int, asked time.Duration, random float64) time.Duration {
	if asked <= 0 {
		d := firstWait << (n - 1)
		return d/2 + time.Duration(random*float64(d/2))
	}
	low, high := asked, asked+time.Duration(spread*float64(asked))
	if low > MaxWait { // it is not honoured as it is anyway
		low = MaxWait - time.Duration(spread*float64(MaxWait))
	}
	high = min(high, MaxWait)
	return low + time.Duration(random*float64(high-low))
}

// sleep says whether ctx lived to the end of it.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Status says whether an answer with this status is worth another attempt: 408,
// 409, 429 and 5xx, 529 among them.
func Status(code int) bool {
	return code == http.StatusRequestTimeout || code == http.StatusConflict || code == http.StatusTooManyRequests || code >= 500 && code <= 599
}

// After reads Retry-After: seconds or a date. What is neither, or is not in the
// future, is 0.
func After(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(v, 64); err == nil {
		return duration(seconds)
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// duration is safe for any number.
func duration(seconds float64) time.Duration {
	switch {
	case !(seconds > 0): // also what is not a number
		return 0
	case seconds > 1e6:
		return 1e6 * time.Second
	}
	return time.Duration(seconds * float64(time.Second))
}
