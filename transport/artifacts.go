package transport

import (
	"net/http"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/projections"
)

const (
	maxArtifacts     = 1000
	defaultArtifacts = 100
)

type artifactsReply struct {
	OK        bool              `json:"ok"`
	Artifacts []events.Artifact `json:"artifacts"`
}

// artifacts lists the caller's artifacts of this agent, an operator's everybody's.
func (c *call) artifacts() error {
	q := c.query()
	aq := projections.ArtifactQuery{Agent: c.agent.Slug, Limit: int(q.between("limit", 1, maxArtifacts, defaultArtifacts))}
	aq.Kind, _ = q.text("kind")
	aq.SessionID, _ = q.text("sessionId")
	if err := q.err(); err != nil {
		return err
	}
	if !c.operator {
		aq.Owner = &c.principal
	}
	if err := c.caughtUp(); err != nil {
		return err
	}
	rows, err := c.h.views.Artifacts(c.r.Context(), aq)
	if err != nil {
		return err
	}
	reply := artifactsReply{OK: true, Artifacts: make([]events.Artifact, len(rows))}
	for i := range rows {
		reply.Artifacts[i] = rows[i].Artifact
	}
	return c.reply(http.StatusOK, reply)
}

// ownedArtifact gives an artifact of this agent when the caller may see it.
func (c *call) ownedArtifact(id string) (*events.Artifact, error) {
	if err := c.caughtUp(); err != nil {
		return nil, err
	}
	row, ok, err := c.h.views.Artifact(c.r.Context(), id)
	switch {
	case err != nil:
		return nil, err
	case !ok || row.Agent != c.agent.Slug:
		return nil, refuse("unknown_artifact", "no artifact of this agent has this id")
	case row.Owner != c.principal && !c.operator:
		return nil, refuse("forbidden", "this artifact belongs to another principal")
	}
	return &row.Artifact, nil
}

type artifactReply struct {
	OK       bool             `json:"ok"`
	Artifact *events.Artifact `json:"artifact"`
}

// showArtifact gives the record of one artifact.
func (c *call) showArtifact() error {
	return c.reply(http.StatusOK, artifactReply{OK: true, Artifact: c.artifact})
}
