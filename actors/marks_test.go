package actors

import (
	"encoding/json"
	"testing"
)

// Open marks are durable: those of older builds are read, and written, as they were.
func TestMarks_OfOlderBuilds(t *testing.T) {
	t.Parallel()
	const calls = `[{"callId":"c1","toolName":"look"}]`
	var open []openCall
	if err := json.Unmarshal([]byte(calls), &open); err != nil || len(open) != 1 || open[0].Receipt != nil {
		t.Fatalf("read as %+v, %v", open, err)
	}
	if again := openCallsMark(open); string(again.Value) != calls {
		t.Errorf("written as %s", again.Value)
	}
	const parked = `{"parked":true,"deadline":"2026-03-01T10:00:00Z"}`
	m := readMark([]byte(parked))
	if again, err := json.Marshal(m); err != nil || string(again) != parked || m.Undelivered != nil {
		t.Errorf("written as %s, %v", again, err)
	}
}
