package actors_test

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/fakemodel"
	"github.com/gobdk/bdk/actors/model/openai"
	"github.com/gobdk/bdk/events"
)

// strictModel resolves to a server that refuses what a strict provider refuses.
type strictModel struct{ m *openai.Model }

func (s strictModel) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: s.m, Name: "openai/strict", Request: "strict"}, nil
}

// "Interrupted tool calls leave calls without results; sessions unusable, compaction
// fails too" (C50): a restart with three calls open, a message, then a forced
// compaction: the strict model takes the next request.
func TestHost_CompactionAfterInterruptedCalls(t *testing.T) {
	t.Parallel()
	const calls = `call 0 call_1 slow {}
call 1 call_1 slowpush {}
call 2 call_1 slow {}
usage prompt=100 completion=20
finish tool_calls
done
---
`
	said := `delta "` + strings.Repeat("word ", 100) + `"
usage prompt=100 completion=20
finish stop
done
---
`
	server, url := fakemodel.Run(t, calls+calls+said+strings.ReplaceAll(said, "word", "summary")+said)
	h := newShapedHouse(t, actors.Options{Models: strictModel{openai.New(&openai.Options{BaseURL: url})}}, script, func(*agent.Agent) {})
	a := h.start("go")
	for range 3 {
		<-h.started
	}
	h.restart()
	<-h.started // the reads run again; the write has an unknown outcome
	<-h.started
	for _, calls := range []int{3, 0} { // each interrupts the calls before it
		if _, err := h.host.Interrupt(t.Context(), a.SessionID, actors.Message{Text: "never mind"}); err != nil {
			t.Fatal(err)
		}
		for range calls {
			<-h.started
		}
	}
	close(h.gate)
	h.rest(a.SessionID, "waiting")
	got, err := h.host.Compact(t.Context(), a.SessionID)
	if err != nil || !got.Compacted {
		t.Fatalf("%+v, %v:\n%s", got, err, h.story(a.SessionID))
	}
	if _, err := h.host.Send(t.Context(), a.SessionID, actors.Message{Text: "and now?"}); err != nil {
		t.Fatal(err)
	}
	if out := h.rest(a.SessionID, "waiting"); out.Message != "" || !strings.Contains(string(out.Result), "word word") {
		t.Errorf("%+v:\n%s", out, h.story(a.SessionID))
	}
	log := h.log(a.SessionID)
	checkLog(t, log)
	if d := compactions(log); len(d) != 1 || !strings.HasPrefix(d[0].Summary, "summary summary") || *d[0].Usage != (events.Usage{InputTokens: 100, OutputTokens: 20}) || d[0].Model != "openai/strict" {
		t.Errorf("%+v", d)
	}
	reqs := server.Requests()
	if last := string(reqs[len(reqs)-1].Body); strings.Contains(last, "slowpush\",\"arguments") || !strings.Contains(last, "summary summary") || !strings.Contains(last, "and now?") {
		t.Errorf("the last request is %s", last)
	}
	if asked := string(reqs[len(reqs)-2].Body); strings.Contains(asked, `"tools"`) || !strings.Contains(asked, "Tool slowpush failed with: ") {
		t.Errorf("the summary was asked with %s", asked)
	}
}
