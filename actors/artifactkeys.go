package actors

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// artifactID gives the one id of an agent's artifact of a kind and key that an owner
// has: nothing has to be looked up to find it again.
func artifactID(agent string, owner events.Principal, kind, key string) string {
	h := sha256.New()
	for _, s := range []string{agent, owner.Kind, owner.ID, owner.Issuer, owner.Tenant, kind, key} {
		_ = binary.Write(h, binary.BigEndian, uint64(len(s))) // a hash takes everything
		_, _ = io.WriteString(h, s)
	}
	return events.ArtifactPrefix + crockford.EncodeToString(h.Sum(nil)[:16])
}

func artifactKey(id string) string { return "artifact/" + id }

// artifactClaim says where the newest record of an artifact is: it is taken in the
// batch of the event, so that it never lags.
func artifactClaim(stream string, index uint64, d *events.ArtifactTagged) journal.Claim {
	return journal.Claim{Key: artifactKey(d.Artifact.ID), Value: holder(stream, index, "")}
}

// artifactKeys are the claims that the events replace.
func artifactKeys(evs []events.Event) (keys []string) {
	for i := range evs {
		if d, ok := evs[i].Data.(*events.ArtifactTagged); ok {
			keys = append(keys, artifactKey(d.Artifact.ID))
		}
	}
	return keys
}

// lastTagged reads the newest record of an artifact from the log; nil when there is
// none, or its session was purged.
func (h *Host) lastTagged(ctx context.Context, id string) (*events.Artifact, error) {
	value, ok, err := h.journal.Lookup(ctx, artifactKey(id), h.now())
	if err != nil || !ok {
		return nil, refusal(err)
	}
	var at held
	if err := json.Unmarshal(value, &at); err != nil {
		return nil, fmt.Errorf("actors: reading where an artifact is: %w", err)
	}
	lines, err := h.journal.Read(at.Stream, at.Index, at.Index+1)
	if err != nil || len(lines) == 0 {
		return nil, refusal(err)
	}
	e, err := events.Decode(lines[0].Data)
	if err != nil {
		return nil, fmt.Errorf("actors: reading an artifact: %w", err)
	}
	if d, ok := e.Data.(*events.ArtifactTagged); ok && d.Artifact.ID == id {
		return &d.Artifact, nil
	}
	return nil, nil
}

// tagging lets one caller at a time tag an artifact: each record rests on the one
// before.
type tagging struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the one that tags is done
}

// enter waits for the caller's turn, until ctx ends.
func (g *tagging) enter(ctx context.Context, id string) error {
	for {
		g.mu.Lock()
		busy := g.busy[id]
		if busy == nil {
			if g.busy == nil {
				g.busy = map[string]chan struct{}{}
			}
			g.busy[id] = make(chan struct{})
			g.mu.Unlock()
			return nil
		}
		g.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (g *tagging) leave(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.busy[id])
	delete(g.busy, id)
}
