package github_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/github"
	"github.com/gobdk/bdk/events"
)

const pullToken = "pr:octo/shop#7"

// "Replies become comments": the last text of the turn, and nothing of before.
func TestDeliver_Reply(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for i := range 3 {
		if err := r.turn(pullToken, fmt.Sprint("turn_", i), fmt.Sprintf("Looks fine, %d.", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.turn("issue:octo/shop#8", "turn_8", "An issue."); err != nil {
		t.Fatal(err)
	}
	got := r.api.Comments("octo/shop", 7)
	if len(got) != 3 || !strings.HasPrefix(got[2].Body, "Looks fine, 2.\n\n<!-- bdk:reply ") || strings.Contains(got[2].Body, "ses_1") {
		t.Errorf("the comments are %+v", got)
	}
	if got := r.api.Comments("octo/shop", 8); len(got) != 1 {
		t.Errorf("the comments of the issue are %+v", got)
	}
	if err := r.turn("somewhere else", "turn_9", "Elsewhere."); err != nil {
		t.Errorf("a conversation that is not on GitHub gives %v", err)
	}
}

// A turn of many events is read back to its beginning.
func TestDeliver_LongTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.happen("turn_0", &events.TurnStarted{})
	r.happen("turn_0", &events.MessageCompleted{Text: "Old.", FinishReason: events.FinishStop})
	r.happen("turn_1", &events.TurnStarted{})
	r.happen("turn_1", &events.MessageCompleted{Text: "The reply.", FinishReason: events.FinishStop})
	for range 500 {
		r.happen("turn_1", &events.ChannelUpdated{})
	}
	if err := r.deliver(r.happen("turn_1", &events.TurnCompleted{}), pullToken); err != nil {
		t.Fatal(err)
	}
	if got := r.api.Comments("octo/shop", 7); len(got) != 1 || !strings.HasPrefix(got[0].Body, "The reply.") {
		t.Errorf("the comments are %+v", got)
	}
}

// "Outbound channel sends after a crash: at-least-once with a stable dedupe id": a reply
// whose answer was lost is found again by its mark, and not posted twice.
func TestDeliver_Once(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.happen("turn_1", &events.TurnStarted{})
	r.happen("turn_1", &events.MessageCompleted{Text: strings.Repeat("A paragraph of the reply.\n\n", 5000), FinishReason: events.FinishStop})
	end := r.happen("turn_1", &events.TurnCompleted{})
	r.api.Fault("POST", "/repos/octo/shop/issues/7/comments", fails(500, "", "", "not made"))
	if err := r.deliver(end, pullToken); err == nil || len(r.api.Comments("octo/shop", 7)) != 0 {
		t.Fatalf("a comment that was refused gives %v", err)
	}
	r.api.FaultAfter("POST", "/repos/octo/shop/issues/7/comments")
	if err := r.deliver(end, pullToken); err == nil || len(r.api.Comments("octo/shop", 7)) != 1 {
		t.Fatalf("a comment whose answer was lost gives %v", err)
	}
	for range 2 { // a retry, and one more after a restart
		if err := r.deliver(end, pullToken); err != nil {
			t.Fatal(err)
		}
	}
	got := r.api.Comments("octo/shop", 7)
	if len(got) != 3 {
		t.Fatalf("there are %d comments, want 3", len(got))
	}
	all := 0
	for _, c := range got {
		all += strings.Count(c.Body, "A paragraph of the reply.")
	}
	if all != 5000 {
		t.Errorf("the comments have %d paragraphs, want 5000", all)
	}
}

// "a failure a short comment with an error id", without details, which the log has.
func TestDeliver_Failure(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	if err := r.deliver(r.happen("turn_1", &events.TurnFailed{Message: "the key sk-canary was refused", Code: events.FailModel, Status: events.StatusError}), pullToken); err != nil {
		t.Fatal(err)
	}
	got := r.api.Comments("octo/shop", 7)
	if len(got) != 1 || strings.Contains(got[0].Body, "canary") {
		t.Fatalf("the comments are %+v", got)
	}
	_, rest, _ := strings.Cut(got[0].Body, "Error id: `")
	id, _, _ := strings.Cut(rest, "`")
	if len(id) != 16 || !strings.Contains(r.log.String(), `"errorId":"`+id+`"`) || !strings.Contains(r.log.String(), "was refused") {
		t.Errorf("the comment is %q, the log %s", got[0].Body, r.log)
	}
	for _, code := range []string{events.FailStopped, events.FailInterrupted} {
		if err := r.deliver(r.happen("turn_2", &events.TurnFailed{Status: events.StatusCancelled, Code: code}), pullToken); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.api.Comments("octo/shop", 7); len(got) != 1 {
		t.Errorf("a turn that was stopped is a failure: %+v", got)
	}
}

// "deliverReplies:false posts nothing", and so does a client that is nobody.
func TestDeliver_Nothing(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*github.Options){
		"deliverReplies: false": func(o *github.Options) { o.NoReplies = true },
		"no token":              func(o *github.Options) { o.Client = nil },
	} {
		if r := newRig(t, change); len(r.channel.On) != 0 {
			t.Errorf("%s: it delivers %v", name, r.channel.On)
		}
	}
}

// "progress: a commit status, one sticky banner comment that is edited".
func TestDeliver_Progress(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *github.Options) {
		o.NoReplies, o.Progress = true, github.Progress{CommitStatus: true, Banner: true}
	})
	addPull(r)
	if err := r.turn(pullToken, "turn_1", "Fine."); err != nil {
		t.Fatal(err)
	}
	if err := r.deliver(r.happen("turn_2", &events.TurnStarted{}), pullToken); err != nil {
		t.Fatal(err)
	}
	if got := r.api.Comments("octo/shop", 7); len(got) != 1 || !strings.HasPrefix(got[0].Body, "⏳ **Shop reviewer** is working on this.") {
		t.Errorf("the banner is %+v", got)
	}
	if err := r.deliver(r.happen("turn_2", &events.TurnFailed{Code: events.FailModel}), pullToken); err != nil {
		t.Fatal(err)
	}
	if got := r.api.Comments("octo/shop", 7); len(got) != 1 || !strings.HasPrefix(got[0].Body, "❌ **Shop reviewer** could not finish (error ") {
		t.Errorf("the banner is %+v", got)
	}
	var states []string
	for _, q := range r.api.Requests("POST", "/repos/octo/shop/statuses/h1") {
		var body struct{ State, Context string }
		if err := json.Unmarshal([]byte(q.Body), &body); err != nil || body.Context != "bdk/Shop reviewer" {
			t.Errorf("a status is %s", q.Body)
		}
		states = append(states, body.State)
	}
	if fmt.Sprint(states) != "[pending success pending failure]" {
		t.Errorf("the statuses are %v", states)
	}
}

// A banner whose id was lost in a crash is found by its mark; one that somebody deleted
// is made again.
func TestDeliver_BannerAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *github.Options) { o.NoReplies, o.Progress = true, github.Progress{Banner: true} })
	start := r.happen("turn_1", &events.TurnStarted{})
	for range 2 {
		if err := r.deliver(start, pullToken); err != nil {
			t.Fatal(err)
		}
		r.state = nil
	}
	if got := r.api.Comments("octo/shop", 7); len(got) != 1 {
		t.Errorf("there are banners %+v", got)
	}
	r.state = json.RawMessage(`{"bannerId":5}`)
	if err := r.deliver(start, pullToken); err != nil || len(r.api.Comments("octo/shop", 7)) != 2 {
		t.Errorf("a banner that is gone gives %v, %+v", err, r.api.Comments("octo/shop", 7))
	}
	if !strings.Contains(string(r.state), `"bannerId":100`) {
		t.Errorf("the state is %s", r.state)
	}
}

// The reply reaches a thread that only a handler's event is from, too.
func TestDeliver_AfterWake(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *github.Options) {
		o.OnIssue = func(context.Context, *github.Delivery, github.Issue) (*github.Wake, error) {
			return &github.Wake{}, nil
		}
	})
	sent := r.receive("issues", "d1", `{"action":"opened",`+repository+`,"sender":{"login":"alice"},"issue":{"number":9,"title":"Broken","html_url":"https://github.com/octo/shop/issues/9","user":{"login":"alice"}}}`)
	if len(sent) != 1 || sent[0].o.ContinuationToken != "issue:octo/shop#9" || sent[0].o.Title != "octo/shop#9: Broken" || len(sent[0].o.Files) != 0 {
		t.Fatalf("the message is %+v", sent)
	}
	if err := r.turn(sent[0].o.ContinuationToken, "turn_1", "I see."); err != nil {
		t.Fatal(err)
	}
	if got := r.api.Comments("octo/shop", 9); len(got) != 1 {
		t.Errorf("the comments are %+v", got)
	}
}
