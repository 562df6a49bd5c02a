package journal

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

var benchTime = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// turnEvents are about what a plain turn appends the second time.
func turnEvents() []events.Event {
	usage := &events.Usage{InputTokens: 900, OutputTokens: 40}
	return []events.Event{
		events.New("turn_01K00000000000000000000000", benchTime, &events.MessageCompleted{Text: "The build failed in step 3 because the linker ran out of memory; rerun it with two jobs.", FinishReason: events.FinishStop}),
		events.New("turn_01K00000000000000000000000", benchTime, &events.StepCompleted{Step: 1, Attempt: 1, FinishReason: events.FinishStop, Usage: usage}),
		events.New("turn_01K00000000000000000000000", benchTime, &events.TurnCompleted{Usage: usage}),
		events.New("", benchTime, &events.SessionWaiting{}),
	}
}

func benchmarkAppend(b *testing.B, writers int) {
	j, err := Open(b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	done := make(chan error)
	for w := range writers {
		go func() {
			id := fmt.Sprintf("ses_%026d", w)
			next, err := j.Hold(id)
			defer j.Release(id)
			for err == nil && left.Add(-1) >= 0 {
				var at Appended
				at, err = j.Append(context.Background(), Append{Stream: id, Expect: next, Events: turnEvents()})
				next = at.Next
			}
			done <- err
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			b.Error(err)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(j.Metrics().Syncs)/float64(b.N), "syncs/op")
}

func BenchmarkAppend_1Writer(b *testing.B)   { benchmarkAppend(b, 1) }
func BenchmarkAppend_64Writers(b *testing.B) { benchmarkAppend(b, 64) }
