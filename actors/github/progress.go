package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gobdk/bdk/actors/surface"
)

// A stage is how far a turn is, as GitHub shows it.
type stage struct {
	status, says, sign string
}

var (
	working = stage{"pending", "is working on this", "⏳"}
	done    = stage{"success", "is done", "✅"}
	broken  = stage{"failure", "could not finish", "❌"}
	stopped = stage{"error", "was stopped", "⏹️"}
)

// shown is what the channel keeps in a session's state.
type shown struct {
	// StatusSHA is the commit whose status is pending.
	StatusSHA string `json:"statusSha,omitempty"`
	// BannerID is the comment that is edited.
	BannerID int64 `json:"bannerId,omitempty"`
}

// eyes shows that an event was seen. It is a nicety: what goes wrong is logged.
func (c *channel) eyes(ctx context.Context, o *occasion) {
	if c.o.Progress.NoReactions || o.react == "" {
		return
	}
	r := &request{method: http.MethodPost, path: o.react + "/reactions", installation: o.d.Installation}
	if err := c.o.Client.ask(ctx, r, map[string]string{"content": "eyes"}, nil); err != nil {
		o.d.Log.Warn().Err(err).Str("thread", o.at.token()).Msg("the reaction that shows that an event was seen could not be set on GitHub")
	}
}

// progress shows a stage in the ways that are wanted. id is that of an error.
func (c *channel) progress(ctx context.Context, v *visit, s stage, id string) error {
	var before shown
	_ = json.Unmarshal(v.Conversation.State(), &before) // null: nothing is shown yet
	after := before
	var errs []error
	if c.o.Progress.CommitStatus && v.at.pull {
		errs = append(errs, c.commitStatus(ctx, v, s, id, &after))
	}
	if c.o.Progress.Banner {
		errs = append(errs, c.banner(ctx, v, s, id, &after))
	}
	if after != before {
		state, err := json.Marshal(after)
		if err == nil {
			err = v.Conversation.SetState(ctx, state)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// commitStatus sets the status on the head that the turn began with.
func (c *channel) commitStatus(ctx context.Context, v *visit, s stage, id string, now *shown) error {
	if s == working || now.StatusSHA == "" {
		var p wirePull
		if err := c.o.Client.ask(ctx, v.at.pullRequest(0), nil, &p); err != nil {
			return fmt.Errorf("finding the head of %s: %w", v.at, err)
		}
		now.StatusSHA = p.Head.SHA
	}
	r := &request{method: http.MethodPost, path: v.at.repoPath() + "/statuses/" + now.StatusSHA}
	body := map[string]string{"state": s.status, "context": "bdk/" + surface.OneLine(v.Agent, 80), "description": surface.Cut(v.Agent+" "+s.says+errorPart(id), 140)}
	if err := c.o.Client.ask(ctx, r, body, nil); err != nil {
		return fmt.Errorf("setting the status of %s: %w", v.at, err)
	}
	if s != working {
		now.StatusSHA = ""
	}
	return nil
}

// banner edits the one comment that says what goes on, or makes it.
func (c *channel) banner(ctx context.Context, v *visit, s stage, id string, now *shown) error {
	text, m := s.sign+" **"+v.Agent+"** "+s.says+errorPart(id)+".", mark("banner", v.Session.ID)
	if now.BannerID == 0 {
		found, err := c.find(ctx, v.at, v.e.At, m)
		if err != nil {
			return fmt.Errorf("looking for the banner on %s: %w", v.at, err)
		}
		now.BannerID = found[m]
	}
	if now.BannerID != 0 {
		r := &request{method: http.MethodPatch, path: fmt.Sprintf("%s/issues/comments/%d", v.at.repoPath(), now.BannerID)}
		err := c.o.Client.ask(ctx, r, map[string]string{"body": text + "\n\n" + m}, nil)
		var gone *Error
		if !errors.As(err, &gone) || gone.Status != http.StatusNotFound {
			return err
		}
	}
	made, err := c.post(ctx, v.at, text, m)
	if err != nil {
		return fmt.Errorf("posting the banner on %s: %w", v.at, err)
	}
	now.BannerID = made
	return nil
}

func errorPart(id string) string {
	if id == "" {
		return ""
	}
	return " (error " + id + ")"
}
