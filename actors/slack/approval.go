package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// Actions of the buttons.
const (
	actionApprove = "bdk_approve"
	actionDeny    = "bdk_deny"
)

// A ticket is what a button says: which call of which session.
type ticket struct {
	Session string `json:"s"`
	Call    string `json:"c"`
}

// cardKey names the card of a call.
func (v *visit) cardKey(callID string) string { return "card/" + v.e.SessionID + "/" + callID }

// asked posts the card of a call that waits.
func (c *channel) asked(ctx context.Context, v *visit) error {
	d, ok := v.e.Data.(*events.InputRequested)
	if !ok || d.Kind != events.KindApproval {
		return nil
	}
	card := cardOf(d, v.e.SessionID, v.Agent)
	ts, err := c.put(ctx, v, post{key: v.cardKey(d.CallID), raw: card.title, blocks: card.open()})
	if code := codeOf(err); slices.Contains(tooLong, code) {
		card.args, card.hidden = nil, true
		ts, err = c.put(ctx, v, post{key: v.cardKey(d.CallID), raw: card.title, blocks: card.open()})
	}
	if err != nil {
		return err
	}
	if v.now.Cards == nil {
		v.now.Cards = map[string]string{}
	}
	v.now.Cards[d.CallID] = ts
	return v.keep(ctx)
}

// tooLong are how Slack refuses a card that is too large for it.
var tooLong = []string{"invalid_blocks", "msg_blocks_too_long", "msg_too_long", "invalid_blocks_format"}

// decided takes the buttons away and says who decided.
func (c *channel) decided(ctx context.Context, v *visit) error {
	d, ok := v.e.Data.(*events.InputResolved)
	if !ok {
		return nil
	}
	asked, err := surface.Since(v.Call, v.e, nil, func(found *events.InputRequested, e *events.Event) *events.InputRequested {
		if q, ok := e.Data.(*events.InputRequested); ok && q.CallID == d.CallID {
			return q
		}
		return found
	})
	if err != nil || asked == nil {
		return err
	}
	card := cardOf(asked, v.e.SessionID, v.Agent)
	p := post{key: v.cardKey(d.CallID), at: v.e.At.Add(-longTurn), raw: card.title + " — " + verdict(d), blocks: card.closed(verdict(d))}
	ts := v.now.Cards[d.CallID]
	if ts == "" {
		if ts, err = c.find(ctx, v.Call, v.at, &p); err != nil || ts == "" {
			return err
		}
	}
	err = c.edit(ctx, v.at, ts, &p)
	if slices.Contains(tooLong, codeOf(err)) {
		card.args, card.hidden = nil, true
		p.blocks = card.closed(verdict(d))
		err = c.edit(ctx, v.at, ts, &p)
	}
	if codeOf(err) == "message_not_found" {
		err = nil // somebody deleted it
	}
	if err != nil {
		return fmt.Errorf("closing the card of a call: %w", err)
	}
	if _, ok := v.now.Cards[d.CallID]; !ok {
		return nil
	}
	delete(v.now.Cards, d.CallID)
	return v.keep(ctx)
}

// verdict says how a call was decided, and by whom, in Slack's own form.
func verdict(d *events.InputResolved) string {
	words := map[string]string{
		events.DecisionApprove: ":white_check_mark: Approved", events.DecisionDeny: ":no_entry: Denied",
		events.DecisionExpired: ":hourglass: Nobody decided in time", events.DecisionCancelled: ":black_square_for_stop: Cancelled",
	}
	text := words[d.Decision]
	switch {
	case d.By == nil:
	case d.By.Kind == "slack" && idForm.MatchString(d.By.ID):
		text += " by <@" + d.By.ID + ">"
	default:
		text += " by " + escape(visible(surface.OneLine(d.By.Kind+" "+d.By.ID, 200)))
	}
	if d.Reason != "" {
		text += ": " + escape(visible(surface.OneLine(d.Reason, 500)))
	}
	return text
}

// click resolves the call of a button, as the person who clicked.
func (c *channel) click(ctx context.Context, call *agent.Call, in *interaction) (*agent.Response, error) {
	var t ticket
	if in.Type != "block_actions" || len(in.Actions) != 1 || json.Unmarshal([]byte(in.Actions[0].Value), &t) != nil || t.Session == "" || t.Call == "" {
		return passed(call, "", "the click is on no button of the channel"), nil
	}
	action := in.Actions[0].ID
	approver, ok := call.Sessions.(agent.Approver)
	if !ok || !c.o.ToolApprovals || action != actionApprove && action != actionDeny {
		return passed(call, "", "the channel has no such button"), nil
	}
	sent, found, err := call.Sessions.Find(ctx, t.Session)
	if err != nil {
		return nil, err
	}
	if at, isPlace := parsePlace(sent.ContinuationToken); !found || !isPlace || at.channel != in.Channel.ID {
		call.Log.Warn().Str("session", t.Session).Str("channel", in.Channel.ID).Msg("a click on Slack is for a session of another place, and passed")
		return passed(call, "", "the session is held elsewhere"), nil
	}
	by := events.Principal{Kind: "slack", Tenant: either(in.User.TeamID, in.Team.ID), ID: in.User.ID}
	err = approver.Decide(ctx, t.Session, t.Call, agent.Decision{Approve: action == actionApprove, By: by})
	switch {
	case errors.Is(err, agent.ErrDecided):
		c.whisper(ctx, call, in, "This call was decided before, or waits no more.")
	case err != nil:
		return nil, err
	}
	return said(http.StatusOK, map[string]any{"ok": true}), nil
}

// whisper tells the one who clicked. It is a nicety: what goes wrong is logged.
func (c *channel) whisper(ctx context.Context, call *agent.Call, in *interaction, text string) {
	params := map[string]string{"channel": in.Channel.ID, "user": in.User.ID, "text": text}
	if err := c.o.Client.ask(ctx, "chat.postEphemeral", params, nil); err != nil {
		call.Log.Debug().Err(err).Msg("telling who clicked on Slack")
	}
}
