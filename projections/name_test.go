package projections

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

type named struct{ Title, LastMessage, Name string }

// names are a table that the playground's label is held against as well.
func names(t *testing.T) (all []named) {
	t.Helper()
	text, err := os.ReadFile("../transport/playground/testdata/names.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestName_IsWhatListsShow(t *testing.T) {
	t.Parallel()
	for _, n := range names(t) {
		if got := name(n.Title, n.LastMessage); got != n.Name {
			t.Errorf("name(%q, %q) is %q, want %q", n.Title, n.LastMessage, got, n.Name)
		}
	}
}

// A session is found by all of what a list shows as its name.
func TestSessions_FoundByName(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	all := names(t)
	for i, n := range all {
		evs := opening("turn_1")
		evs[0].Data.(*events.SessionStarted).Title = n.Title
		add(t, j, sessionID(i), append(evs, ev("turn_1", &events.MessageReceived{Text: n.LastMessage, From: events.FromUser}))...)
	}
	caughtUp(t, v, j)
	for i, n := range all {
		rows, _, err := v.Sessions(t.Context(), SessionQuery{Text: strings.ToUpper(n.Name), Limit: 200})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range rows {
			found = found || r.ID == sessionID(i)
		}
		if !found {
			t.Errorf("%q does not find session %d of %v", n.Name, i, n)
		}
	}
}

// A row that is cut off is an error for every search that has to read it.
func TestSessions_DamagedRow(t *testing.T) {
	t.Parallel()
	s := &sessionState{row: SessionRow{ID: sessionID(1), Agent: "bot", ChannelID: "http", Mode: "chat", LastMessage: "hello"}}
	whole := s.encode()
	for n := range whole {
		kv := journal.KV{Key: updatedKey(7), Value: whole[:n]}
		if _, err := (&SessionQuery{Text: "hello"}).match(kv); !errors.Is(err, errRow) {
			t.Errorf("cut at %d of %d: %v", n, len(whole), err)
		}
	}
}
