package projections

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// opened appends the beginning of a session of an owner.
func opened(t testing.TB, j *journal.Journal, id, owner string) {
	t.Helper()
	add(t, j, id, ev("", &events.SessionStarted{Agent: "reviewer", Principal: events.Principal{Kind: "jwt", ID: owner}}))
}

// tagged is an event for an artifact's n-th second.
func tagged(session, id string, second, max int) events.Event {
	at := testTime.Add(time.Duration(second) * time.Second)
	return ev("", &events.ArtifactTagged{Max: max, Artifact: events.Artifact{
		ID: id, Kind: "k" + id[len(id)-1:], Key: id, Title: id, SessionID: session, CreatedAt: testTime, UpdatedAt: at, Data: []byte(`null`),
	}})
}

// listed is what a list says: ids with the seconds of their last tag.
func listed(t testing.TB, v *Views, q ArtifactQuery) string {
	t.Helper()
	rows, err := v.Artifacts(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s@%d ", r.Artifact.ID, int(r.Artifact.UpdatedAt.Sub(testTime).Seconds()))
	}
	return strings.TrimSpace(b.String())
}

func wantListed(t testing.TB, v *Views, q ArtifactQuery, want string) {
	t.Helper()
	if got := listed(t, v, q); got != want {
		t.Errorf("%+v lists %q, want %q", q, got, want)
	}
}

// "GET /v1/artifacts: newest-updated first; kind, sessionId, limit." "Tagging again
// updates the record."
func TestArtifacts_List(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	a, b := sessionID(1), sessionID(2)
	opened(t, j, a, "ann")
	opened(t, j, b, "bob")
	add(t, j, a, tagged(a, "art_1", 1, 0), tagged(a, "art_2", 2, 0))
	add(t, j, b, tagged(b, "art_3", 3, 0))
	add(t, j, a, tagged(a, "art_1", 4, 0))
	caughtUp(t, v, j)
	ann := &events.Principal{Kind: "jwt", ID: "ann"}
	for _, tc := range []struct {
		q    ArtifactQuery
		want string
	}{
		{ArtifactQuery{}, "art_1@4 art_3@3 art_2@2"},
		{ArtifactQuery{Agent: "reviewer"}, "art_1@4 art_3@3 art_2@2"},
		{ArtifactQuery{Agent: "other"}, ""},
		{ArtifactQuery{Agent: "reviewer", Owner: ann}, "art_1@4 art_2@2"},
		{ArtifactQuery{Owner: ann}, "art_1@4 art_2@2"},
		{ArtifactQuery{Owner: &events.Principal{Kind: "jwt", ID: "ann", Tenant: "x"}, Agent: "reviewer"}, ""},
		{ArtifactQuery{Kind: "k3"}, "art_3@3"},
		{ArtifactQuery{SessionID: b}, "art_3@3"},
		{ArtifactQuery{SessionID: b, Owner: ann}, ""},
		{ArtifactQuery{Limit: 1}, "art_1@4"},
		{ArtifactQuery{Limit: 1, Kind: "k2", Agent: "reviewer", Owner: ann}, "art_2@2"},
	} {
		wantListed(t, v, tc.q, tc.want)
	}
	row, ok, err := v.Artifact(t.Context(), "art_1")
	if err != nil || !ok || row.Agent != "reviewer" || row.Owner != *ann || row.Artifact.SessionID != a || string(row.Artifact.Data) != "null" {
		t.Errorf("art_1 is %+v, %v, %v", row, ok, err)
	}
	if _, ok, err := v.Artifact(t.Context(), "art_9"); ok || err != nil {
		t.Errorf("an unknown artifact: %v, %v", ok, err)
	}
	checkRebuilt(t, v, j)
}

// "`max` drops the oldest-updated": of the owner, and of nobody else.
func TestArtifacts_Max(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	a, b := sessionID(1), sessionID(2)
	opened(t, j, a, "ann")
	opened(t, j, b, "bob")
	add(t, j, b, tagged(b, "art_0", 0, 2))
	for i := range 4 {
		add(t, j, a, tagged(a, fmt.Sprint("art_", i+1), i+1, 3))
	}
	caughtUp(t, v, j)
	wantListed(t, v, ArtifactQuery{}, "art_4@4 art_3@3 art_2@2 art_0@0")
	add(t, j, a, tagged(a, "art_2", 5, 3), tagged(a, "art_5", 6, 3))
	caughtUp(t, v, j)
	wantListed(t, v, ArtifactQuery{}, "art_5@6 art_2@5 art_4@4 art_0@0")
	add(t, j, a, tagged(a, "art_3", 7, 2)) // a smaller bound drops more, and what was dropped may come again
	caughtUp(t, v, j)
	wantListed(t, v, ArtifactQuery{}, "art_3@7 art_5@6 art_0@0")
	checkRebuilt(t, v, j)
}

// "max (default 1000)".
func TestArtifacts_DefaultMax(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	id := sessionID(1)
	opened(t, j, id, "ann")
	var evs []events.Event
	for i := range 1003 {
		evs = append(evs, tagged(id, fmt.Sprintf("art_%04d", i), i, 0))
	}
	add(t, j, id, evs...)
	caughtUp(t, v, j)
	rows, err := v.Artifacts(t.Context(), ArtifactQuery{Limit: 2000})
	if err != nil || len(rows) != 1000 || rows[999].Artifact.ID != "art_0003" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if rows, _ := v.Artifacts(t.Context(), ArtifactQuery{}); len(rows) != 100 {
		t.Errorf("a list has %d rows by default", len(rows))
	}
	checkRebuilt(t, v, j)
}

// "What is tagged outside a session belongs to the agent ({kind:"app"})."
func TestArtifacts_OfTheAgent(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	add(t, j, "agt_reviewer", tagged("agt_reviewer", "art_1", 1, 0))
	caughtUp(t, v, j)
	wantListed(t, v, ArtifactQuery{Agent: "reviewer", Owner: &events.Principal{Kind: "app"}}, "art_1@1")
	wantListed(t, v, ArtifactQuery{Agent: "reviewer", Owner: &events.Principal{Kind: "local", ID: "local"}}, "")
	checkRebuilt(t, v, j)
}

// A fork's copy of the history makes nothing of its own; a deleted session leaves
// nothing that it tagged last.
func TestArtifacts_ForksAndDeletedSessions(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	a, fork := sessionID(1), sessionID(2)
	opened(t, j, a, "ann")
	add(t, j, a, tagged(a, "art_1", 1, 0), tagged(a, "art_2", 2, 0))
	opened(t, j, fork, "bob")
	add(t, j, fork, tagged(a, "art_1", 1, 0), tagged(fork, "art_3", 3, 0))
	caughtUp(t, v, j)
	wantListed(t, v, ArtifactQuery{Owner: &events.Principal{Kind: "jwt", ID: "bob"}}, "art_3@3")
	wantListed(t, v, ArtifactQuery{}, "art_3@3 art_2@2 art_1@1")
	other := sessionID(3)
	opened(t, j, other, "ann")
	add(t, j, other, tagged(other, "art_2", 4, 0))
	add(t, j, a, ev("", &events.SessionDeleted{}))
	caughtUp(t, v, j)
	wantListed(t, v, ArtifactQuery{}, "art_2@4 art_3@3")
	checkRebuilt(t, v, j)
}

// An artifact in a log that does not say whose it is has no owner: it is left out
// and reported.
func TestArtifacts_LogWithoutSession(t *testing.T) {
	t.Parallel()
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	add(t, j, sessionID(1), tagged(sessionID(1), "art_1", 1, 0))
	opened(t, j, sessionID(2), "ann")
	add(t, j, sessionID(2), tagged(sessionID(2), "art_2", 2, 0))
	caughtUp(t, v, j)
	wantListed(t, v, ArtifactQuery{}, "art_2@2")
	if s := statusOf(t, v, nameArtifacts); s.Skipped != 1 || s.Error != "" {
		t.Errorf("status is %+v", s)
	}
}

// "Projections (…, artifacts, …) equal a fold of the log": a dumb fold of random
// histories is the measure, and rebuilding gives the same bytes.
func TestArtifacts_EqualADumbFold(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 7))
	j := openJournal(t, vfs.NewMem())
	v := startViews(t, j)
	owners := []string{"ann", "bob"}
	for n := range 6 {
		opened(t, j, sessionID(n), owners[n%2])
	}
	var all []ArtifactRow // newest last
	for step := range 600 {
		n := random.IntN(6)
		owner := events.Principal{Kind: "jwt", ID: owners[n%2]}
		id := fmt.Sprintf("art_%s%d", owner.ID, random.IntN(12))
		bound := 3 + random.IntN(6)
		e := tagged(sessionID(n), id, step, bound)
		add(t, j, sessionID(n), e)
		all = slices.DeleteFunc(all, func(r ArtifactRow) bool { return r.Artifact.ID == id })
		all = append(all, ArtifactRow{Agent: "reviewer", Owner: owner, Artifact: e.Data.(*events.ArtifactTagged).Artifact})
		for kept, i := 0, len(all)-1; i >= 0; i-- {
			if all[i].Owner == owner {
				if kept++; kept > bound {
					all = slices.Delete(all, i, i+1)
				}
			}
		}
		if random.IntN(9) == 0 {
			caughtUp(t, v, j)
		}
	}
	caughtUp(t, v, j)
	rows, err := v.Artifacts(t.Context(), ArtifactQuery{})
	slices.SortFunc(all, func(a, b ArtifactRow) int {
		return -cmp.Compare(a.Artifact.UpdatedAt.Unix(), b.Artifact.UpdatedAt.Unix())
	})
	if got, want := asJSON(t, rows), asJSON(t, all); err != nil || got != want {
		t.Errorf("rows are\n%s\nwant\n%s\n%v", got, want, err)
	}
	checkRebuilt(t, v, j)
}
