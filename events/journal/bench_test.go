//go:build unix

package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gobdk/bdk/events"
)

// turnEvents are about what a plain turn appends the second time.
func turnEvents() []events.Event {
	const turn = "turn_01K00000000000000000000000"
	usage := &events.Usage{InputTokens: 900, OutputTokens: 40}
	return []events.Event{
		events.New(turn, testTime, &events.MessageCompleted{Text: "The build failed in step 3 because the linker ran out of memory; rerun it with two jobs.", FinishReason: events.FinishStop}),
		events.New(turn, testTime, &events.StepCompleted{Step: 1, Attempt: 1, FinishReason: events.FinishStop, Usage: usage}),
		events.New(turn, testTime, &events.TurnCompleted{Usage: usage}),
		events.New("", testTime, &events.SessionWaiting{}),
	}
}

// openBench opens a journal on the disk.
func openBench(b *testing.B) *Journal {
	b.Helper()
	j, err := Open(b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := j.Close(); err != nil {
			b.Error(err)
		}
	})
	return j
}

// spread runs do b.N times, from so many goroutines.
func spread(b *testing.B, writers int, do func(writer int, n uint64) error) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	before := cpuTime()
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := uint64(0); left.Add(-1) >= 0; n++ {
				if err := do(w, n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64((cpuTime()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// cpuTime is what this process has used of the processor.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchmarkAppend(b *testing.B, writers int) {
	j := openBench(b)
	for w := range writers {
		if _, err := j.Hold(fmt.Sprintf("ses_%026d", w)); err != nil {
			b.Fatal(err)
		}
	}
	spread(b, writers, func(w int, n uint64) error {
		a := Append{Stream: fmt.Sprintf("ses_%026d", w), Expect: 4 * n, Events: turnEvents()}
		_, err := j.Append(context.Background(), a)
		return err
	})
	b.ReportMetric(float64(j.Metrics().Syncs)/float64(b.N), "syncs/op")
}

func BenchmarkAppend_1Writer(b *testing.B)   { benchmarkAppend(b, 1) }
func BenchmarkAppend_64Writers(b *testing.B) { benchmarkAppend(b, 64) }

// The floor: the same events as one value, encoded and committed by Pebble alone.
func benchmarkFloor(b *testing.B, writers int) {
	db, err := pebble.Open(b.TempDir(), &pebble.Options{Logger: &storeLog{}, FormatMajorVersion: pebble.FormatNewest, MemTableSize: 64 << 20})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	spread(b, writers, func(w int, n uint64) error {
		v, err := json.Marshal(turnEvents())
		if err != nil {
			return err
		}
		return db.Set(eventKey(fmt.Sprintf("ses_%026d", w), n), v, pebble.Sync)
	})
}

func BenchmarkFloor_1Writer(b *testing.B)   { benchmarkFloor(b, 1) }
func BenchmarkFloor_64Writers(b *testing.B) { benchmarkFloor(b, 64) }

// fillStream writes events to one stream, many to an append.
func fillStream(b *testing.B, j *Journal, id string, n int) {
	b.Helper()
	for at := 0; at < n; at += 100 {
		var evs []events.Event
		for range 25 {
			evs = append(evs, turnEvents()...)
		}
		if _, err := j.Append(context.Background(), Append{Stream: id, Expect: uint64(at), Events: evs}); err != nil {
			b.Fatal(err)
		}
	}
}

// Replay is a reader that reads a whole log; an op is one event.
func BenchmarkReplay(b *testing.B) {
	const total = 100_000
	j := openBench(b)
	fillStream(b, j, "ses_a", total)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; {
		for lines, err := range j.Follow(context.Background(), "ses_a", 0) {
			if err != nil {
				b.Fatal(err)
			}
			if n += len(lines); n >= b.N || n%total < len(lines) {
				break
			}
		}
	}
}

// Range from the disk, decoded; an op is one event.
func BenchmarkRange_FromDisk(b *testing.B) {
	const total = 50_000
	j := openBench(b)
	fillStream(b, j, "ses_a", total)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; {
		evs, _, err := j.Range(uint64(n%(total/2)), 256)
		if err != nil {
			b.Fatal(err)
		}
		n += len(evs)
	}
}

// Appends at 20 a second to one session, while readers follow it: p99 is what a writer waits.
func benchmarkReaders(b *testing.B, readers int) {
	j := openBench(b)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			for _, err := range j.Follow(ctx, "ses_a", 0) {
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	took := make([]time.Duration, 0, b.N)
	for n := range uint64(b.N) {
		<-tick.C
		start := time.Now()
		if _, err := j.Append(ctx, Append{Stream: "ses_a", Expect: 4 * n, Events: turnEvents()}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	cancel()
	wg.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}

func BenchmarkAppend_1Reader(b *testing.B)     { benchmarkReaders(b, 1) }
func BenchmarkAppend_1000Readers(b *testing.B) { benchmarkReaders(b, 1000) }
