package actors_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
)

// "Tool output above 1 MiB: kept whole as a file of the session, the event holds
// head, tail and where the rest is." A write that took effect stays a success, and
// a long message of a failure is bounded in the same way.
func TestHost_LongOutputs(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{MaxOutputBytes: 1000})
	a := h.start("hello")
	h.rest(a.SessionID, "waiting")
	for _, bound := range []string{a.SessionID, ""} {
		for _, fail := range []bool{false, true} {
			got, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "long", Input: json.RawMessage(fmt.Sprintf(`{"fail":%v}`, fail)), SessionID: bound, Principal: local})
			if err != nil || got.Result.IsError != fail || len(got.Result.Output) > 40_000 || !utf8.Valid(got.Result.Output) {
				t.Fatalf("%v, %+v", err, got.Result.IsError)
			}
			files, err := filepath.Glob(filepath.Join(h.dir, "files", "tester", "*", "outputs", got.CallID+".json"))
			nested, _ := filepath.Glob(filepath.Join(h.dir, "files", "tester", "*", "*", "outputs", got.CallID+".json"))
			if files = append(files, nested...); err != nil || len(files) != 1 {
				t.Fatalf("the whole output is in %q, %v", files, err)
			}
			whole, err := os.ReadFile(files[0])
			if err != nil || !strings.Contains(string(whole), strings.Repeat("🙂", 20_000)) {
				t.Errorf("the file has %d bytes, %v", len(whole), err)
			}
			if want := "outputs/" + got.CallID; !strings.Contains(string(got.Result.Output), want) {
				t.Errorf("the result does not say where the rest is: %.200s", got.Result.Output)
			}
		}
	}
	if code := h.until(a.SessionID, "action.result").Data.(*events.ActionResult).Code; code != "" {
		t.Errorf("the first result has code %q", code)
	}
}
