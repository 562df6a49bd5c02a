package actors_test

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A state root as a build without channels left it when it was killed in the middle of
// work: its lines, open marks, unique keys and a snapshot.
//
//go:embed testdata/root_without_channels.txt
var rootWithoutChannels string

const (
	oldIdle, oldParked = "ses_01M8PYZX768C1EB8QCW1Z8ABEQ", "ses_01M8PYZX76MM718STAY3PP4BAM"
	oldTask, oldChat   = "ses_01M8PYZX779HDKYFAH0KTF00AF", "ses_01M8PYZX78W4B8TFGTR0M9W14K"
	oldRuns            = "ses_01M8PYZX78R96WM2R7N7V2Q6PX"
)

// fill writes the root into the journal of a house.
func (h *house) fill(root string) {
	h.t.Helper()
	ctx, now := context.Background(), time.Now()
	appends, order := map[string]*journal.Append{}, []string{}
	of := func(stream string) *journal.Append {
		if appends[stream] == nil {
			appends[stream], order = &journal.Append{Stream: stream, Now: now}, append(order, stream)
		}
		return appends[stream]
	}
	var after []func() error
	s := bufio.NewScanner(strings.NewReader(root))
	for s.Scan() {
		what, rest, _ := strings.Cut(s.Text(), " ")
		name, value, _ := strings.Cut(rest, " ")
		switch what {
		case "line":
			e, err := events.Decode([]byte(rest))
			if err != nil {
				h.t.Fatal(err)
			}
			ap := of(e.SessionID)
			ap.Events = append(ap.Events, *e)
		case "mark":
			of(name).Mark = journal.MarkOp{Set: true, Value: []byte(value)}
		case "claim":
			of(oldIdle).Claims = append(of(oldIdle).Claims, journal.Claim{Key: name, Value: []byte(value)})
		case "snapshot":
			at, state, _ := strings.Cut(value, " ")
			index, err := strconv.ParseUint(at, 10, 64)
			if err != nil {
				h.t.Fatal(err)
			}
			after = append(after, func() error { return h.journal.PutSnapshot(name, index, []byte(state)) })
		}
	}
	for _, stream := range order {
		if _, err := h.journal.Append(ctx, *appends[stream]); err != nil {
			h.t.Fatal(err)
		}
	}
	for _, f := range after {
		if err := f(); err != nil {
			h.t.Fatal(err)
		}
	}
}

// A state root of the build before opens, what was open in it is taken up by the rules
// of recovery, and its lines stay as they are, byte for byte.
func TestHost_OpensARootWithoutChannels(t *testing.T) {
	t.Parallel()
	h := channelled(t, actors.Options{}, &agent.Channel{ID: "hook"})
	h.close()
	var err error
	if h.journal, err = journal.Open(h.dir, &journal.Options{FS: h.fs}); err != nil {
		t.Fatal(err)
	}
	h.fill(rootWithoutChannels)
	if err := h.journal.Close(); err != nil {
		t.Fatal(err)
	}
	h.open()
	h.wantLines(rootWithoutChannels)
	<-h.started // the reading tool runs again
	close(h.gate)
	h.rest(oldRuns, session.StatusWaiting)
	if trace := h.trace(oldRuns); strings.Count(trace, "turn.completed") != 2 || strings.Count(trace, "turn.resumed") != 1 {
		t.Error(trace)
	}
	if d, ok := h.agentLog()[1].Data.(*events.ToolResult); !ok || d.Code != events.CodeOutcomeUnknown {
		t.Errorf("the direct call ended as %+v", h.agentLog()[1].Data)
	}
	call := "call_01M8PYZX76D6XN4JE38Y2Y0RZR"
	if _, err := h.host.ResolveApproval(t.Context(), oldParked, call, actors.Decision{Decision: events.DecisionApprove}); err != nil {
		t.Fatal(err)
	}
	h.rest(oldParked, session.StatusWaiting)
	if _, err := h.host.Send(t.Context(), oldIdle, actors.Message{Text: "again"}); err != nil {
		t.Fatal(err)
	}
	h.rest(oldIdle, session.StatusWaiting)
	if again := h.startWith(actors.NewSession{Agent: "tester", Principal: local, ChannelID: "hook", Message: "hello", ContinuationToken: "c:1", Idempotency: &events.Idempotency{Key: "k", Scope: "s", BodyHash: "b"}}); again.SessionID != oldChat {
		t.Errorf("a repeated start is another session: %+v", again)
	}
	o := agent.SendOptions{Auth: local, ContinuationToken: "c:1"}
	if sent := h.put("hook", "on with it", o); sent.SessionID != oldChat {
		t.Errorf("the conversation is another one: %+v", sent)
	}
	o.ContinuationToken = "t:1" // a task that ended held its name for ever
	anew := h.put("hook", "anew", o)
	if anew.SessionID == oldTask {
		t.Errorf("the task is still the conversation: %+v", anew)
	}
	h.rest(anew.SessionID, session.StatusWaiting)
	h.rest(oldChat, session.StatusWaiting)
	h.restart()
	h.wantMarks(0)
}

// wantLines holds that the lines of a dump are in the logs as they were.
func (h *house) wantLines(dump string) {
	h.t.Helper()
	for line := range strings.SplitSeq(dump, "\n") {
		old, ok := strings.CutPrefix(line, "line ")
		if !ok {
			continue
		}
		e, err := events.Decode([]byte(old))
		if err != nil {
			h.t.Fatal(err)
		}
		if got, err := h.journal.Read(e.SessionID, e.Index, e.Index+1); err != nil || !bytes.Equal(bytes.TrimSpace(got[0].Data), []byte(old)) {
			h.t.Fatalf("%v\n%s\nwas\n%s", err, got[0].Data, old)
		}
	}
}
