package session_test

import (
	"encoding/json"
	"testing"

	"github.com/gobdk/bdk/actors/session"
)

// A snapshot's JSON is a durable format: one of a build without subagents is read,
// and written, as it was.
func TestState_SnapshotsOfOlderBuilds(t *testing.T) {
	t.Parallel()
	const old = `{"next":9,"mode":"chat","turn":{"id":"t1","model":"m","step":2,"attempt":3,"inStep":true,"stepModel":"n",` +
		`"calls":[{"callId":"c1","toolName":"look","args":{},"effect":"read","status":"parked","requestId":"r1"}],"failing":7,"failures":2,` +
		`"resumes":1,"stalled":1,"billed":true,"usage":{"inputTokens":3,"cacheReadTokens":0,"cacheWriteTokens":0,"outputTokens":2},"usageUnknown":true,"cost":5},"spent":5,"tokens":5}`
	var st session.State
	if err := json.Unmarshal([]byte(old), &st); err != nil {
		t.Fatal(err)
	}
	turn := st.Turn
	if turn.Step != 2 || turn.Attempt != 3 || !turn.InStep || turn.StepModel != "n" || turn.Failing != 7 || turn.Failures != 2 || !turn.Billed ||
		!turn.UsageUnknown || turn.Usage.InputTokens != 3 || len(turn.Calls) != 1 || turn.Calls[0].Status != session.CallParked || turn.Subs != nil {
		t.Errorf("read as %+v", turn)
	}
	if again := asJSON(t, st); again != old {
		t.Errorf("written as\n%s\nit was\n%s", again, old)
	}
}
