package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
)

var testTime = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func openMem(t *testing.T) *Journal {
	t.Helper()
	return openFS(t, vfs.NewMem(), nil)
}

func openFS(t *testing.T, fs vfs.FS, o *Options) *Journal {
	t.Helper()
	if o == nil {
		o = &Options{}
	}
	o.FS = fs
	j, err := Open("root", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

// texts are messages, one event each.
func texts(s ...string) []events.Event {
	out := make([]events.Event, len(s))
	for i := range s {
		out[i] = events.New("", testTime, &events.MessageReceived{Text: s[i], From: events.FromUser})
	}
	return out
}

func mustAppend(t *testing.T, j *Journal, a Append) Appended {
	t.Helper()
	at, err := j.Append(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestJournal_AppendReadFollowRange(t *testing.T) {
	t.Parallel()
	j := openMem(t)
	for i := range 3 {
		at := mustAppend(t, j, Append{Stream: "ses_a", Expect: uint64(2 * i), Events: texts(fmt.Sprint("x", i), fmt.Sprint("y", i))})
		if at.Next != uint64(2*i+2) || at.Position != uint64(2*i+2) {
			t.Fatalf("append %d went to %+v", i, at)
		}
	}
	_, err := j.Append(t.Context(), Append{Stream: "ses_a", Expect: 5, Events: texts("no")})
	if !errors.Is(err, ErrMoved) {
		t.Fatalf("a wrong index gave %v", err)
	}
	lines, err := j.Read("ses_a", 1, 100)
	if err != nil || len(lines) != 5 || !lines[0].Last || lines[1].Last {
		t.Fatalf("read %v, %v", lines, err)
	}
	var followed []Line
	for run, err := range j.Follow(t.Context(), "ses_a", 1) {
		if err != nil {
			t.Fatal(err)
		}
		if followed = append(followed, run...); len(followed) == 5 {
			break
		}
	}
	evs, next, err := j.Range(0, 100)
	if err != nil || next != 6 || len(evs) != 6 {
		t.Fatalf("range gave %d events to %d, %v", len(evs), next, err)
	}
	for i := range followed {
		line, err := events.AppendLine(nil, evs[i+1])
		if err != nil || !bytes.Equal(followed[i].Data, lines[i].Data) || !bytes.Equal(line, lines[i].Data) {
			t.Errorf("event %d: followed %s, read %s, range %s, %v", i+1, followed[i].Data, lines[i].Data, line, err)
		}
	}
}
