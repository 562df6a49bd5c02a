package hosted_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
)

// BenchmarkCase is a case with two turns, of which one calls a stubbed tool, on the
// scripted model: all that the host's side of it costs.
func BenchmarkCase(b *testing.B) {
	h := newHouse(b, nil)
	stub := func(context.Context, *agent.Call) (json.RawMessage, error) { return json.RawMessage(`{"n":1}`), nil }
	ctx := context.Background()
	b.SetParallelism(10) // as maxConcurrency 20 on two cores
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s := h.target.Open(eval.OpenOptions{Title: "bench"})
			for _, text := range []string{"twice", "hello"} {
				o := eval.SendOptions{}
				if text == "twice" {
					o.Stubs = map[string]agent.Stub{"look": stub}
				}
				if turn, err := s.Send(ctx, text, o); err != nil || turn.Status != eval.TurnFinished {
					b.Errorf("got %s, %v", brief(turn), err)
				}
			}
			if _, err := s.Events(); err != nil || s.Spent().Steps != 3 {
				b.Errorf("spent was %+v, %v", s.Spent(), err)
			}
			if err := s.Close(ctx); err != nil {
				b.Error(err)
			}
		}
	})
}
