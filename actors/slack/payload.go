package slack

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/url"

	"github.com/gobdk/bdk/actors/agent"
)

// An incoming is what a request brings: exactly one of its fields is set.
type incoming struct {
	event   *envelope
	action  *interaction
	command *command
}

// An envelope is an event as Slack sends it.
type envelope struct {
	EventID        string          `json:"event_id"`
	TeamID         string          `json:"team_id"`
	AppID          string          `json:"api_app_id"`
	Event          json.RawMessage `json:"event"`
	Authorizations []struct {
		TeamID string `json:"team_id"`
		UserID string `json:"user_id"`
	} `json:"authorizations"`
}

// A wireEvent is what is read of an event.
type wireEvent struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	Channel     string `json:"channel"`
	ChannelType string `json:"channel_type"`
	User        string `json:"user"`
	UserTeam    string `json:"user_team"`
	Team        string `json:"team"`
	Username    string `json:"username"`
	BotID       string `json:"bot_id"`
	AppID       string `json:"app_id"`
	BotProfile  struct {
		AppID string `json:"app_id"`
		Name  string `json:"name"`
	} `json:"bot_profile"`
	Text     string `json:"text"`
	TS       string `json:"ts"`
	ThreadTS string `json:"thread_ts"`
	Files    []struct {
		Name string `json:"name"`
	} `json:"files"`
	Metadata  wireMetadata `json:"metadata"`
	Assistant struct {
		User     string `json:"user_id"`
		Channel  string `json:"channel_id"`
		ThreadTS string `json:"thread_ts"`
	} `json:"assistant_thread"`
}

// wireMetadata is what an app keeps with a message.
type wireMetadata struct {
	Type    string `json:"event_type"`
	Payload struct {
		ID string `json:"id"`
	} `json:"event_payload"`
}

// An interaction is a click.
type interaction struct {
	Type      string `json:"type"`
	TriggerID string `json:"trigger_id"`
	Team      struct {
		ID string `json:"id"`
	} `json:"team"`
	User struct {
		ID     string `json:"id"`
		TeamID string `json:"team_id"`
	} `json:"user"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Container struct {
		MessageTS string `json:"message_ts"`
	} `json:"container"`
	Actions []struct {
		ID    string `json:"action_id"`
		Value string `json:"value"`
		TS    string `json:"action_ts"`
	} `json:"actions"`
}

// A command is a slash command.
type command struct{ name, text, team, channel, user, userName, trigger string }

// readIncoming reads a request that verify let in.
func readIncoming(r *agent.Request) (*incoming, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && kind == typeForm {
		return readForm(r.Body)
	}
	e := &envelope{}
	if err := json.Unmarshal(r.Body, e); err != nil {
		return nil, badBody("", "it is no event: "+err.Error())
	}
	return &incoming{event: e}, nil
}

func readForm(body []byte) (*incoming, error) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, badBody("", "the form cannot be read")
	}
	if payload := form.Get("payload"); payload != "" {
		a := &interaction{}
		if err := json.Unmarshal([]byte(payload), a); err != nil {
			return nil, badBody("payload", "it is no interaction: "+err.Error())
		}
		return &incoming{action: a}, nil
	}
	return &incoming{command: &command{
		name: form.Get("command"), text: form.Get("text"), team: form.Get("team_id"), channel: form.Get("channel_id"),
		user: form.Get("user_id"), userName: form.Get("user_name"), trigger: form.Get("trigger_id"),
	}}, nil
}

func badBody(path, text string) error {
	return &agent.RequestError{Where: "body", Issues: []agent.Issue{{Path: path, Message: text}}}
}

// id names the delivery; empty where nothing does.
func (in *incoming) id() string {
	switch {
	case in.event != nil:
		return in.event.EventID
	case in.action != nil && len(in.action.Actions) > 0 && in.action.TriggerID != "":
		return "action:" + in.action.TriggerID + ":" + in.action.Actions[0].TS
	case in.command != nil && in.command.trigger != "":
		return "command:" + in.command.trigger
	}
	return ""
}

// botUser is the bot's user, where the event says so.
func (e *envelope) botUser() string {
	for _, a := range e.Authorizations {
		if a.TeamID == e.TeamID || len(e.Authorizations) == 1 {
			return a.UserID
		}
	}
	return ""
}

func (e *envelope) read() (*wireEvent, error) {
	w := &wireEvent{}
	if err := json.Unmarshal(e.Event, w); err != nil {
		return nil, badBody("event", fmt.Sprint("it is no event: ", err))
	}
	if e.TeamID == "" || w.Type == "" {
		return nil, badBody("event", "it has no type, or no team_id stands beside it")
	}
	return w, nil
}
