package modeltest

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gobdk/bdk/actors/model"
)

// An answer is everything that one Stream gave.
type answer struct {
	resp   *model.Response
	err    error
	deltas []model.Delta
}

func ask(t testing.TB, m model.Model, r *model.Request) answer {
	t.Helper()
	return askWith(t.Context(), t, m, r, nil)
}

// askWith calls first at the first delta, and checks when and how emit is called:
// "in order, on the caller's goroutine or one at a time on others", before Stream
// returns, with something to say.
func askWith(ctx context.Context, t testing.TB, m model.Model, r *model.Request, first func()) answer {
	t.Helper()
	var a answer
	var inside, returned atomic.Bool
	emit := func(d model.Delta) {
		if !inside.CompareAndSwap(false, true) {
			t.Error("emit was called twice at once")
		}
		defer inside.Store(false)
		if returned.Load() {
			t.Error("emit was called after Stream had returned")
		}
		if d.Text == "" {
			t.Error("emit was called with nothing")
		}
		a.deltas = append(a.deltas, d)
		if len(a.deltas) == 1 && first != nil {
			first()
		}
	}
	a.resp, a.err = m.Stream(ctx, r, emit)
	returned.Store(true)
	if (a.resp == nil) == (a.err == nil) {
		t.Errorf("Stream gave response %v and error %v; it must give one", a.resp, a.err)
	}
	return a
}

func (a answer) checkJoined(t testing.TB) {
	t.Helper()
	var text, reasoning strings.Builder
	for _, d := range a.deltas {
		if d.Reasoning {
			reasoning.WriteString(d.Text)
			continue
		}
		text.WriteString(d.Text)
	}
	if text.String() != a.resp.Text || reasoning.String() != a.resp.Reasoning {
		t.Errorf("deltas give text %.60q and reasoning %.60q, the response %.60q and %.60q",
			text.String(), reasoning.String(), a.resp.Text, a.resp.Reasoning)
	}
}

// modelError is the *model.Error that every failure is, with its message and code.
func (a answer) modelError(t testing.TB) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(a.err, &e) {
		t.Fatalf("got response %+v and error %v, want a *model.Error", a.resp, a.err)
	}
	if e.Message == "" || e.Code == "" || strings.Contains(e.Message, "\n") {
		t.Errorf("an error needs one sentence and a code: %+v", e)
	}
	return e
}
