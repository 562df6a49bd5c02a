package projections

import (
	"context"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/events"
)

// defaultArtifacts is how many artifacts a list has when the query does not say.
const defaultArtifacts = 100

// An ArtifactQuery selects artifacts. Zero fields do not narrow.
type ArtifactQuery struct {
	Agent string
	// Owner narrows to one principal, compared field by field; nil: all.
	Owner     *events.Principal
	Kind      string
	SessionID string
	// Limit is the length of the list. Defaults to 100.
	Limit int
}

// Artifacts lists newest-updated first.
func (v *Views) Artifacts(ctx context.Context, q ArtifactQuery) ([]ArtifactRow, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = defaultArtifacts
	}
	prefix := []byte{kindUpdated}
	if q.Owner != nil && q.Agent != "" {
		prefix = ownedPrefix(q.Agent, *q.Owner)
	}
	var rows []*artifactRow
	for kv, err := range v.Reader(nameArtifacts).Scan(prefix, after(prefix), true) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("projections: listing artifacts: %w", err)
		}
		row, err := v.match(&q, kv.Value)
		if err != nil {
			return nil, fmt.Errorf("projections: listing artifacts: %w", err)
		}
		if row != nil {
			rows = append(rows, row)
		}
		if len(rows) == limit {
			break
		}
	}
	// One that was tagged again since the scan began stands where it stood before.
	slices.SortStableFunc(rows, func(a, b *artifactRow) int {
		return slices.Compare(b.place(nil), a.place(nil))
	})
	out := make([]ArtifactRow, len(rows))
	for i, r := range rows {
		out[i] = r.ArtifactRow
	}
	return out, nil
}

// match gives nil for a row that the query leaves out, or that is gone by now.
func (v *Views) match(q *ArtifactQuery, listed []byte) (*artifactRow, error) {
	l, err := decodeListed(listed)
	if err != nil {
		return nil, err
	}
	if q.Agent != "" && q.Agent != l.agent || q.Kind != "" && q.Kind != l.kind || q.SessionID != "" && q.SessionID != l.session {
		return nil, nil
	}
	row, err := v.artifact(l.id)
	if row == nil || err != nil || q.Owner != nil && *q.Owner != row.Owner {
		return nil, err
	}
	return row, nil
}

// Artifact gives one artifact; ok is false for one that the view does not know, that
// was dropped, or whose session was deleted.
func (v *Views) Artifact(ctx context.Context, id string) (row ArtifactRow, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return ArtifactRow{}, false, fmt.Errorf("projections: reading an artifact: %w", err)
	}
	r, err := v.artifact(id)
	if err != nil || r == nil {
		return ArtifactRow{}, false, err
	}
	return r.ArtifactRow, true, nil
}

func (v *Views) artifact(id string) (*artifactRow, error) {
	b, ok, err := v.Reader(nameArtifacts).Get(artifactKey(id))
	if err != nil || !ok {
		return nil, err
	}
	return decodeArtifact(b)
}

// ArtifactsOf lists the records of one agent that a principal owns, newest-updated
// first: at most limit, those of a kind and of a session where they are given.
func (v *Views) ArtifactsOf(ctx context.Context, agent string, owner events.Principal, kind, sessionID string, limit int) ([]events.Artifact, error) {
	rows, err := v.Artifacts(ctx, ArtifactQuery{Agent: agent, Owner: &owner, Kind: kind, SessionID: sessionID, Limit: limit})
	if err != nil {
		return nil, err
	}
	list := make([]events.Artifact, len(rows))
	for i := range rows {
		list[i] = rows[i].Artifact
	}
	return list, nil
}
