package playground

import (
	"encoding/json"
	"os"
	"testing"
)

// "Search by title or identifier": a session has one name in every list and heading, and what
// its log says of it is what its row says.
func TestLabel_OneName(t *testing.T) {
	l := newLogic(t, "label", "session")
	l.run(`
		var fold = (...events) => { var s = new Session("ses_1"); events.forEach(([type, data], index) => s.take({ type, data, index, turnId: "t1", at: new Date(1000 * index).toISOString(), line: "" })); return s; };
		var begun = [["session.started", {}], ["message.received", { text: "hi  you", from: "user" }]];`)
	for expression, want := range map[string]string{
		`label({ id: "ses_1" })`:                                                                  `"ses_1"`,
		`label({ id: "ses_1", title: " ", lastMessage: "a\n b" })`:                                `"a b"`,
		`label({ id: "ses_1", title: "# T", lastMessage: "a" })`:                                  `"# T"`,
		"label({ id: \"ses_1\", lastMessage: \"## Verdict\\n- **good** `x` #7 a*b\" })":           `"Verdict good x #7 a*b"`,
		`label({ id: "ses_1", title: "a\u202eb" })`:                                               `"a\\u{202e}b"`,
		`titleOf("  one\n\ntwo ")`:                                                                `"one two"`,
		`[titleOf("é".repeat(80)).length, [...titleOf("😀".repeat(81))].length]`:                   `[80,80]`,
		`titleOf("x".repeat(200)).endsWith("x…")`:                                                 `true`,
		`label(fold(...begun))`:                                                                   `"hi you"`,
		`label(fold(...begun, ["message.completed", { text: "yes", finishReason: "stop" }]))`:     `"yes"`,
		`label(fold(...begun, ["message.completed", { text: "so", parentCallId: "c" }]))`:         `"hi you"`,
		`label(fold(...begun, ["message.completed", { text: "a", finishReason: "tool-calls" }]))`: `"hi you"`,
		`label(fold(...begun, ["session.updated", { title: "T" }]))`:                              `"T"`,
		`fold(["message.received", { text: "x".repeat(500) }]).lastMessage.length`:                `200`,
		// How a session stands is said alike by its row and by its log.
		`[{ status: "waiting" }, { status: "parked" }, { status: "waiting", lastError: "no key" }, { status: "running", lastError: "no key" }].map((s) => Object.values(standing(s)))`: `[["idle",""],["needs you","warn"],["turn failed","bad"],["running","accent"]]`,
		`fold(...begun, ["turn.failed", { message: "no key", code: "model_error" }]).lastError`:                                                                                        `"no key"`,
		`fold(...begun, ["turn.failed", { message: "stopped", status: "cancelled" }]).lastError ?? "none"`:                                                                             `"none"`,
		`fold(...begun).changed`: `"1970-01-01T00:00:01.000Z"`,
	} {
		l.want(expression, want)
	}
}

// What a list shows is what the host's search finds: both hold the same table.
func TestLabel_IsWhatTheHostSearches(t *testing.T) {
	text, err := os.ReadFile("testdata/names.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct{ Title, LastMessage, Name string }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	l := newLogic(t, "label")
	for _, n := range all {
		var got string
		row := map[string]string{"id": "", "title": n.Title, "lastMessage": n.LastMessage}
		if err := json.Unmarshal([]byte(l.json("label("+encode(t, row)+")")), &got); err != nil {
			t.Fatal(err)
		}
		if got != n.Name {
			t.Errorf("label of %q and %q is %q, want %q", n.Title, n.LastMessage, got, n.Name)
		}
	}
}
