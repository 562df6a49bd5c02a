package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/failpoint"
)

// A tagger is agent.Artifacts for one call, or for a hook. What it tags belongs to
// the session's owner and its log; outside of a session, to the agent.
type tagger struct {
	j                    *job
	turn, callID, parent string
	hook                 string
}

// artifacts gives those of a call. A hook has its name in the place of a call; turn
// is then that of the event which it was told.
func (j *job) artifacts(turn, callID, parent, hook string) agent.Artifacts {
	return &tagger{j: j, turn: turn, callID: callID, parent: parent, hook: hook}
}

func (t *tagger) owner() events.Principal {
	if t.j.unbound {
		return events.AgentPrincipal
	}
	return t.j.info.Owner
}

// Tag is agent.Artifacts'. The contents are on disk before the event, and once that
// is on its way Tag waits for the disk, whatever becomes of ctx.
func (t *tagger) Tag(ctx context.Context, a agent.TagArtifact) (events.Artifact, error) {
	h, rules := t.j.h, t.j.agent.Artifacts
	if err := checkTag(ctx, rules, &a); err != nil {
		return events.Artifact{}, err
	}
	rec := newRecord(&a)
	rec.ID = artifactID(t.j.agent.Slug, t.owner(), a.Kind, a.Key)
	if a.Contents != nil {
		if err := h.keepContents(&rec, a.Contents); err != nil {
			return events.Artifact{}, err
		}
		failpoint.Hit("artifact.contents_kept")
	}
	if err := h.tagging.enter(ctx, rec.ID); err != nil {
		return events.Artifact{}, err
	}
	defer h.tagging.leave(rec.ID)
	was, err := h.lastTagged(ctx, rec.ID)
	if err == nil {
		err = complete(&rec, was, rules)
	}
	if err != nil {
		return events.Artifact{}, err
	}
	return t.record(ctx, rec)
}

// newRecord has what was given anew, and nothing else.
func newRecord(a *agent.TagArtifact) events.Artifact {
	return events.Artifact{Kind: a.Kind, Key: a.Key, Title: a.Title, Data: a.Data, ContentType: a.ContentType, FileName: a.FileName}
}

// complete adds what was not given: what the artifact had before, else defaults.
func complete(rec, was *events.Artifact, rules *agent.ArtifactRules) error {
	if was == nil {
		if rules != nil && rules.Kinds[rec.Kind].Parse != nil && rec.Data == nil {
			return invalid("data", fmt.Sprintf("is required: the kind %q has a schema", rec.Kind))
		}
		was = &events.Artifact{Title: rec.Key, Data: []byte("null")}
	}
	rec.CreatedAt, rec.UpdatedAt = was.CreatedAt, was.UpdatedAt
	for _, f := range []struct {
		field *string
		was   string
	}{{&rec.Title, was.Title}, {&rec.ContentType, was.ContentType}, {&rec.FileName, was.FileName}} {
		if *f.field == "" {
			*f.field = f.was
		}
	}
	if rec.Data == nil {
		rec.Data = was.Data
	}
	if !rec.HasContent {
		rec.HasContent, rec.SHA256, rec.Size = was.HasContent, was.SHA256, was.Size
	}
	return nil
}

// record puts the event into the log that it belongs to and waits for the disk.
func (t *tagger) record(ctx context.Context, rec events.Artifact) (events.Artifact, error) {
	if err := ctx.Err(); err != nil {
		return events.Artifact{}, err
	}
	ctx = context.WithoutCancel(ctx)
	max := 0
	if r := t.j.agent.Artifacts; r != nil && r.Max > 0 && r.Max != agent.DefaultMaxArtifacts {
		max = r.Max
	}
	if t.j.unbound {
		log := t.j.agent.log
		rec.SessionID = log.stream
		d := &events.ArtifactTagged{Artifact: rec, Max: max, ParentCallID: t.parent}
		_, err := log.tag(ctx, t.callID, d)
		return d.Artifact, refusal(err)
	}
	rec.SessionID = t.j.info.ID
	in := &session.Tag{Artifact: rec, Max: max, Origin: session.Origin{TurnID: t.turn, CallID: t.callID, ParentCallID: t.parent}}
	r, err := t.j.h.exchange(ctx, &command{id: rec.SessionID, inputs: []session.Input{in}, hook: t.hook})
	if err != nil {
		return events.Artifact{}, err
	}
	return r.artifact.Artifact, nil
}

// artifactViews is what Options.Views can do besides, where artifacts are listed.
type artifactViews interface {
	// ArtifactsOf lists the records of one agent that a principal owns, newest-updated first.
	ArtifactsOf(ctx context.Context, agent string, owner events.Principal, kind, sessionID string, limit int) ([]events.Artifact, error)
}

const (
	defaultListed = 100
	maxListed     = 1000
	// listWait is how long a list waits for what is in the log by now.
	listWait = 2 * time.Second
)

// List is agent.Artifacts'. It shows what was tagged before.
func (t *tagger) List(ctx context.Context, o agent.ListArtifacts) ([]events.Artifact, error) {
	views, ok := t.j.h.o.Views.(artifactViews)
	if !ok {
		return nil, errors.New("artifacts cannot be listed: this host runs without views")
	}
	switch {
	case o.Limit == 0:
		o.Limit = defaultListed
	case o.Limit < 0 || o.Limit > maxListed:
		return nil, invalid("limit", fmt.Sprintf("must be from 1 to %d", maxListed))
	}
	bound, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	if err := t.j.h.o.Views.WaitFor(bound, t.j.h.journal.Position()); err != nil {
		return nil, fmt.Errorf("listing artifacts: the list is behind: %w", err)
	}
	return views.ArtifactsOf(ctx, t.j.agent.Slug, t.owner(), o.Kind, o.SessionID, o.Limit)
}
