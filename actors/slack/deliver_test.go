package slack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/slack"
	"github.com/gobdk/bdk/events"
)

// "final reply as message in thread": the last text of the turn, and nothing of before.
func TestDeliver_Reply(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for i := range 2 {
		r.turn(fmt.Sprint("turn_", i), fmt.Sprintf("Looks **fine**, %d. <!channel>", i))
	}
	got := r.api.Messages("C1")
	if len(got) != 2 || got[1].Text != "Looks *fine*, 1. &lt;!channel&gt;" || got[1].Thread != "1700000000.000100" || strings.Contains(string(got[1].Metadata), "ses_1") {
		t.Errorf("the messages are %+v", got)
	}
	if asked := r.api.Requests("chat.postMessage")[0].Form; asked.Get("unfurl_links") != "false" || asked.Get("unfurl_media") != "false" {
		t.Errorf("links of the model are fetched for a preview: %v", asked)
	}
	if n := len(r.api.Requests("conversations.replies")); n != 0 {
		t.Errorf("%d times it looked for what cannot be there", n)
	}
	r.token = "elsewhere"
	r.turn("turn_9", "Elsewhere.")
	if len(r.api.Messages("")) != 2 {
		t.Error("a conversation that is not on Slack is posted")
	}
}

// "Outbound channel sends after a crash: at-least-once with a stable dedupe id": a reply
// whose answer was lost is found again, also by the next life of the host.
func TestDeliver_Once(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{slack.ModePost, slack.ModeStream} {
		r := newRig(t, func(o *slack.Options) { o.Reply.Mode = mode })
		r.happen("turn_1", &events.TurnStarted{})
		r.happen("turn_1", &events.MessageCompleted{Text: strings.Repeat("A paragraph of the reply.\n\n", 300), FinishReason: events.FinishStop})
		end := r.happen("turn_1", &events.TurnCompleted{})
		r.api.Refuse("chat.postMessage", "channel_is_archived")
		if err := r.deliver(end); err == nil || len(r.api.Messages("C1")) != 0 {
			t.Fatalf("a message that was refused gives %v", err)
		}
		r.api.FaultAfter("chat.postMessage")
		if err := r.deliver(end); err == nil || len(r.api.Messages("C1")) != 1 {
			t.Fatalf("a message whose answer was lost gives %v", err)
		}
		if err := r.deliver(end); err != nil {
			t.Fatal(err)
		}
		r.clock.turn(time.Second)
		r.again() // a restart between posting and its mark
		if err := r.deliver(end); err != nil {
			t.Fatal(err)
		}
		all := 0
		got := r.api.Messages("C1")
		for _, m := range got {
			all += strings.Count(m.Text, "A paragraph of the reply.")
		}
		if len(got) != 3 || all != 300 {
			t.Errorf("%s: %d messages have %d paragraphs, want 3 and 300", mode, len(got), all)
		}
	}
}

// What Slack does not let the bot look for is posted all the same; a silent Slack is asked later.
func TestDeliver_CannotLook(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.happen("turn_1", &events.MessageCompleted{Text: "Hi.", FinishReason: events.FinishStop})
	end := r.happen("turn_1", &events.TurnCompleted{})
	r.clock.turn(time.Second)
	r.again()
	r.api.Refuse("conversations.replies", "missing_scope")
	if err := r.deliver(end); err != nil || len(r.api.Messages("C1")) != 1 || !strings.Contains(r.log.String(), "may be posted twice") {
		t.Errorf("without the scope it gives %v, %+v", err, r.api.Messages("C1"))
	}
	for range 4 {
		r.api.Fault("conversations.replies", down)
	}
	if err := r.deliver(end); err == nil || len(r.api.Messages("C1")) != 1 {
		t.Errorf("a Slack that is away gives %v", err)
	}
}

// "Failures: short message with an error id", without details, which the log has.
func TestDeliver_Failure(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.tell("turn_1", &events.TurnFailed{Message: "the key sk-canary was refused", Code: events.FailModel, Status: events.StatusError})
	got := r.api.Messages("C1")
	if len(got) != 1 || strings.Contains(got[0].Text, "canary") {
		t.Fatalf("the messages are %+v", got)
	}
	_, rest, _ := strings.Cut(got[0].Text, "Error id: `")
	id, _, _ := strings.Cut(rest, "`")
	if len(id) != 16 || !strings.Contains(r.log.String(), `"errorId":"`+id+`"`) || !strings.Contains(r.log.String(), "was refused") {
		t.Errorf("the message is %q, the log %s", got[0].Text, r.log)
	}
	r.tell("turn_2", &events.TurnFailed{Status: events.StatusCancelled, Code: events.FailStopped})
	if got := r.api.Messages("C1"); len(got) != 1 {
		t.Errorf("a turn that was stopped is a failure: %+v", got)
	}
}

// "manual (nothing)"; and with a status.
func TestDeliver_Manual(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *slack.Options) { o.Reply.Mode = slack.ModeManual })
	if len(r.channel.On) != 0 {
		t.Errorf("it delivers %v", r.channel.On)
	}
	r = newRig(t, func(o *slack.Options) { o.Reply = slack.Reply{Mode: slack.ModeManual} })
	r.tell("turn_1", &events.StepStarted{})
	r.turn("turn_1", "Hi.")
	r.tell("turn_2", &events.TurnFailed{Status: events.StatusError})
	if got := r.api.Messages(""); len(got) != 0 {
		t.Errorf("it posts %+v", got)
	}
	if got := statuses(r); got != "is thinking…||" && got != "is thinking…|" {
		t.Errorf("the statuses are %q", got)
	}
}

func statuses(r *rig) string {
	var list []string
	for _, q := range r.api.Requests("assistant.threads.setStatus") {
		list = append(list, q.Form.Get("status"))
	}
	return strings.Join(list, "|")
}

// "Status: assistant.threads.setStatus with reasoning/tools/idle texts": it is a nicety.
func TestDeliver_Status(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *slack.Options) {
		o.Reply.Status = slack.Status{Reasoning: "ponders", Tools: map[string]string{"dig": "digs", "*": "uses {tool}"}, Idle: []string{"Hm", "Well"}}
	})
	r.api.Refuse("assistant.threads.setStatus", "not_allowed_token_type")
	r.tell("turn_1", &events.StepStarted{Step: 1})
	r.tell("turn_1", &events.ActionsRequested{Calls: []events.Call{{ToolName: "dig"}}})
	r.tell("turn_1", &events.StepStarted{Step: 2})
	r.tell("turn_1", &events.ActionsRequested{Calls: []events.Call{{ToolName: "call"}, {ToolName: "dig"}}})
	r.tell("turn_1", &events.ActionsRequested{ParentCallID: "c", Calls: []events.Call{{ToolName: "dig"}}})
	r.tell("turn_1", &events.StepStarted{Step: 3})
	r.tell("turn_1", &events.StepStarted{Step: 3, Attempt: 2})
	r.turn("turn_1", "Done.")
	r.tell("turn_2", &events.StepStarted{Step: 1})
	if got := statuses(r); got != "ponders|digs|ponders|uses call|ponders|ponders" {
		t.Errorf("the statuses are %q", got)
	}
	first := r.api.Requests("assistant.threads.setStatus")[0].Form
	if first.Get("channel_id") != "C1" || first.Get("thread_ts") != "1700000000.000100" || first.Get("loading_messages") != `["Hm","Well"]` {
		t.Errorf("it asked %v", first)
	}
}

// "stream: … post + chat.update as text grows, throttled"; what a try before said is void.
func TestDeliver_Stream(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *slack.Options) { o.Reply.Mode = slack.ModeStream })
	r.tell("turn_1", &events.TurnStarted{})
	r.tell("turn_1", &events.StepStarted{Step: 1})
	r.happen("turn_1", &events.MessageAppended{Text: "Wrong"})
	r.tell("turn_1", &events.StepStarted{Step: 1, Attempt: 2})
	r.tell("turn_1", &events.MessageAppended{Text: "It"})
	if got := r.api.Messages("C1"); len(got) != 1 || got[0].Text != "It" {
		t.Fatalf("it begins with %+v", got)
	}
	for range 20 {
		r.tell("turn_1", &events.MessageAppended{Text: " grows"})
	}
	if n := len(r.api.Requests("chat.update")); n != 0 {
		t.Errorf("%d edits within one moment", n)
	}
	r.clock.turn(time.Second)
	r.tell("turn_1", &events.MessageAppended{Text: "!"})
	if got := r.api.Messages("C1"); len(got) != 1 || got[0].Text != "It"+strings.Repeat(" grows", 20)+"!" {
		t.Errorf("it grew to %+v", got)
	}
	r.turn("turn_1", "It grew.")
	if got := r.api.Messages("C1"); len(got) != 1 || got[0].Text != "It grew." {
		t.Errorf("it ends as %+v", got)
	}
	r.tell("turn_2", &events.StepStarted{Step: 1})
	r.clock.turn(time.Second)
	r.tell("turn_2", &events.MessageAppended{Text: "Next"})
	r.api.Delete("C1", r.api.Messages("C1")[1].TS) // somebody takes it away
	r.turn("turn_2", "Next, whole.")
	if got := r.api.Messages("C1"); len(got) != 2 || got[1].Text != "Next, whole." {
		t.Errorf("after it was deleted there is %+v", got)
	}
}

// A message of a schedule to a channel begins a thread, whose replies reach the same session.
func TestDeliver_BeginsThread(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	o, err := r.channel.Target(json.RawMessage(`{"channelId":"C7"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.token, r.state = "", o.State
	r.turn("turn_1", "The news of today.")
	got := r.api.Messages("C7")
	if len(got) != 1 || got[0].Thread != "" || r.token != "T1:C7:"+got[0].TS {
		t.Errorf("it posted %+v, and is called %q", got, r.token)
	}
	r.turn("turn_2", "More.")
	if got := r.api.Messages("C7"); len(got) != 2 || got[1].Thread != got[0].TS {
		t.Errorf("the second reply is %+v", got)
	}
}
