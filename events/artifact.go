package events

import "time"

// DefaultMaxArtifacts is how many artifacts an owner keeps where an ArtifactTagged
// does not say. Logs rest on it: it never changes.
const DefaultMaxArtifacts = 1000

// AgentPrincipal owns what is made outside of a session: the agent itself.
var AgentPrincipal = Principal{Kind: "app"}

// Touch sets the times of a record that is tagged at now, as the log keeps them. A
// clock that went back does not make it older than it was.
func (a *Artifact) Touch(now time.Time) {
	now = now.UTC().Truncate(time.Millisecond)
	if a.UpdatedAt.Before(now) {
		a.UpdatedAt = now
	}
	if a.CreatedAt.IsZero() {
		a.CreatedAt = a.UpdatedAt
	}
}
