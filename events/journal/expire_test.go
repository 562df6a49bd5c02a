package journal

import (
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// stored counts the keys of a kind.
func stored(t *testing.T, j *Journal, kind byte) (n int) {
	t.Helper()
	it, err := j.db.NewIter(&pebble.IterOptions{LowerBound: []byte{kind}, UpperBound: []byte{kind + 1}})
	if err != nil {
		t.Fatal(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

// Expired claims go, those that hold stay, also where a key was claimed anew.
func TestExpire(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	now := testTime
	claim := func(key string, at time.Time, until time.Time) {
		t.Helper()
		head, err := j.Head("ses_a")
		if err != nil {
			t.Fatal(err)
		}
		mustAppend(t, j, Append{Stream: "ses_a", Expect: head, Events: texts("x"), Now: at, Claims: []Claim{{Key: key, Until: until}}})
	}
	for i := range 3 * expireRun {
		claim(fmt.Sprint("old", i), now, now.Add(time.Hour+time.Duration(i)))
	}
	claim("ever", now, time.Time{})
	claim("long", now, now.Add(48*time.Hour))
	claim("anew", now, now.Add(time.Hour))
	claim("anew", now.Add(2*time.Hour), now.Add(48*time.Hour))
	claim("edge", now, now.Add(24*time.Hour+1))

	if n, err := j.Expire(now); n != 0 || err != nil {
		t.Errorf("before anything was over %d went, %v", n, err)
	}
	if n, err := j.Expire(now.Add(24 * time.Hour)); n != 3*expireRun || err != nil {
		t.Errorf("%d claims went, %v; want %d", n, err, 3*expireRun)
	}
	for key, want := range map[string]bool{"old0": false, "ever": true, "long": true, "anew": true, "edge": true} {
		if _, ok, err := j.Lookup(t.Context(), key, now.Add(24*time.Hour)); ok != want || err != nil {
			t.Errorf("%s is held: %v, %v", key, ok, err)
		}
	}
	if claims, expiries := stored(t, j, kindClaim), stored(t, j, kindExpiry); claims != 4 || expiries != 3 {
		t.Errorf("%d claims and %d expiries are stored", claims, expiries)
	}
	if n, err := j.Expire(now.Add(100 * time.Hour)); n != 3 || err != nil {
		t.Errorf("%d claims went at last, %v", n, err)
	}
	if claims, expiries := stored(t, j, kindClaim), stored(t, j, kindExpiry); claims != 1 || expiries != 0 {
		t.Errorf("%d claims and %d expiries are stored at last", claims, expiries)
	}
}
