package projections

import (
	"errors"
	"fmt"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// artifacts is the built-in projection behind the artifact routes: the newest record
// of each artifact, as many for an owner as the events say. What a fork copied
// belongs to the session that it came from.
type artifacts struct {
	// started gives the first event of a session's log, which says whose it is.
	started func(sessionID string) (*events.SessionStarted, error)
}

// newArtifacts reads who a session belongs to from its log, where it never changes:
// a row for each session would be there for the few that tag something.
func newArtifacts(j *journal.Journal) artifacts {
	return artifacts{func(id string) (*events.SessionStarted, error) {
		lines, err := j.Read(id, 0, 1)
		if err != nil || len(lines) == 0 {
			return nil, err
		}
		e, err := events.Decode(lines[0].Data)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", journal.ErrCorrupt, err)
		}
		start, _ := e.Data.(*events.SessionStarted)
		return start, nil
	}}
}

// Name is "artifacts".
func (artifacts) Name() string { return nameArtifacts }

// Version is the version of the fold and of its layout.
func (artifacts) Version() int { return 1 }

// Apply keeps the record of an artifact, and drops the oldest beyond the owner's
// bound and those of a deleted session.
func (p artifacts) Apply(w *Writer, e *events.Event) error {
	switch e.Data.(type) {
	case *events.ArtifactTagged:
		return p.tagged(w, e)
	case *events.SessionDeleted:
		return dropSession(w, e.SessionID)
	}
	return nil
}

func (p artifacts) tagged(w *Writer, e *events.Event) error {
	d, err := asLogged(e)
	if err != nil || d.Artifact.SessionID != e.SessionID {
		return err
	}
	row := &artifactRow{ArtifactRow: ArtifactRow{Artifact: d.Artifact}, position: w.Position()}
	if row.Agent, row.Owner, err = p.ownerOf(w, e.SessionID); err != nil {
		return err
	}
	old, err := readArtifact(w, d.Artifact.ID)
	if err == nil && old != nil {
		err = old.remove(w)
	}
	if err == nil {
		err = row.add(w)
	}
	if err != nil {
		return err
	}
	return trim(w, ownedPrefix(row.Agent, row.Owner), d.Max)
}

// asLogged gives the payload as the log holds it, wherever the event came from.
func asLogged(e *events.Event) (*events.ArtifactTagged, error) {
	line, err := events.AppendLine(nil, e)
	if err != nil {
		return nil, err
	}
	again, err := events.Decode(line)
	if err != nil {
		return nil, err
	}
	return again.Data.(*events.ArtifactTagged), nil
}

// ownerOf says whose a log is. An error of the store is tried again.
func (p artifacts) ownerOf(w *Writer, stream string) (agent string, owner events.Principal, err error) {
	if slug, ok := agentOf(stream); ok {
		return slug, events.AgentPrincipal, nil
	}
	start, err := p.started(stream)
	switch {
	case err != nil && !errors.Is(err, journal.ErrCorrupt):
		w.fault = err
		return "", owner, err
	case err != nil:
		return "", owner, err
	case start == nil:
		return "", owner, errors.New("an artifact in a log without a session")
	}
	return start.Agent, start.Principal, nil
}

// trim drops an owner's oldest-updated artifacts beyond max.
func trim(w *Writer, owned []byte, max int) error {
	if max <= 0 {
		max = events.DefaultMaxArtifacts
	}
	n, err := countOf(w, owned)
	if err != nil || n <= max {
		return err
	}
	var oldest []string
	for kv, err := range w.Scan(owned, after(owned), false) {
		if err != nil {
			return err
		}
		if len(oldest) == n-max {
			break
		}
		at, err := decodeListed(kv.Value)
		if err != nil {
			return err
		}
		oldest = append(oldest, at.id)
	}
	return dropAll(w, oldest)
}

// dropSession forgets what a deleted session tagged last.
func dropSession(w *Writer, id string) error {
	prefix := sessionKey(id, "")
	var ids []string
	for kv, err := range w.Scan(prefix, after(prefix), false) {
		if err != nil {
			return err
		}
		ids = append(ids, string(kv.Key[len(prefix):]))
	}
	return dropAll(w, ids)
}

func dropAll(w *Writer, ids []string) error {
	for _, id := range ids {
		row, err := readArtifact(w, id)
		if err == nil && row != nil {
			err = row.remove(w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
