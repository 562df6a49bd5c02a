package actors

import (
	"context"
	"errors"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

const conversationPrefix = "conversation/"

// conversationKey is claimed by the session that (agent, channel, token) names, from
// its start, or from a channel.updated, until its end.
func conversationKey(agent, channel, token string) string {
	return conversationPrefix + agent + "/" + channel + "/" + token
}

// conversationOf is the name that a session holds in its channel; empty: none.
func conversationOf(start *events.SessionStarted, st *session.State) string {
	switch {
	case st.Ended != "":
		return ""
	case st.ContinuationToken != "":
		return st.ContinuationToken
	}
	return start.ContinuationToken
}

// claimConversation moves the session's name with an append: the one that it holds
// after it is claimed, the one before is freed.
func (a *sessionActor) claimConversation(ap *journal.Append) {
	name := a.conversation
	for i := range ap.Events {
		switch d := ap.Events[i].Data.(type) {
		case *events.SessionStarted:
			name = d.ContinuationToken
		case *events.ChannelUpdated:
			if d.ContinuationToken != "" {
				name = d.ContinuationToken
			}
		}
	}
	if a.core.Ended != "" { // with this append, or before it
		name = ""
	}
	a.nextConversation = name
	if name == a.conversation {
		return
	}
	if a.conversation != "" {
		ap.Frees = append(ap.Frees, conversationKey(a.start.Agent, a.start.ChannelID, a.conversation))
	}
	if name != "" {
		ap.Claims = append(ap.Claims, journal.Claim{Key: conversationKey(a.start.Agent, a.start.ChannelID, name), Value: []byte(a.id)})
	}
}

// freeConversation lets go of a name whose session has ended and holds it all the
// same: builds before this one kept it for ever.
func (h *Host) freeConversation(ctx context.Context, id, key string) error {
	head, err := h.journal.Head(id)
	if err != nil {
		return refusal(err)
	}
	_, err = h.journal.Append(ctx, journal.Append{Stream: id, Expect: head, Frees: []string{key}, Now: h.now()})
	if errors.Is(err, journal.ErrMoved) { // what moved it may have freed it
		return nil
	}
	return refusal(err)
}
