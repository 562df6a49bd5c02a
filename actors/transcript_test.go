package actors

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/near"
)

// tell folds events into a transcript and gives it in short.
func tell(t *testing.T, turn string, payloads ...any) string {
	t.Helper()
	talk := newTranscript(0)
	for i, p := range payloads {
		if name, ok := p.(string); ok {
			turn = name
			continue
		}
		e := events.New(turn, time.Unix(0, 0), p.(events.Payload))
		e.Index = uint64(i)
		talk.apply(&e)
	}
	var b strings.Builder
	for _, m := range talk.messages {
		fmt.Fprintf(&b, "%s %s", m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " %s%s", c.Name, c.Args)
		}
		if m.Role == model.RoleTool {
			fmt.Fprintf(&b, "%s=%s", m.CallID, m.Output)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func asked(ids ...string) *events.ActionsRequested {
	d := &events.ActionsRequested{}
	for _, id := range ids {
		d.Calls = append(d.Calls, events.Call{CallID: id, ToolName: "look", Args: json.RawMessage(`{}`)})
	}
	return d
}

func result(id, out string) *events.ActionResult {
	return &events.ActionResult{CallID: id, Output: json.RawMessage(out)}
}

// "Results keep the calls' order in the next model request."
func TestTranscript_ResultsKeepTheCallsOrder(t *testing.T) {
	t.Parallel()
	got := tell(t, "t1", &events.MessageReceived{Text: "hi"}, &events.TurnStarted{}, &events.MessageCompleted{Text: "Looking."},
		&events.StepCompleted{}, asked("c1", "c2"), result("c2", "2"), result("c1", "1"))
	want := "user hi\nassistant Looking. look{} look{}\ntool c1=1\ntool c2=2\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// "Finished steps stay in the model's context, unfinished text does not; a note says
// that the user interrupted." A message that waits enters when its turn starts.
func TestTranscript_InterruptAndQueue(t *testing.T) {
	t.Parallel()
	got := tell(t, "t1", &events.MessageReceived{Text: "first"}, &events.TurnStarted{},
		"t2", &events.MessageReceived{Text: "queued"},
		"t1", &events.MessageCompleted{Text: "Step one."}, &events.StepCompleted{}, asked("c1"),
		result("c1", `"cancelled"`), &events.MessageAppended{Text: "unfinished"}, &events.TurnFailed{Status: events.StatusCancelled},
		"t2", &events.TurnStarted{}, &events.MessageCompleted{Text: "Second."})
	want := "user first\nassistant Step one. look{}\ntool c1=\"cancelled\"\nuser " + interruptedNote + "\nuser queued\nassistant Second.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A direct call "never enters the model's context"; the provider's own blocks do.
func TestTranscript_DirectCallsAndProviderBlocks(t *testing.T) {
	t.Parallel()
	talk := newTranscript(0)
	blocks := &events.Provider{Name: "p", Blocks: []json.RawMessage{json.RawMessage(`{"signed":"yes"}`)}}
	for i, e := range []events.Event{
		events.New("", time.Time{}, asked("tool_look_1")), events.New("", time.Time{}, result("tool_look_1", "1")),
		events.New("t1", time.Time{}, &events.MessageReceived{Text: "hi"}), events.New("t1", time.Time{}, &events.TurnStarted{}),
		events.New("t1", time.Time{}, &events.MessageCompleted{Text: "Hello."}), events.New("t1", time.Time{}, &events.StepCompleted{Provider: blocks}),
	} {
		e.Index = uint64(i)
		talk.apply(&e)
	}
	if len(talk.messages) != 2 || talk.messages[1].Provider != blocks || talk.next != 6 {
		t.Errorf("the transcript is %+v up to %d", talk.messages, talk.next)
	}
}

// "anything that is not an object … gives an error result with the path and the
// reason (preview of 1 KiB at most)"; C40, C41, C43.
func TestParseArgs(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "  ", "{}", `{"a":1}`, `{"n":12345678901234567890}`} {
		if got, err := parseArgs(text); err != nil || !json.Valid(got) {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"null", "5", `"x"`, "[]", `{"path": "a"`, `{'a':1}`, `{"a":1,}`, "\xff", strings.Repeat("🙂", 1<<19)} {
		_, err := parseArgs(text)
		if err == nil || len(err.Error()) > previewBytes+300 || !json.Valid(jsonString(err.Error())) {
			t.Errorf("%.20q: %.200v", text, err)
		}
	}
}

// "Unknown tool: an error result that names near matches."
func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"inspect_pr", "list_prs", "merge_pr"}
	for name, want := range map[string]string{"inspect": "inspect_pr", "list_pr": "list_prs", "Merge_PR": "merge_pr", "weather": "", "": "", "__proto__": ""} {
		if got := strings.Join(near.Names(name, names), ","); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
