package projections

import (
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
)

// cpu is what this process used so far, garbage collection and compactions included.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchmarkFold folds turns of eight events in the built-in projections: each
// append of each session is shared by per others in its range.
func benchmarkFold(b *testing.B, sessions int) {
	j := openJournal(b, vfs.NewMem())
	var runners []*runner
	for _, p := range builtins(j) {
		runners = append(runners, newRunner(j, p, true, zerolog.Nop()))
	}
	first, second := benchRanges(sessions, b.N)
	b.ReportAllocs()
	b.ResetTimer()
	start := cpu(b)
	for i := range first {
		for _, evs := range [][]*events.Event{first[i], second[i]} {
			for _, r := range runners {
				if err := r.fold(evs); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.ReportMetric(float64((cpu(b)-start).Microseconds())/float64(b.N), "cpu-µs/turn")
}

func benchRanges(sessions, turns int) (first, second [][]*events.Event) {
	for n := 0; n < turns; n += sessions {
		var a, z []*events.Event
		for s := n; s < min(n+sessions, turns); s++ {
			a = appendShared(a, sessionID(s), 0, opening("turn_1"))
			z = appendShared(z, sessionID(s), 4, reply("turn_1"))
		}
		first, second = append(first, a), append(second, z)
	}
	return first, second
}

func appendShared(to []*events.Event, id string, index uint64, evs []events.Event) []*events.Event {
	for i := range evs {
		evs[i].SessionID, evs[i].Index = id, index+uint64(i)
		to = append(to, &evs[i])
	}
	return to
}

func BenchmarkFold_64SessionsAtOnce(b *testing.B) { benchmarkFold(b, 64) }
func BenchmarkFold_OneSessionAtOnce(b *testing.B) { benchmarkFold(b, 1) }

// benchmarkFollow appends turns on a store in memory, each in two appends, with or
// without the views: the difference is what the views cost, the router included.
func benchmarkFollow(b *testing.B, writers int, on bool) {
	j := openJournal(b, vfs.NewMem())
	var v *Views
	if on {
		v = startViews(b, j)
	}
	var turn atomic.Int64
	b.ResetTimer()
	start := cpu(b)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for n := int(turn.Add(1)); n <= b.N; n = int(turn.Add(1)) {
				add(b, j, sessionID(n), opening("turn_1")...)
				add(b, j, sessionID(n), reply("turn_1")...)
			}
		})
	}
	wg.Wait()
	if on {
		caughtUp(b, v, j)
	}
	b.ReportMetric(float64((cpu(b)-start).Microseconds())/float64(b.N), "cpu-µs/turn")
}

func BenchmarkFollow_1WriterWithout(b *testing.B)   { benchmarkFollow(b, 1, false) }
func BenchmarkFollow_1WriterWith(b *testing.B)      { benchmarkFollow(b, 1, true) }
func BenchmarkFollow_64WritersWithout(b *testing.B) { benchmarkFollow(b, 64, false) }
func BenchmarkFollow_64WritersWith(b *testing.B)    { benchmarkFollow(b, 64, true) }

// BenchmarkSessions_NoneMatches lists for an owner who has none of 20,000 sessions.
func BenchmarkSessions_NoneMatches(b *testing.B) {
	j := openJournal(b, vfs.NewMem())
	v := startViews(b, j)
	addTurns(b, j, 0, 20000)
	caughtUp(b, v, j)
	b.ResetTimer()
	for range b.N {
		rows, _, err := v.Sessions(b.Context(), SessionQuery{Owner: &events.Principal{Kind: "user", ID: "ann"}})
		if err != nil || len(rows) > 0 {
			b.Fatal(len(rows), err)
		}
	}
}

func BenchmarkSessions_FirstPage(b *testing.B) {
	j := openJournal(b, vfs.NewMem())
	v := startViews(b, j)
	addTurns(b, j, 0, 20000)
	caughtUp(b, v, j)
	b.ResetTimer()
	for range b.N {
		rows, cursor, err := v.Sessions(b.Context(), SessionQuery{})
		if err != nil || len(rows) != defaultLimit || cursor == "" {
			b.Fatal(len(rows), err)
		}
	}
}
