package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobdk/bdk/events"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// A shelf is a log in memory, and what keeps a position beside it.
type shelf struct {
	events []*events.Event
	heads  map[string]uint64
	kept   uint64
	has    bool
	lost   uint64 // positions below it cannot be read
}

func (s *shelf) Position() uint64 { return uint64(len(s.events)) }

func (s *shelf) Range(from uint64, most int) ([]*events.Event, uint64, error) {
	if from < s.lost {
		return nil, from, errors.New("damaged")
	}
	to := min(uint64(len(s.events)), from+uint64(most))
	return s.events[from:to], to, nil
}

func (s *shelf) Wait(ctx context.Context, at uint64) error {
	if s.Position() >= at {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

func (s *shelf) Load() (uint64, bool, error) { return s.kept, s.has, nil }
func (s *shelf) Save(at uint64) error        { s.kept, s.has = at, true; return nil }

func (s *shelf) before(log string, index uint64) (list []*events.Event) {
	for _, e := range s.events {
		if e.SessionID == log && e.Index < index {
			list = append(list, e)
		}
	}
	return list
}

// add records an event, a second after the one before.
func (s *shelf) add(log, turn string, d events.Payload) {
	if s.heads == nil {
		s.heads = map[string]uint64{}
	}
	e := events.New(turn, began.Add(time.Duration(len(s.events))*time.Second), d)
	e.SessionID, e.Index = log, s.heads[log]
	s.heads[log]++
	s.events = append(s.events, &e)
}

// follow runs a process that traces from a position on; it is killed then, or stopped.
func (s *shelf) follow(t *testing.T, live uint64, killed bool) tracetest.SpanStubs {
	t.Helper()
	x := tracetest.NewInMemoryExporter()
	var to sdk.TracerProviderOption = sdk.WithSyncer(x)
	if killed {
		to = sdk.WithBatcher(x, sdk.WithBatchTimeout(time.Hour)) // nothing is sent but by Follow itself
	}
	tr := newTraces(&TraceOptions{Ratio: 1, Before: s.before, Keep: s}, to)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // what is there is folded all the same
	tr.Follow(ctx, live, s)
	spans := x.GetSpans()
	if !killed {
		if err := tr.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { _ = tr.Close(context.Background()) })
	return spans
}

func (s *shelf) turn(log string) {
	s.add(log, "turn_1", &events.MessageReceived{Text: "x"})
	s.add(log, "turn_1", &events.TurnStarted{Model: "lab/m"})
	s.add(log, "turn_1", &events.TurnCompleted{})
}

// "Spans are read from the log": those of turns that ended just before the process was
// killed are sent after the restart, with the same ids; the past beyond is not.
func TestFollow_AfterAKill(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	s.turn("ses_0")
	if got := s.follow(t, 3, true); len(got) > 0 || !s.has || s.kept != 3 { // nothing was kept: what was before is not sent
		t.Errorf("%d spans, kept %d", len(got), s.kept)
	}
	s.turn("ses_1")
	if got := s.follow(t, 3, true); len(got) > 0 || s.kept != 3 {
		t.Errorf("a process that is killed sent %d spans, kept %d", len(got), s.kept)
	}
	once := s.follow(t, 6, false)
	if len(once) != 1 || once[0].SpanContext.TraceID() != traceID("ses_1", "turn_1") || s.kept != 6 {
		t.Errorf("after a restart there are %d spans, kept %d", len(once), s.kept)
	}
	if again := s.follow(t, 6, false); len(again) > 0 {
		t.Errorf("what was sent is sent again: %d spans", len(again))
	}
	s.kept = 3
	if again := s.follow(t, 6, false); len(again) != 1 || again[0].SpanContext.SpanID() != once[0].SpanContext.SpanID() {
		t.Error("what is sent twice has other ids")
	}
	s.kept, s.lost = 0, 2
	if got := s.follow(t, 6, false); len(got) > 0 || s.kept != 6 {
		t.Errorf("a past that cannot be read is not left: %d spans, kept %d", len(got), s.kept)
	}
}

func TestFollow_LooksBackForAWhile(t *testing.T) {
	t.Parallel()
	s := &shelf{has: true}
	s.turn("ses_old")
	for range 700 { // seconds
		s.add("ses_x", "", &events.SessionWaiting{})
	}
	s.turn("ses_new")
	if got := s.follow(t, s.Position(), false); len(got) != 1 || got[0].SpanContext.TraceID() != traceID("ses_new", "turn_1") {
		t.Errorf("%d spans", len(got))
	}
	s.kept = 0
	for range lookBackEvents {
		s.add("ses_x", "", &events.SessionWaiting{})
	}
	if got := s.follow(t, s.Position(), false); len(got) > 0 {
		t.Errorf("%d spans of before the last %d events", len(got), lookBackEvents)
	}
}

// While it runs, the position is kept once its spans are sent.
func TestFollow_Keeps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		s.turn("ses_1")
		x := tracetest.NewInMemoryExporter()
		tr := newTraces(&TraceOptions{Ratio: 1, Keep: s}, sdk.WithBatcher(x, sdk.WithBatchTimeout(time.Hour)))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { tr.Follow(ctx, 0, s); close(done) }()
		<-time.After(3 * keepEvery)
		synctest.Wait()
		if n := len(x.GetSpans()); n != 1 || s.kept != 3 {
			t.Errorf("%d spans are sent, kept %d", n, s.kept)
		}
		cancel()
		<-done
		if err := tr.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// A turn that was open at the restart is the whole turn, with its model; a tool that
// runs again begins when the turn was taken up, and one that waits for a person does not.
func TestFollow_OpenTurn(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	say := func(d events.Payload) { s.add("ses_1", "turn_1", d) }
	say(&events.MessageReceived{Text: "x"})                                                                                                                // 0
	say(&events.TurnStarted{Model: "lab/m"})                                                                                                               // 1
	say(&events.StepStarted{Step: 1, Attempt: 1})                                                                                                          // 2
	say(&events.StepCompleted{Step: 1, Attempt: 1, FinishReason: "tool-calls"})                                                                            // 3
	say(&events.ActionsRequested{Calls: []events.Call{{CallID: "a", ToolName: "look"}, {CallID: "b", ToolName: "ask"}, {CallID: "c", ToolName: "write"}}}) // 4
	say(&events.InputRequested{CallID: "b", ToolName: "ask"})                                                                                              // 5
	live := s.Position()
	say(&events.TurnResumed{Reason: events.ReasonHostRestart, Attempt: 1})                                    // 6
	say(&events.ActionResult{CallID: "c", ToolName: "write", IsError: true, Code: events.CodeOutcomeUnknown}) // 7
	say(&events.ActionResult{CallID: "a", ToolName: "look"})                                                  // 8
	say(&events.InputResolved{CallID: "b"})                                                                   // 9
	say(&events.ActionResult{CallID: "b", ToolName: "ask"})                                                   // 10
	say(&events.StepStarted{Step: 2, Attempt: 1})                                                             // 11
	say(&events.StepCompleted{Step: 2, Attempt: 1, FinishReason: "stop"})                                     // 12
	say(&events.TurnCompleted{})                                                                              // 13
	spans := s.follow(t, live, false)
	names := picture(spans)
	want := []string{
		"execute_tool write < invoke_agent  4-7", "execute_tool look < invoke_agent  6-8", "execute_tool ask < invoke_agent  4-10", "chat lab/m < invoke_agent  11-12",
		"invoke_agent  <  1-13",
	}
	if !slices.Equal(names, want) {
		t.Errorf("spans:\n%s\nexpected:\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	if got := attributes(spans, "invoke_agent "); !strings.Contains(got, "gen_ai.request.model=lab/m") {
		t.Errorf("the turn's span has %s", got)
	}
}

// "execute_tool {tool}" is there for direct calls as well: bound to a session, to none,
// and one that the restart closed.
func TestTraces_DirectCalls(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	s.add("agt_desk", "", &events.ToolCalled{CallID: "tool_1", ToolName: "look", Args: events.RawJSON(`{"q":1}`)})                        // 0
	s.add("ses_1", "", &events.ActionsRequested{Calls: []events.Call{{CallID: "tool_2", ToolName: "save", Args: json.RawMessage(`{}`)}}}) // 1
	live := s.Position()
	s.add("agt_desk", "", &events.ToolCalled{CallID: "tool_3", ToolName: "find"})                                                 // 2
	s.add("agt_desk", "", &events.ToolResult{CallID: "tool_3", ToolName: "find"})                                                 // 3
	s.add("ses_1", "", &events.ActionResult{CallID: "tool_2", ToolName: "save"})                                                  // 4
	s.add("agt_desk", "", &events.ToolResult{CallID: "tool_1", ToolName: "look", IsError: true, Code: events.CodeOutcomeUnknown}) // 5
	spans := s.follow(t, live, false)
	want := []string{"execute_tool find <  2-3", "execute_tool save <  1-4", "execute_tool look <  0-5"}
	if got := picture(spans); !slices.Equal(got, want) {
		t.Errorf("spans:\n%s\nexpected:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := attributes(spans, "execute_tool save"); !strings.Contains(got, "gen_ai.conversation.id=ses_1") || strings.Contains(got, "turn.id") {
		t.Errorf("the bound call has %s", got)
	}
	if got := attributes(spans, "execute_tool look"); !strings.Contains(got, "gen_ai.agent.name=desk") || !strings.Contains(got, "error.type=outcome_unknown") || strings.Contains(got, "conversation") {
		t.Errorf("the call of no session has %s", got)
	}
}
