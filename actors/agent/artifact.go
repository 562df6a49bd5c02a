package agent

import (
	"context"
	"encoding/json"

	"github.com/gobdk/bdk/events"
)

// Defaults of artifacts.
const (
	DefaultArtifactKind = "artifact"
	DefaultMaxArtifacts = events.DefaultMaxArtifacts
)

// ArtifactRules says what may be tagged; nil rules allow every kind.
type ArtifactRules struct {
	// Kinds that may be tagged; empty: any.
	Kinds map[string]ArtifactKind
	// Open lets kinds be tagged that are not in Kinds.
	Open bool
	// AgentTool gives the model the tool tag_artifact.
	AgentTool bool
	// Max is how many artifacts an owner keeps: the oldest-updated go first.
	// Defaults to DefaultMaxArtifacts.
	Max int
}

// An ArtifactKind is one kind of artifact.
type ArtifactKind struct {
	Description string
	// Schema of the data, where there is one.
	Schema json.RawMessage
	// Parse checks data and gives what is stored; nil takes it as it is. Data that
	// does not fit gives an *InputError.
	Parse func(ctx context.Context, data json.RawMessage) (json.RawMessage, error)
}

// Artifacts tags and lists what a session, or its agent, made. An artifact is
// on disk, and in the log, before Tag returns.
type Artifacts interface {
	// Tag records an artifact. The same kind and key of one owner is the same
	// artifact: it keeps its id, and what is given anew replaces what was.
	Tag(ctx context.Context, a TagArtifact) (events.Artifact, error)
	// List gives the owner's artifacts, the newest-updated first.
	List(ctx context.Context, o ListArtifacts) ([]events.Artifact, error)
}

// TagArtifact describes an artifact.
type TagArtifact struct {
	// Kind defaults to DefaultArtifactKind.
	Kind string
	// Key is required: 1 to 512 bytes.
	Key   string
	Title string
	Data  json.RawMessage
	// Contents are the artifact's bytes; nil: it has none, and keeps those it had.
	Contents    []byte
	ContentType string
	FileName    string
}

// ListArtifacts selects artifacts. Limit defaults to 100.
type ListArtifacts struct {
	Kind      string
	SessionID string
	Limit     int
}

// Telemetry counts and measures on behalf of a session.
type Telemetry interface {
	// Increment adds n to a counter; n is not negative.
	Increment(name string, n float64, tags map[string]string)
	// Record adds a value to a histogram.
	Record(name string, value float64, tags map[string]string)
	// Tag sets an attribute of the session's span.
	Tag(key, value string)
}
