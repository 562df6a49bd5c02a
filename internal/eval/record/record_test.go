package record

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/redact"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// A tale is a log that a test writes; its payloads are JSON.
type tale struct {
	t     testing.TB
	lines [][]byte
	turn  string
	step  map[string]int
}

const sessionID = "ses_01J00000000000000000000000"

func newTale(t testing.TB, start string) *tale {
	l := &tale{t: t, step: map[string]int{}}
	return l.add("session.started", `{"agent":"shop","channelId":"slack","mode":"chat","purpose":"live","principal":{"kind":"user","id":"U07"}`+start+`}`)
}

func (l *tale) add(kind, data string) *tale {
	l.t.Helper()
	line := fmt.Sprintf(`{"type":%q,"index":%d,"sessionId":%q`, kind, len(l.lines), sessionID)
	if l.turn != "" {
		line += fmt.Sprintf(`,"turnId":%q`, l.turn)
	}
	line += fmt.Sprintf(`,"at":%q,"data":%s}`, time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), data)
	if _, err := events.Decode([]byte(line)); err != nil {
		l.t.Fatalf("%s: %v", line, err)
	}
	l.lines = append(l.lines, []byte(line))
	return l
}

// ask begins a turn.
func (l *tale) ask(message string) *tale {
	l.turn = fmt.Sprintf("turn_%d", len(l.lines))
	clear(l.step)
	l.add("message.received", `{"text":`+text(message)+`,"from":"user","deliveryId":"d-1"}`)
	return l.add("turn.started", `{"model":"m"}`)
}

// say is a whole step of a line of work; calls are those that it asks for.
func (l *tale) say(parent, message string, calls ...string) *tale {
	l.step[parent]++
	up := `,"parentCallId":` + text(parent)
	if parent == "" {
		up = ""
	}
	l.add("step.started", fmt.Sprintf(`{"step":%d,"attempt":1%s}`, l.step[parent], up))
	l.add("message.appended", `{"text":`+text(message)+up+`}`)
	l.add("message.completed", `{"text":`+text(message)+`,"finishReason":"stop"`+up+`}`)
	l.add("step.completed", fmt.Sprintf(`{"step":%d,"attempt":1,"finishReason":"stop","provider":{"name":"p","model":"m","blocks":[{"signature":"x"}]}%s}`, l.step[parent], up))
	if len(calls) > 0 {
		l.add("actions.requested", `{"calls":[`+strings.Join(calls, ",")+`]`+up+`}`)
	}
	return l
}

func toolCall(id, tool, effect, args string) string {
	return fmt.Sprintf(`{"callId":%q,"toolName":%q,"effect":%q,"args":%s}`, id, tool, effect, args)
}

func (l *tale) gave(id, output string) *tale {
	return l.add("action.result", fmt.Sprintf(`{"callId":%q,"toolName":"t","output":%s,"isError":false}`, id, output))
}

func (l *tale) failed(id, code, message string) *tale {
	return l.add("action.result", fmt.Sprintf(`{"callId":%q,"toolName":"t","output":%q,"isError":true,"code":%q}`, id, message, code))
}

func (l *tale) asks(id, tool string) *tale {
	return l.add("input.requested", fmt.Sprintf(`{"requestId":"req_%s","kind":"approval","callId":%q,"toolName":%q}`, id, id, tool))
}

func (l *tale) decided(id, decision, reason string) *tale {
	return l.add("input.resolved", fmt.Sprintf(`{"requestId":"req_%s","callId":%q,"decision":%q,"reason":%q,"by":{"kind":"user","id":"U07"}}`, id, id, decision, reason))
}

func (l *tale) done() *tale { return l.add("turn.completed", `{"usage":{"inputTokens":1}}`) }

func (l *tale) fails(status, code string) *tale {
	return l.add("turn.failed", fmt.Sprintf(`{"status":%q,"code":%q,"message":"it failed"}`, status, code))
}

func options() *Options {
	return &Options{Agent: "shop", Stubs: StubWrites, Redactor: redact.New("hunter2-and-more")}
}

// record is what becomes of a log.
func (l *tale) record(o *Options) *Files {
	l.t.Helper()
	f, err := Session(l.lines, o)
	if err != nil {
		l.t.Fatal(err)
	}
	return f
}

// golden holds a source against a file of testdata.
func golden(t *testing.T, name string, f *Files) {
	t.Helper()
	got := string(f.Source)
	if len(f.Notes) > 0 {
		got += "// NOTES\n// " + strings.Join(f.Notes, "\n// ") + "\n"
	}
	file := filepath.Join("testdata", name+".golden")
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

// tales are logs by the names of their golden files.
var tales = map[string]func(l *tale){
	"plain": func(l *tale) { l.ask("Hello,\n\"you\"").say("", "Hello yourself.\nAnd more.").done() },
	"calls": func(l *tale) {
		l.ask("do it").say("", "", toolCall("c1", "look", "read", `{"q":"a","deep":{"n":1.50}}`), toolCall("c2", "look", "read", `{"q":"a","deep":{"n":1.5},"more":true}`))
		l.gave("c1", `1`).gave("c2", `2`)
		l.say("", "", toolCall("c3", "pay", "write", `{"to":"x"}`), toolCall("c4", "pay", "write", `{"to":"y"}`)).gave("c3", `{"ok":1}`).failed("c4", "tool_error", "card declined")
		l.say("", "", toolCall("c5", "nosuch", "", `{}`)).failed("c5", "unknown_tool", "no tool is called so").say("", "Done.").done()
		l.ask("again").say("", "", toolCall("c6", "pay", "write", `{"to":"z"}`)).gave("c6", `{"ok":3}`).say("", "Paid.").done()
	},
	"approvals": func(l *tale) {
		l.ask("pay both").say("", "", toolCall("c1", "pay", "write", `{"to":"x"}`), toolCall("c2", "pay", "write", `{"to":"y"}`)).asks("c1", "pay").asks("c2", "pay")
		l.decided("c2", "deny", "not y").failed("c2", "denied", "denied").decided("c1", "approve", "").gave("c1", `"paid"`).say("", "One.").done()
		l.ask("drop").say("", "", toolCall("c3", "drop", "write", `{}`)).asks("c3", "drop").decided("c3", "expired", "").failed("c3", "expired", "expired").say("", "No.").done()
		l.ask("wipe").say("", "", toolCall("c4", "wipe", "write", `{"all":true}`)).asks("c4", "wipe")
	},
	"subagents": func(l *tale) {
		l.ask("ask them").say("", "", toolCall("t1", "task", "", `{"subagent":"a","prompt":"p"}`), toolCall("t2", "task", "", `{"subagent":"a","prompt":"p"}`), toolCall("t3", "task", "", `{"subagent":"b","prompt":"p"}`))
		for _, id := range []string{"t1", "t2", "t3"} {
			name := map[string]string{"t1": "a", "t2": "a", "t3": "b"}[id]
			l.add("subagent.called", fmt.Sprintf(`{"callId":%q,"name":%q,"task":"p"}`, id, name))
		}
		l.say("t1", "", toolCall("n1", "look", "read", `{"q":1}`)).gave("n1", `1`).say("t1", "one")
		l.add("subagent.completed", `{"callId":"t1","name":"a","output":"one"}`).gave("t1", `"one"`)
		l.say("t2", "two").add("subagent.completed", `{"callId":"t2","name":"a","output":"two"}`).gave("t2", `"two"`)
		l.add("subagent.completed", `{"callId":"t3","name":"b","isError":true,"output":"the subagent did not finish: x"}`).failed("t3", "tool_error", "the subagent did not finish: x")
		l.say("", "Asked.").done()
	},
	"failures": func(l *tale) {
		l.ask("stop").fails("cancelled", "stopped")
		l.ask("crew").say("", "", toolCall("t1", "task", "", `{"subagent":"a","prompt":"p"}`)).add("subagent.called", `{"callId":"t1","name":"a","task":"p"}`)
		l.add("subagent.completed", `{"callId":"t1","name":"a","isError":true,"code":"model_error","output":"the subagent did not finish: x"}`).failed("t1", "tool_error", "x").say("", "Done.").done()
		l.ask("down").fails("error", "model_error")
		l.ask("loop").say("", "", toolCall("c1", "look", "read", `{}`)).gave("c1", `1`).fails("error", "max_steps")
	},
	"made": func(l *tale) {
		artifact := func(kind string) string {
			return `{"artifact":{"id":"art_1","kind":"` + kind + `","key":"k","title":"T","sessionId":"s","createdAt":"2026-01-31T12:00:00Z","updatedAt":"2026-01-31T12:00:00Z","hasContent":false}}`
		}
		l.ask("make").say("", "", toolCall("c1", "read", "read", `{"path":"skills/x/SKILL.md"}`)).add("skill.loaded", `{"name":"x"}`).gave("c1", `"text"`)
		l.say("", "", toolCall("c2", "tag_artifact", "write", `{"kind":"report"}`)).add("artifact.tagged", artifact("report")).gave("c2", `{}`)
		l.say("", "", toolCall("c3", "publish", "write", `{}`)).add("artifact.tagged", artifact("page")).gave("c3", `{}`).say("", "Made.").done()
	},
	"secrets": func(l *tale) {
		l.ask("my password is hunter2-and-more, keep it").say("", "", toolCall("c1", "keep", "write", `{"password":"p4ss","note":"hunter2-and-more","name":"me","items":["sk-abcdefghijklmnop1234"]}`))
		l.gave("c1", `{"token":"t0ken","ok":true}`).say("", "I keep hunter2-and-more.").done()
	},
	"long": func(l *tale) {
		long := strings.Repeat("word ", 1000)
		l.ask("write").say("", "", toolCall("c1", "publish", "write", `{"title":"T","body":`+text(long)+`,"__proto__":1,"a-b":[{"body":`+text(long)+`},2],"n":9007199254740993}`))
		l.gave("c1", `{"page":`+text(long)+`}`).say("", long).done()
	},
}

// "with the messages as t.send, after each turn … succeeded / parked / event turn.failed,
// calledTool per call with input, status and count, toolOrder, approvals as turn.parked +
// t.approve/t.deny, artifacts tagged, … stubs with the recorded outputs of write tools"
func TestSession_Source(t *testing.T) {
	t.Parallel()
	for name, tell := range tales {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newTale(t, "")
			tell(l)
			golden(t, name, l.record(options()))
		})
	}
}

// "workspaceFiles where the content store has them … else a comment", and --stubs.
func TestSession_Options(t *testing.T) {
	t.Parallel()
	l := newTale(t, `,"title":"A fine one","asOf":"2026-01-02T03:04:05Z","workspaceFiles":[{"path":"notes.md","sha256":"a","size":6},{"path":"x.bin","sha256":"b","size":2},{"path":"lost.md","sha256":"c","size":5}]`)
	l.ask("go").say("", "", toolCall("c1", "look", "read", `{}`), toolCall("c2", "write", "write", `{}`)).gave("c1", `[1]`).gave("c2", `null`).say("", "Gone.").done()
	o := options()
	o.Stubs, o.Name, o.Version = StubAll, "a/b", 2
	o.File = func(hash string) ([]byte, bool) {
		b, ok := map[string]string{"a": "# Note", "b": "\x00\xff"}[hash]
		return []byte(b), ok
	}
	f := l.record(o)
	golden(t, "options", f)
	if f.Eval != "evals/a/b.eval.ts" || f.ID() != "a/b" || f.Recording != "evals/recordings/"+sessionID+"-2.ndjson" || f.Turns != 1 || f.Calls != 2 {
		t.Errorf("got %+v", f)
	}
	o = options()
	o.Stubs = StubNone
	if f = l.record(o); strings.Contains(string(f.Source), "stubs") || f.Eval != "evals/a-fine-one.eval.ts" {
		t.Errorf("got %s\n%s", f.Eval, f.Source)
	}
}

// "events without deltas, redacted of secrets, contents of the session only": what was
// left out of the eval is not in the recording, nor who took part.
func TestSession_Events(t *testing.T) {
	t.Parallel()
	l := newTale(t, `,"continuationToken":"C1:2"`)
	l.ask("stop").say("", "So").fails("cancelled", "stopped")
	l.ask("tell hunter2-and-more").say("", "Told <b>.", toolCall("c1", "t", "read", `{"apiKey":"k3y","n":9007199254740993}`)).gave("c1", `1`).say("", "x").done()
	l.add("channel.updated", `{"state":{}}`)
	f := l.record(options())
	text := string(f.Events)
	for _, bad := range []string{"hunter2", "U07", "C1:2", "k3y", "signature", "d-1", "message.appended", "channel.updated", `"text":"stop"`, `"turn_1"`} {
		if strings.Contains(text, bad) {
			t.Errorf("it has %s:\n%s", bad, text)
		}
	}
	for _, good := range []string{`"text":"tell [redacted]"`, `"n":9007199254740993`, "Told <b>."} {
		if !strings.Contains(text, good) {
			t.Errorf("it has no %s:\n%s", good, text)
		}
	}
	for line := range strings.Lines(text) {
		if e, err := events.Decode([]byte(line)); err != nil || e.SessionID != sessionID || !json.Valid([]byte(line)) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// "Refuse sessions that cannot be recorded (running, no turns, other agent) with a sentence."
func TestSession_Refusals(t *testing.T) {
	t.Parallel()
	for want, tell := range map[string]func(l *tale){
		"has no turn": func(*tale) {},
		"is running: wait for the end of its turn, or end it with bdk sessions stop " + sessionID: func(l *tale) { l.ask("x").add("step.started", `{"step":1,"attempt":1}`) },
		"session " + sessionID + " is running":                                                    func(l *tale) { l.ask("x").say("", "", toolCall("c1", "look", "read", `{}`)) },
		"no turn that can be repeated":                                                            func(l *tale) { l.ask("x").fails("error", "model_error") },
		"was deleted":                                                                             func(l *tale) { l.ask("x").done().add("session.deleted", `{}`) },
		"is of the agent shop, and this project is it":                                            func(l *tale) { l.ask("x").done() },
	} {
		l := newTale(t, "")
		tell(l)
		o := options()
		if strings.HasSuffix(want, " it") {
			o.Agent = "it"
		}
		var refused Refusal
		if _, err := Session(l.lines, o); !errors.As(err, &refused) || !strings.Contains(refused.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := Session(nil, options()); err == nil || AgentOf(nil) != "" || AgentOf(newTale(t, "").lines) != "shop" {
		t.Error("a log without a line is recorded")
	}
	if _, err := Session([][]byte{[]byte("{")}, options()); !errors.Is(err, errCorrupt) {
		t.Errorf("got %v", err)
	}
}
