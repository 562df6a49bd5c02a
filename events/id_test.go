package events

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
	"time"
)

// "`ses_` + 26 characters of Crockford base32 (time-ordered, 80 random bits or more)"
func TestNewID_KnownAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at     int64
		random byte
		want   string
	}{
		{0, 0x00, "ses_00000000000000000000000000"},
		{1<<48 - 1, 0xff, "ses_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
		{1469918176385, 0x00, "ses_01ARYZ6S410000000000000000"},
		{0, 0xff, "ses_0000000000ZZZZZZZZZZZZZZZZ"},
	} {
		got, err := NewID(SessionPrefix, time.UnixMilli(c.at), bytes.NewReader(bytes.Repeat([]byte{c.random}, 10)))
		if err != nil || got != c.want || !IsSessionID(got) {
			t.Errorf("at %d: %s, %v, want %s", c.at, got, err, c.want)
		}
	}
}

func TestNewID_SortsByTimeAndDiffers(t *testing.T) {
	t.Parallel()
	var ids []string
	for ms := range 200 {
		id, err := NewID(SessionPrefix, goldenAt.Add(time.Duration(ms)*time.Millisecond), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if !slices.IsSorted(ids) {
		t.Error("ids do not sort by the time they were made")
	}
	if n := len(slices.Compact(ids)); n != 200 {
		t.Errorf("%d of 200 ids differ", n)
	}
}

func TestNewID_NoRandomness(t *testing.T) {
	t.Parallel()
	want := errors.New("empty")
	if id, err := NewID(TurnPrefix, goldenAt, iotest.ErrReader(want)); !errors.Is(err, want) || id != "" {
		t.Errorf("got %q, %v", id, err)
	}
	if _, err := NewID(TurnPrefix, goldenAt, bytes.NewReader(make([]byte, 9))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("9 bytes of randomness gave %v", err)
	}
}

func TestIsSessionID(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"ses_01ARYZ6S410000000000000000":  true,
		"ses_01ARYZ6S41000000000000000":   false,
		"ses_01ARYZ6S4100000000000000000": false,
		"ses_01ARYZ6S41000000000000000I":  false,
		"ses_01aryz6s410000000000000000":  false,
		"agt_01ARYZ6S410000000000000000":  false,
		"SES_01ARYZ6S410000000000000000":  false,
		"agt_bot":                         false,
		"":                                false,
	} {
		if IsSessionID(s) != want {
			t.Errorf("%q is a session's id: %v", s, !want)
		}
	}
	if got := AgentLog("bot"); got != "agt_bot" || IsSessionID(got) {
		t.Errorf("an agent's log is %s", got)
	}
}

func TestUsage_AddAndTotal(t *testing.T) {
	t.Parallel()
	u := Usage{InputTokens: 1, CacheReadTokens: 2, CacheWriteTokens: 3, OutputTokens: 4, ReasoningTokens: 5}
	u.Add(Usage{InputTokens: 10, CacheReadTokens: 20, CacheWriteTokens: 30, OutputTokens: 40, ReasoningTokens: 50})
	want := Usage{InputTokens: 11, CacheReadTokens: 22, CacheWriteTokens: 33, OutputTokens: 44, ReasoningTokens: 55}
	if u != want || u.Total() != 110 {
		t.Errorf("got %+v, in total %d", u, u.Total())
	}
}

func BenchmarkAppendLine(b *testing.B) {
	evs := append(samples("message.completed"), samples("step.completed")...)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = buf[:0]
		for i := range evs {
			var err error
			if buf, err = AppendLine(buf, &evs[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	e := samples("message.completed")[1]
	line, err := AppendLine(nil, &e)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(line); err != nil {
			b.Fatal(err)
		}
	}
}
