//go:build failpoints

package crash

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestCrash_AtRandom kills the host at random while clients talk to it, over and
// over on one state root, and checks after each life: "kill -9 at any moment during
// 200 scripted turns".
func TestCrash_AtRandom(t *testing.T) {
	t.Parallel()
	rounds, seed := 6, uint64(time.Now().UnixNano())
	if *full {
		rounds = 40
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	var all []*session
	var first []time.Duration
	open := []string{}
	for round := range rounds {
		s, err := launch(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		first = append(first, awaitFirst(s, all, open)...)
		all = append(all, burst(s.url, round, r, s)...)
		violations, err := check(dir, all...)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range violations {
			t.Errorf("round %d: %s", round, v)
		}
		if open, err = running(dir); err != nil {
			t.Fatal(err)
		}
	}
	turns := 0
	for _, c := range all {
		turns += len(c.acked)
	}
	slices.Sort(first)
	if len(first) > 0 {
		t.Logf("%d messages over %d kills; %d interrupted turns were taken up, first new event after %v (median), %v (slowest)", turns, rounds, len(first), first[len(first)/2], first[len(first)-1])
	}
	settle(t, dir, all)
}

// burst lets clients talk until the host is killed under them.
func burst(base string, round int, r *rand.Rand, s *server) []*session {
	const clients = 8
	end := time.Now().Add(time.Duration(200+r.IntN(500)) * time.Millisecond)
	var talk sync.WaitGroup
	out := make([][]*session, clients)
	for i := range clients {
		seed := r.Uint64()
		talk.Go(func() { out[i] = chatter(base, fmt.Sprintf("%d.%d", round, i), rand.New(rand.NewPCG(seed, 1)), end) })
	}
	time.Sleep(time.Until(end))
	s.kill()
	talk.Wait()
	return slices.Concat(out...)
}

// chatter opens one session after the other and says things in it.
func chatter(base, name string, r *rand.Rand, end time.Time) (all []*session) {
	texts := []string{"hello", "three", "gated", "slow", "long", "artifact"}
	for n := 0; time.Now().Before(end.Add(100 * time.Millisecond)); n++ {
		c := newSession()
		if c.say(base, fmt.Sprintf("%s %s.%d", texts[r.IntN(len(texts))], name, n)) == 0 {
			return all
		}
		all = append(all, c)
		var reader sync.WaitGroup
		reader.Go(func() { _ = c.follow(base) })
		for k := range r.IntN(3) {
			time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
			if rows, err := c.approvals(base); err == nil && len(rows) > 0 && r.IntN(2) == 0 {
				c.approve(base, rows[0].CallID)
				continue
			}
			c.say(base, fmt.Sprintf("%s %s.%d.%d", texts[r.IntN(len(texts))], name, n, k))
		}
		reader.Wait()
	}
	return all
}

// awaitFirst measures how long the interrupted turns took to their first new event,
// from the start of the process.
func awaitFirst(s *server, all []*session, open []string) []time.Duration {
	var mu sync.Mutex
	var out []time.Duration
	var wait sync.WaitGroup
	for _, id := range open {
		i := slices.IndexFunc(all, func(c *session) bool { return c.id == id })
		if i < 0 {
			continue
		}
		wait.Go(func() {
			res, err := client.Get(fmt.Sprintf("%s/v1/session/%s/stream?startIndex=%d&limit=1", s.url, id, heads[id]))
			if err != nil || res.StatusCode != http.StatusOK {
				return
			}
			defer func() { _ = res.Body.Close() }()
			if _, err := io.ReadFull(res.Body, make([]byte, 1)); err == nil {
				mu.Lock()
				defer mu.Unlock()
				out = append(out, time.Since(s.up))
			}
		})
	}
	wait.Wait()
	return out
}
