package transport

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// "STREAM(i) for every i equals DUMP[i:]" (P05), as NDJSON, and "`limit=N` ends after N events".
func TestStream_EveryIndexIsTheDump(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("/call echo {\"a\":1}")
	base := "/bot/v1/session/" + id
	dump := slices.Collect(strings.Lines(c.do("GET", base+"/events", "").body))
	for i := range len(dump) + 3 {
		a := c.do("GET", fmt.Sprintf("%s/stream?startIndex=%d&follow=false", base, i), "")
		if want := strings.Join(dump[min(i, len(dump)):], ""); a.status != 200 || a.body != want {
			t.Fatalf("from %d: %d\n%s\nwant\n%s", i, a.status, a.body, want)
		}
	}
	for limit := 1; limit < 4; limit++ {
		a := c.do("GET", fmt.Sprintf("%s/stream?startIndex=2&limit=%d", base, limit), "")
		if a.body != strings.Join(dump[2:2+limit], "") {
			t.Errorf("limit %d: %s", limit, a.body)
		}
	}
	a := c.do("GET", base+"/events?format=json", "")
	events := strings.Join(dump, ",")
	if want := `{"sessionId":"` + id + `","events":[` + strings.ReplaceAll(events, "\n", "") + "]}\n"; a.body != want || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("format=json: %s\nwant %s", a.body, want)
	}
	c.do("GET", base+"/events?format=xml", "").want(t, 400, "invalid_query")
}

// P07: "= head waits; > head waits and never sends older events" and C10.
func TestStream_WaitsForItsIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("one")
	head, _ := w.journal.Head(id)
	at := c.stream(fmt.Sprintf("/bot/v1/session/%s/stream?startIndex=%d", id, head))
	past := c.stream(fmt.Sprintf("/bot/v1/session/%s/stream?startIndex=%d", id, head+2))
	defer at.close()
	defer past.close()
	for i := range 4 {
		if _, err := w.host.Rename(t.Context(), id, fmt.Sprint("title ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if l := at.next(); l.Index != head {
		t.Errorf("from the head: %d, want %d", l.Index, head)
	}
	for i := range uint64(2) {
		if l := past.next(); l.Index != head+2+i {
			t.Errorf("from past the head: %d, want %d", l.Index, head+2+i)
		}
	}
}

// P07: "negative, float, hex, empty, duplicate, > int64 → 400".
func TestStream_BadQueries(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, _ := c.started("one")
	path := "/bot/v1/session/" + id + "/stream"
	for _, q := range []string{"startIndex=-1", "startIndex=1.0", "startIndex=0x1", "startIndex=", "startIndex=0&startIndex=1", "startIndex=9223372036854775808", "startIndex=abc", "startIndex=01", "startIndex=+1"} {
		c.do("GET", path+"?"+q, "").want(t, 400, "invalid_start_index")
	}
	for _, q := range []string{"limit=0", "limit=-1", "limit=x", "follow=no", "follow=", "until=end", "until=idle&until=idle", "startindex=0", "x=y"} {
		c.do("GET", path+"?"+q, "").want(t, 400, "invalid_query")
	}
	for _, id := range []string{"x", "-1", "1", "18446744073709551615", ""} {
		if a := c.do("GET", path+"?follow=false", "", "Accept", eventStream, "Last-Event-ID", id); (a.status == 400) != (id != "1") {
			t.Errorf("Last-Event-ID %q: %d", id, a.status)
		}
	}
}

// "(`id:` the index, `data:` the line, no `event:`, …; `Last-Event-ID` wins over `startIndex`)".
func TestStream_ServerSentEvents(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	id, _ := c.started("one")
	base := "/bot/v1/session/" + id
	dump := slices.Collect(strings.Lines(c.do("GET", base+"/events", "").body))
	a := c.do("GET", base+"/stream?startIndex=0&follow=false", "", "Accept", eventStream, "Last-Event-ID", "1")
	var want strings.Builder
	for i, line := range dump[2:] {
		fmt.Fprintf(&want, "id: %d\ndata: %s\n", i+2, line)
	}
	if a.body != want.String() || a.header.Get("Content-Type") != eventStream {
		t.Errorf("%s\nwant\n%s", a.body, want.String())
	}
	if a.header.Get("X-Accel-Buffering") != "no" || a.header.Get("Cache-Control") != "no-store" {
		t.Error(a.header)
	}
}

// "a comment line every 15 s".
func TestStream_SignOfLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	h.heartbeat = 5 * time.Millisecond
	c := w.serveHandler(h)
	id, _ := c.started("one")
	head, _ := w.journal.Head(id)
	s := c.stream(fmt.Sprintf("/bot/v1/session/%s/stream?startIndex=%d", id, head), "Accept", eventStream)
	defer s.close()
	for range 3 {
		if got := s.text() + s.text(); !strings.HasPrefix(got, ":") || !strings.HasSuffix(got, "\n\n") {
			t.Fatalf("%q is no comment", got)
		}
	}
	if _, err := w.host.Rename(t.Context(), id, "x"); err != nil {
		t.Fatal(err)
	}
	for !strings.HasPrefix(s.text(), fmt.Sprintf("id: %d", head)) {
	}
}

// "`until=idle` ends after the first append, of those that hold an index ≥ N, at
// whose end the session is idle, ended or parked."
func TestStream_UntilIdle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, token := c.started("one")
	base := "/bot/v1/session/" + id
	until := func(from uint64) []string {
		return types(c.do("GET", fmt.Sprintf("%s/stream?until=idle&startIndex=%d", base, from), "").body)
	}
	head, _ := w.journal.Head(id)
	whole := until(0)
	if len(whole) != int(head) || whole[0] != "session.started" || whole[head-1] != "session.waiting" {
		t.Fatal(whole)
	}
	c.do("POST", base, encode(map[string]string{"continuationToken": token, "message": "two"})).want(t, 202, "")
	w.settled(id)
	if got := until(0); len(got) != int(head) {
		t.Errorf("the first rest is at %d, it ended at %d", head, len(got))
	}
	if got := until(head); got[0] != "message.received" || got[len(got)-1] != "session.waiting" {
		t.Error(got)
	}
	// An append after the rest leaves the session at rest, so it ends with it.
	head, _ = w.journal.Head(id)
	if _, err := w.host.Rename(t.Context(), id, "x"); err != nil {
		t.Fatal(err)
	}
	if got := until(head); len(got) != 1 || got[0] != "session.updated" {
		t.Error(got)
	}
	if got := until(head - 1); len(got) != 1 || got[0] != "session.waiting" {
		t.Error(got)
	}
}

// "parked: an approval is open and nothing else of the turn runs"; with one call
// parked and another running it is not.
func TestStream_UntilParked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	m := c.do("POST", "/bot/v1/session", encode(map[string]string{"message": "/call hold {}\n/call merge {}"})).want(t, 202, "")
	base := "/bot/v1/session/" + m["sessionId"].(string)
	s := c.stream(base + "/stream?until=idle")
	defer s.close()
	for s.next().Type != "input.requested" {
	}
	close(w.release)
	if l := s.next(); l.Type != "action.result" {
		t.Fatal(l.Type)
	}
	s.end()
	head, _ := w.journal.Head(m["sessionId"].(string))
	if a := c.do("GET", fmt.Sprintf("%s/stream?until=idle&startIndex=%d", base, head-1), ""); !slices.Equal(types(a.body), []string{"action.result"}) {
		t.Error(a.body)
	}
	// "Same connection stays open while parked and shows action.result and terminal event" (C04).
	open := c.stream(base + "/stream")
	defer open.close()
	var callID string
	for _, a := range c.do("GET", base+"/approvals", "").want(t, 200, "")["approvals"].([]any) {
		callID = a.(map[string]any)["callId"].(string)
	}
	c.do("POST", base+"/approvals/"+callID, `{"decision":"approve"}`).want(t, 200, "")
	for open.next().Type != "session.waiting" {
	}
}

// "A task's stream ends after its last event; a chat's stays open."
func TestStream_TaskEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) { o.Dev = true })
	a, err := w.host.StartSession(t.Context(), actors.NewSession{Agent: "bot", Principal: somebody, Mode: events.ModeTask, Message: "/call hold {}"})
	if err != nil {
		t.Fatal(err)
	}
	base := "/bot/v1/session/" + a.SessionID
	open, past := c.stream(base+"/stream"), c.stream(base+"/stream?startIndex=1000")
	close(w.release)
	for open.next().Type != "session.completed" {
	}
	open.end()
	past.end()
	head, _ := w.journal.Head(a.SessionID)
	for _, from := range []uint64{head - 1, head, head + 5} {
		if n := len(types(c.do("GET", fmt.Sprintf("%s/stream?startIndex=%d", base, from), "").body)); n != int(head-min(from, head)) {
			t.Errorf("from %d of %d: %d events", from, head, n)
		}
	}
	c.do("POST", base, `{"continuationToken":"http:x","message":"more"}`).want(t, 409, "task_session")
	if s := c.do("GET", base, "").want(t, 200, "")["session"].(map[string]any); s["continuationToken"] != nil || s["status"] != "completed" {
		t.Error("a task has no token: ", s)
	}
}

// P05: "50 readers opening at random times during 5k appends", and P06: "Reconnect
// with last+1 after any cut gives the same total sequence".
func TestStream_ReadersMeetAppends(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("one")
	const renames = 300
	start, _ := w.journal.Head(id)
	end := start + renames
	var readers sync.WaitGroup
	got := make([]string, 24)
	for i := range got {
		readers.Go(func() {
			var all strings.Builder
			for next := uint64(0); next < end; {
				path := fmt.Sprintf("/bot/v1/session/%s/stream?startIndex=%d&limit=%d", id, next, min(1+rand.Uint64N(90), end-next))
				body := c.do("GET", path, "").body
				next += uint64(strings.Count(body, "\n"))
				all.WriteString(body)
			}
			got[i] = all.String()
		})
	}
	for i := range renames {
		if _, err := w.host.Rename(t.Context(), id, fmt.Sprint("title ", i)); err != nil {
			t.Fatal(err)
		}
	}
	readers.Wait()
	dump := c.do("GET", "/bot/v1/session/"+id+"/events", "").body
	for i, s := range got {
		if s != dump {
			t.Errorf("reader %d saw something else than the dump", i)
		}
	}
}

// C13: "All streams end on a full line".
func TestShutdown_EndsStreamsAtALine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("one")
	var open []*reader
	for range 20 {
		open = append(open, c.stream("/bot/v1/session/"+id+"/stream"))
	}
	start := time.Now()
	c.shutdown()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("shutting down took %v", took)
	}
	for _, s := range open {
		b, err := io.ReadAll(s.res.Body)
		if err != nil || !strings.HasSuffix(string(b), "\n") {
			t.Errorf("a stream ended with %v after %q", err, b)
		}
	}
}

// "Open streams per principal 1,000 (`local`: 10,000): 429", with Retry-After.
func TestStream_Limit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(func(o *Options) { o.BearerToken, o.Limits.StreamsPerCaller = "0123456789abcdef", 2 })
	auth := []string{"Authorization", "Bearer 0123456789abcdef"}
	a := c.do("POST", "/bot/v1/session", `{"message":"x"}`, append(auth, "Accept", ndjson)...)
	path := "/bot/v1/session/" + a.header.Get("bdk-session-id") + "/stream"
	one, two := c.stream(path, auth...), c.stream(path, auth...)
	defer two.close()
	full := c.do("GET", path, "", auth...)
	full.want(t, 429, "too_many_streams")
	if full.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	c.do("POST", "/bot/v1/session", `{"message":"x"}`, append(auth, "Accept", ndjson)...).want(t, 429, "too_many_streams")
	one.close()
	deadline := time.Now().Add(patience)
	for c.do("GET", path+"?follow=false", "", auth...).status != http.StatusOK {
		if time.Now().After(deadline) {
			t.Fatal("a closed stream was not given back")
		}
	}
	if got := newStreams(2); got.perCaller*localFactor != 20 {
		t.Error("the local principal may hold 10 times as many")
	}
}

func TestStreams_LocalHoldsMore(t *testing.T) {
	t.Parallel()
	s := newStreams(1)
	var held []*slot
	for range 10 {
		sl, err := s.take(context.Background(), localPrincipal)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, sl)
	}
	if _, err := s.take(context.Background(), localPrincipal); err == nil {
		t.Error("the eleventh was given")
	}
	s.close()
	for _, sl := range held {
		if sl.ctx.Err() == nil {
			t.Error("close ends what is open")
		}
		sl.release()
	}
	if _, err := s.take(context.Background(), localPrincipal); err == nil || len(s.counts) != 0 {
		t.Error("a closed registry gave a slot")
	}
}

// A deep fold must agree with the shallow one that starts at the last rest.
func TestRestBefore_AgreesWithAWholeFold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, token := c.started("/call echo {}")
	for range 4 {
		a := c.do("POST", "/bot/v1/session/"+id, encode(map[string]string{"continuationToken": token, "message": "/call merge {}\n/call echo {}"}), "Accept", ndjson)
		token = a.header.Get("bdk-continuation-token")
	}
	head, _ := w.journal.Head(id)
	lines, err := w.journal.Read(id, 0, head)
	if err != nil {
		t.Fatal(err)
	}
	var whole rest
	for i, l := range append(lines, journal.Line{}) {
		short, err := restBefore(w.journal, id, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if short.reached() != whole.reached() || short.turn != whole.turn {
			t.Fatalf("before %d: %+v, want %+v", i, short, whole)
		}
		whole.apply(l.Data)
	}
	if !whole.reached() {
		t.Error("it ends parked")
	}
}

// Lines of a mebibyte, as large tool outputs make them, are read back one by one.
func TestBack_LongLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("x")
	want := []string{}
	rename := func(size int) {
		title := fmt.Sprint(len(want)) + strings.Repeat("y", size)
		if _, err := w.host.Rename(t.Context(), id, title); err != nil {
			t.Fatal(err)
		}
		want = append(want, title)
	}
	for i := range 100 {
		rename(i % 7)
		if i%20 < 3 {
			rename(1 << 20)
		}
	}
	head, err := w.journal.Head(id)
	if err != nil {
		t.Fatal(err)
	}
	at := head
	for l, err := range back(w.journal, id, head) {
		if err != nil {
			t.Fatal(err)
		}
		e, err := events.Decode(l.Data)
		if at--; err != nil || e.Index != at {
			t.Fatalf("at %d came %d, %v", at, e.Index, err)
		}
		if n := len(want) - int(head-at); n >= 0 && e.Data.(*events.SessionUpdated).Title != want[n] {
			t.Fatalf("at %d came another title", at)
		}
	}
	if at != 0 {
		t.Errorf("it ends at %d", at)
	}
	short, err := restBefore(w.journal, id, head)
	if err != nil || !short.idle {
		t.Errorf("%+v, %v", short, err)
	}
}
