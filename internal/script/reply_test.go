package script

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// The end of a stream is told as its end, though the body and its call end with it.
func TestReply_EndsWithItsLastWord(t *testing.T) {
	t.Parallel()
	v := &vm{queue: newQueue(), handles: newHandles(), ended: make(chan struct{})}
	for range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		l := &lasting{cancel: cancel, end: cancel}
		l.holders.Store(1)
		b := &replyBody{v: v, call: &call{ctx: ctx, lasting: l}, chunks: make(chan replyChunk, 1), closed: make(chan struct{})}
		b.give(replyChunk{err: io.EOF})
		if c := b.asked(); !errors.Is(c.err, io.EOF) || ctx.Err() == nil {
			t.Fatalf("%v, context %v", c.err, ctx.Err())
		}
	}
}

// A stream that nobody can read, since the caller has gone or what it gives is no body's,
// is told so.
func TestReply_CancelsWhatNobodyReads(t *testing.T) {
	t.Parallel()
	p := routes(t, `
const stream = (pull) => new Response(new ReadableStream({ pull, cancel: (e) => console.log("cancelled: " + e.message) }, { highWaterMark: 0 }));
export default defineChannel({ routes: [
  POST("/", () => stream((c) => c.enqueue("no bytes"))),
  POST("/late", (request) => new Promise((done) => {
    console.log("waits");
    request.signal.addEventListener("abort", () => setTimeout(() => done(stream(() => {})), 600));
  })),
] });`)
	r, err := p.route(0, Incoming{})
	if got := text(t, r, err); !strings.Contains(got, "must be Uint8Arrays") {
		t.Error(got)
	}
	eventually(t, func() bool { return strings.Contains(p.log.String(), "cancelled: the chunks of a body") })
	ctx, gone := context.WithCancel(context.Background())
	go func() {
		eventually(t, func() bool { return strings.Contains(p.log.String(), "waits") })
		gone()
	}()
	c := &agent.Call{Request: &agent.Request{Method: "POST", URL: "http://a/"}}
	if _, err := p.rt.CallRoute(ctx, "slots/web", 1, Incoming{Query: json.RawMessage(`{}`)}, c); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	eventually(t, func() bool { return strings.Count(p.log.String(), "cancelled: ") == 2 })
}

// What is given to waitUntil with a then that throws has ended.
func TestLasting_ThenThatThrows(t *testing.T) {
	t.Parallel()
	p := routes(t, `export default defineChannel({ routes: [POST("/", (_r, { waitUntil }) => { waitUntil({ then() { throw new Error("no then") } }); return new Response("ok") })] });`)
	ended := make(chan struct{})
	r, err := p.route(0, Incoming{}, func(c *agent.Call) {
		c.WaitUntil = func(work func(context.Context)) {
			go func() { defer close(ended); work(context.Background()) }()
		}
	})
	if got := text(t, r, err); got != "200 ok" {
		t.Fatal(got)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the work goes on")
	}
	if !strings.Contains(p.log.String(), "no then") {
		t.Error(p.log)
	}
}
