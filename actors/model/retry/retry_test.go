package retry_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/retry"
)

func failing(status int, after time.Duration) *retry.Failure {
	return &retry.Failure{Err: &model.Error{Message: "no", Status: status, RetryAfter: after}, Again: true}
}

// "at most 4 attempts, exponential with jitter"
func TestDo_FourAttemptsWithGrowingWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var waits []time.Duration
		calls := 0
		err := retry.Do(t.Context(), func(_ *retry.Failure, n int, w time.Duration) { waits = append(waits, w) },
			func(n int) *retry.Failure { calls++; return failing(500, 0) })
		if err == nil || err.Status != 500 || calls != 4 || len(waits) != 3 {
			t.Fatalf("got %v after %d calls and %v", err, calls, waits)
		}
		for i, w := range waits {
			full := 500 * time.Millisecond << i
			if w < full/2 || w > full {
				t.Errorf("wait %d is %v, want between %v and %v", i, w, full/2, full)
			}
		}
	})
}

func TestDo_EndsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := retry.Do(t.Context(), nil, func(int) *retry.Failure { return nil }); err != nil {
			t.Error(err)
		}
		calls := 0
		err := retry.Do(t.Context(), nil, func(int) *retry.Failure {
			calls++
			return &retry.Failure{Err: &model.Error{Status: 400}}
		})
		if err == nil || calls != 1 || time.Since(start) != 0 {
			t.Errorf("got %v after %d calls and %v", err, calls, time.Since(start))
		}
	})
}

func TestDo_WaitEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		err := retry.Do(ctx, nil, func(int) *retry.Failure { return failing(429, 30*time.Second) })
		if !errors.Is(err, context.DeadlineExceeded) || err.Status != 429 || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

// "No request before 2 s; spread by jitter; p95 spread ≥ 25 % of delay" (C59)
func TestWait_HonoursAndSpreads(t *testing.T) {
	t.Parallel()
	var waits []time.Duration
	for i := range 50 {
		waits = append(waits, retry.Wait(1, 2*time.Second, float64(i)/50))
	}
	slices.Sort(waits)
	if waits[0] < 2*time.Second {
		t.Errorf("came back after %v", waits[0])
	}
	if s := waits[47] - waits[2]; s < 500*time.Millisecond {
		t.Errorf("spread over %v", s)
	}
	// "capped at 60 s"
	for _, asked := range []time.Duration{45 * time.Second, time.Minute, time.Hour, 1e6 * time.Second} {
		for _, random := range []float64{0, 0.5, 0.999} {
			if w := retry.Wait(1, asked, random); w > time.Minute || w < min(asked, 36*time.Second) {
				t.Errorf("asked for %v, waits %v", asked, w)
			}
		}
	}
}

// C58: "Parsed or ignored"
func TestAfter_Headers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 10, 21, 7, 27, 30, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"2":                             2 * time.Second,
		" 1.5 ":                         1500 * time.Millisecond,
		"0":                             0,
		"-5":                            0,
		"2abc":                          0,
		"NaN":                           0,
		"Inf":                           1e6 * time.Second,
		"1e300":                         1e6 * time.Second,
		"999999":                        999999 * time.Second,
		"Wed, 21 Oct 2026 07:28:00 GMT": 30 * time.Second,
		"Wed, 21 Oct 2015 07:28:00 GMT": 0,
	} {
		if got := retry.After(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	}
}

// "408, 409, 429, 5xx, 529"
func TestStatus_WorthAnotherAttempt(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{
		200: false, 400: false, 401: false, 404: false, 413: false, 422: false,
		408: true, 409: true, 429: true, 500: true, 502: true, 503: true, 529: true, 600: false,
	} {
		if retry.Status(code) != want {
			t.Errorf("%d: want %t", code, want)
		}
	}
}
