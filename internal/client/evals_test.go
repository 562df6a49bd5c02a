package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

const aRun = "20260131-120000-x7ab"

// http-api.md, "Playground eval routes".
func TestClient_EvalRuns(t *testing.T) {
	t.Parallel()
	c, asked := serve(t, map[string]string{
		"GET /v1/dev/evals":                           `{"ok":true,"agent":"bot","config":{"maxConcurrency":3},"cases":[{"id":"smoke","timeoutMs":5}]}`,
		"GET /v1/dev/evals/runs":                      `{"ok":true,"runs":[{"runId":"b"},{"runId":"a"}]}`,
		"POST /v1/dev/evals/runs":                     `{"ok":true,"runId":"` + aRun + `","run":{"runId":"` + aRun + `","status":"running"}}`,
		"POST /v1/dev/evals/runs/" + aRun + "/cancel": `409|{"ok":false,"error":"not_running","message":"this eval run has ended"}`,
	})
	ctx := context.Background()
	l, err := c.Evals(ctx)
	if err != nil || l.Config.MaxConcurrency != 3 || l.Cases[0].ID != "smoke" || l.Cases[0].TimeoutMs != 5 {
		t.Errorf("listing %+v, %v", l, err)
	}
	if runs, err := c.EvalRuns(ctx, 5); err != nil || len(runs) != 2 || runs[0].ID != "b" {
		t.Errorf("runs %+v, %v", runs, err)
	}
	run, err := c.StartEvals(ctx, StartEvals{FilterIDs: []string{"a"}, TimeoutMs: 90})
	if err != nil || run.ID != aRun || run.Status != eval.RunRunning {
		t.Errorf("run %+v, %v", run, err)
	}
	if _, err := c.CancelEvals(ctx, aRun); !HasCode(err, CodeNotRunning) {
		t.Error(err)
	}
	if _, err := c.EvalRun(ctx, "../x"); err == nil {
		t.Error("an id is a path")
	}
	want := []string{
		`GET /v1/dev/evals`, `GET /v1/dev/evals/runs?limit=5`, `POST /v1/dev/evals/runs {"filterIds":["a"],"timeoutMs":90}`,
		`POST /v1/dev/evals/runs/` + aRun + `/cancel`, `GET /v1/dev/evals/runs/..%2Fx`,
	}
	if got := strings.Join(*asked, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("asked\n%s", got)
	}
}

// A roundTrip answers a request.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answers gives one reply after the other, then the last for ever: a status and a number
// of cases that have ended, an error's status, or nothing.
func answers(asked *[]time.Duration, list ...string) *Client {
	began := time.Now()
	return New("http://host", &Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		next := list[min(len(*asked), len(list)-1)]
		*asked = append(*asked, time.Since(began))
		status, done, _ := strings.Cut(next, " ")
		res := &http.Response{StatusCode: 200, Header: http.Header{}}
		body := fmt.Sprintf(`{"ok":true,"run":{"runId":"r","status":%q,"totals":{"done":%s}}}`, status, done)
		switch status {
		case "lost":
			return nil, errors.New("connection refused")
		case "503", "404":
			_, _ = fmt.Sscan(status, &res.StatusCode)
			body = `{"error":"x"}`
		}
		res.Body = io.NopCloser(strings.NewReader(body))
		return res, nil
	})})
}

// "Poll the run route until its status is `completed`, `failed`, or `cancelled`."
func TestClient_FollowEvals(t *testing.T) {
	t.Parallel()
	for _, end := range []string{eval.RunCompleted, eval.RunFailed, eval.RunCancelled} {
		synctest.Test(t, func(t *testing.T) {
			var asked []time.Duration
			var seen []int
			c := answers(&asked, "running 0", "running 0", "running 1", "lost", "503", "running 1", end+" 2")
			run, err := c.FollowEvals(t.Context(), "r", func(r *eval.Run) { seen = append(seen, r.Totals.Done) })
			if err != nil || run.Status != end || fmt.Sprint(seen) != "[0 0 1 1 2]" {
				t.Errorf("%+v, %v, seen %v", run, err, seen)
			}
		})
	}
}

// It asks often while something happens, and never more than once in two seconds after
// long silence.
func TestClient_FollowEvalsBacksOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := answers(&asked, "running 0").FollowEvals(ctx, "r", func(*eval.Run) {})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if asked[1] != soonestPoll || len(asked) > 36 {
			t.Errorf("asked at %v", asked)
		}
	})
}

// A snapshot has all results so far: where one takes long, the next is asked for later, so
// that a large run is not sent over and over.
func TestClient_FollowEvalsLeavesTheHostTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		began, done := time.Now(), 0
		c := New("http://host", &Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			asked = append(asked, time.Since(began))
			<-time.After(time.Second) // on the fake clock: that is how long the answer takes
			done++
			body := fmt.Sprintf(`{"run":{"runId":"r","status":"running","totals":{"done":%d}}}`, done)
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
		})})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := c.FollowEvals(ctx, "r", func(*eval.Run) {}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if len(asked) > 13 {
			t.Errorf("asked at %v", asked)
		}
	})
}

// A host that is gone, and a run that is not there, end the wait.
func TestClient_FollowEvalsGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		_, err := answers(&asked, "lost").FollowEvals(t.Context(), "r", func(*eval.Run) {})
		var gone *UnreachableError
		if !errors.As(err, &gone) || asked[len(asked)-1] < patience || asked[len(asked)-1] > 2*patience {
			t.Error(err, asked)
		}
	})
	var asked []time.Duration
	if _, err := answers(&asked, "404").FollowEvals(t.Context(), "r", func(*eval.Run) {}); err == nil || len(asked) != 1 {
		t.Error(err, asked)
	}
}
