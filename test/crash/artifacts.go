//go:build failpoints

package crash

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/workspace"
	"github.com/gobdk/bdk/projections"
)

// checkContents: what an event says is there is on the disk, and an artifact that is
// tagged again keeps when it was made.
func (c *checker) checkContents() (err error) {
	content, err := workspace.OpenContent(filepath.Join(c.dir, "content"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	made := map[string]time.Time{}
	for id, log := range c.logs {
		for _, e := range log {
			d, ok := e.Data.(*events.ArtifactTagged)
			if !ok {
				continue
			}
			a := &d.Artifact
			if b, err := content.Get(a.SHA256); err != nil || a.Size == nil || int64(len(b)) != *a.Size {
				c.fail("%s: event %d: the contents of %s: %d bytes, %v", id, e.Index, a.ID, len(b), err)
			}
			if at, known := made[a.ID]; known && !at.Equal(a.CreatedAt) {
				c.fail("%s: event %d: %s was made at %v and at %v", id, e.Index, a.ID, at, a.CreatedAt)
			}
			made[a.ID] = a.CreatedAt
		}
	}
	return nil
}

// checkArtifacts: the row of an artifact is the record that its key points to.
func (c *checker) checkArtifacts(ctx context.Context, j *journal.Journal, v *projections.Views) error {
	ids := map[string]bool{}
	for _, log := range c.logs {
		for _, e := range log {
			if d, ok := e.Data.(*events.ArtifactTagged); ok {
				ids[d.Artifact.ID] = true
			}
		}
	}
	for id := range ids {
		row, ok, err := v.Artifact(ctx, id)
		if err != nil {
			return err
		}
		value, held, err := j.Lookup(ctx, "artifact/"+id, time.Now())
		if err != nil {
			return err
		}
		var at struct {
			Stream string
			Index  int
		}
		if !ok || !held || json.Unmarshal(value, &at) != nil || at.Index >= len(c.logs[at.Stream]) {
			c.fail("%s: the view has it: %v; the key holds %q", id, ok, value)
			continue
		}
		d, _ := c.logs[at.Stream][at.Index].Data.(*events.ArtifactTagged)
		got, _ := json.Marshal(row.Artifact)
		want, _ := json.Marshal(d.Artifact)
		if string(got) != string(want) {
			c.fail("%s: the view has %s, the log %s", id, got, want)
		}
	}
	return nil
}
