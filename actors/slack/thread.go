package slack

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"

	"github.com/gobdk/bdk/actors/agent"
)

// A place is a thread of a channel of a workspace.
type place struct{ team, channel, thread string }

// token is the conversation's name: <team>:<channel>:<thread>.
func (p place) token() string { return p.team + ":" + p.channel + ":" + p.thread }

var (
	tokenForm = regexp.MustCompile(`^([A-Z0-9]{1,32}):([A-Z0-9]{1,32}):([0-9]{1,12}\.[0-9]{1,9})$`)
	idForm    = regexp.MustCompile(`^[A-Z0-9]{1,32}$`)
	tsForm    = regexp.MustCompile(`^[0-9]{1,12}\.[0-9]{1,9}$`)
)

// parsePlace reads a token; false for what is no conversation on Slack.
func parsePlace(token string) (place, bool) {
	m := tokenForm.FindStringSubmatch(token)
	if m == nil {
		return place{}, false
	}
	return place{m[1], m[2], m[3]}, true
}

// target reads where a schedule's message goes: {channelId, threadTs?} names a channel, in
// which the reply is a message of its own, or a thread in it; else it is
// {continuationToken?, title?}.
func (c *channel) target(raw json.RawMessage) (agent.SendOptions, error) {
	var t struct {
		ChannelID         string `json:"channelId"`
		ThreadTS          string `json:"threadTs"`
		TeamID            string `json:"teamId"`
		ContinuationToken string `json:"continuationToken"`
		Title             string `json:"title"`
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &t); err != nil {
			return agent.SendOptions{}, errors.New("the target of a slack channel is an object with channelId and, for a thread, threadTs")
		}
	}
	o := agent.SendOptions{ContinuationToken: t.ContinuationToken, Title: t.Title}
	switch {
	case t.ChannelID == "" && t.ThreadTS == "" && t.TeamID == "":
		return o, nil
	case !idForm.MatchString(t.ChannelID) || t.ContinuationToken != "":
		return agent.SendOptions{}, errors.New("the target of a slack channel names one place: channelId, such as C0123456789, with threadTs for a thread in it; or a continuationToken")
	case t.ThreadTS != "" && !tsForm.MatchString(t.ThreadTS):
		return agent.SendOptions{}, errors.New("threadTs is the ts of a thread's first message, such as 1700000001.123456")
	}
	team, err := c.team(t.TeamID)
	if err != nil {
		return agent.SendOptions{}, err
	}
	if t.ThreadTS != "" {
		o.ContinuationToken = place{team, t.ChannelID, t.ThreadTS}.token()
		return o, nil
	}
	o.State, err = json.Marshal(kept{Channel: t.ChannelID, Team: team})
	return o, err
}

// team is the workspace that a target names, or that of the bot.
func (c *channel) team(given string) (string, error) {
	if given == "" && c.o.Client != nil {
		ctx, cancel := context.WithTimeout(context.Background(), attemptLimit)
		defer cancel()
		given = c.o.Client.self(ctx).Team
	}
	if !idForm.MatchString(given) {
		return "", errors.New("nobody can say which workspace the target is in: Slack does not answer auth.test; give it teamId, such as T0123456789")
	}
	return given, nil
}
