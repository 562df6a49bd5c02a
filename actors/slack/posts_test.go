package slack_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/slack"
)

// serve runs what the channel does beside the requests, until the test calls stop.
func (r *rig) serve() (stop func()) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	var work sync.WaitGroup
	call := r.call(nil)
	call.WaitUntil = func(f func(context.Context)) { work.Go(func() { f(ctx) }) }
	if err := r.channel.OnStart(ctx, call); err != nil {
		r.t.Fatal(err)
	}
	return func() { cancel(); work.Wait() }
}

func debounced(o *slack.Options) {
	watch("C1")(o)
	o.Engagement.ChannelPosts.Debounce = 5 * time.Second
}

func post(r *rig, id, ts, text string) {
	r.t.Helper()
	r.receive(asJSON, message(id, "message", "C1", ts, text, nil))
}

// "watched posts (debounced into one turn)".
func TestPosts_Debounced(t *testing.T) {
	t.Parallel()
	r := newRig(t, debounced)
	r.clock.still = true
	defer r.serve()()
	post(r, "E1", "1.1", "one")
	<-r.clock.armed
	r.clock.turn(4 * time.Second)
	post(r, "E2", "1.2", "two")
	<-r.clock.armed
	post(r, "E2", "1.2", "two") // again after a crash
	if len(r.sends) != 0 {
		t.Fatal("a post is sent before others had their time")
	}
	r.clock.turn(6 * time.Second)
	<-r.sent
	post(r, "E1", "1.1", "one") // again, after it was sent
	if len(r.sends) != 1 || strings.Count(r.sends[0].text, "one") != 1 || strings.Count(r.sends[0].text, "two") != 1 {
		t.Fatalf("the messages are %+v", r.sends)
	}
	if o := r.sends[0].o; o.ContinuationToken != "T1:C1:1.1" || o.DeliveryID != "slack:T1:C1:1.1" || o.Auth.ID != "UANN" || o.Title != "one" {
		t.Errorf("it goes to %+v", o)
	}
}

// A crash loses no post that is held, and sends none of them otherwise than before.
func TestPosts_Crash(t *testing.T) {
	t.Parallel()
	r := newRig(t, debounced)
	r.clock.still = true
	stop := r.serve()
	post(r, "E1", "1.1", "one")
	<-r.clock.armed
	stop()
	r.clock.turn(time.Hour)
	r.again()
	stop = r.serve()
	<-r.sent
	stop()
	if len(r.sends) != 1 || !strings.Contains(r.sends[0].text, "one") {
		t.Errorf("the next life sent %+v", r.sends)
	}
}

// Posts that never pause are not held for ever.
func TestPosts_NoPause(t *testing.T) {
	t.Parallel()
	r := newRig(t, debounced)
	r.clock.still = true
	for i := range 30 {
		post(r, string(rune('A'+i)), "1."+strings.Repeat("1", i%9+1), "post")
		r.clock.turn(4 * time.Second)
	}
	defer r.serve()()
	<-r.sent
}
