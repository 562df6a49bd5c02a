package types

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/eval/record"
	"github.com/gobdk/bdk/internal/redact"
)

// What bdk eval record writes type-checks in a project as init writes it, in the
// strictest way.
func TestRecorded_TypeCheck(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shop")
	if code, said := bdk(t, filepath.Dir(dir), "init", "shop"); code != 0 {
		t.Fatal(said)
	}
	f, err := record.Session(recordedLines(), &record.Options{Agent: "shop", Stubs: record.StubWrites, Redactor: redact.New(),
		File: func(string) ([]byte, bool) { return []byte("\x00\x01"), true }})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"inOrder(", "base64", "t.approve(t.requireInputRequest(", "t.deny(undefined, ", "turn.event(", "did not run in the recording", "taggedArtifact", "loadedSkill"} {
		if !strings.Contains(string(f.Source), want) {
			t.Errorf("the eval has no %s:\n%s", want, f.Source)
		}
	}
	file := filepath.Join(dir, filepath.FromSlash(f.Eval))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, file, string(f.Source))
	write(t, filepath.Join(dir, "tsconfig.strict.json"), `{"extends":"./tsconfig.json","compilerOptions":{"strict":true,"exactOptionalPropertyTypes":true,"noUncheckedIndexedAccess":true,"noUnusedLocals":true}}`)
	if said := tsc(t, dir, "-p", "tsconfig.strict.json"); said != "" {
		t.Errorf("tsc says\n%s\nof\n%s", said, f.Source)
	}
}

// recordedLines are of a session with everything that an eval can say.
func recordedLines() [][]byte {
	var lines [][]byte
	for line := range strings.Lines(strings.TrimSpace(everything)) {
		kind, data, _ := strings.Cut(strings.TrimSpace(line), " ")
		turn := `"turnId":"turn_1",`
		if kind == "session.started" {
			turn = ""
		}
		lines = append(lines, []byte(`{"type":"`+kind+`","index":0,"sessionId":"ses_01J00000000000000000000000",`+turn+`"at":"2026-01-31T12:00:00.000Z","data":`+data+`}`))
	}
	return lines
}

const everything = `
session.started {"agent":"shop","channelId":"http","mode":"chat","purpose":"live","principal":{"kind":"a","id":"b"},"workspaceFiles":[{"path":"a/b.bin","sha256":"x","size":2}]}
message.received {"text":"Do it all.","from":"user"}
turn.started {"model":"m"}
step.completed {"step":1,"attempt":1,"finishReason":"tool-calls"}
actions.requested {"calls":[{"callId":"c1","toolName":"pay","effect":"write","args":{"to":"x","n":[1,{"a-b":null}]}},{"callId":"c2","toolName":"pay","effect":"write","args":{"to":"y"}},{"callId":"c3","toolName":"odd-name","effect":"write","args":{}},{"callId":"c4","toolName":"pay","effect":"write","args":{"to":"z"}}]}
input.requested {"requestId":"r1","kind":"approval","callId":"c1","toolName":"pay"}
input.requested {"requestId":"r3","kind":"approval","callId":"c3","toolName":"odd-name"}
action.result {"callId":"c2","toolName":"pay","output":"declined","isError":true,"code":"tool_error"}
action.result {"callId":"c4","toolName":"pay","output":{"ok":[true,null,1.5]},"isError":false}
input.resolved {"requestId":"r1","callId":"c1","decision":"approve"}
action.result {"callId":"c1","toolName":"pay","output":"text","isError":false}
input.resolved {"requestId":"r3","callId":"c3","decision":"deny"}
action.result {"callId":"c3","toolName":"odd-name","output":"denied","isError":true,"code":"denied"}
actions.requested {"calls":[{"callId":"t1","toolName":"task","args":{"subagent":"helper","prompt":"p"}}]}
subagent.called {"callId":"t1","name":"helper","task":"p"}
skill.loaded {"name":"careful"}
artifact.tagged {"artifact":{"id":"a","kind":"report","key":"k","title":"T","sessionId":"s","createdAt":"2026-01-31T12:00:00Z","updatedAt":"2026-01-31T12:00:00Z","hasContent":false}}
subagent.completed {"callId":"t1","name":"helper","output":"done","isError":false}
action.result {"callId":"t1","toolName":"task","output":"done","isError":false}
turn.failed {"message":"too long","status":"error","code":"max_steps"}
`
