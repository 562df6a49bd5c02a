package cli

import (
	"encoding/json"
	"fmt"
	"net/url"
)

// A slackFixture is the request of an event, a command or a click.
type slackFixture struct {
	kind     string
	body     []byte
	delivery string
}

// parseSlackFixture makes a request of what a file has: what Slack sends around an event
// stays byte for byte.
func parseSlackFixture(text []byte, team, delivery string) (*slackFixture, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	var head struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		EventID string `json:"event_id"`
		Trigger string `json:"trigger_id"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("type, command, event_id and trigger_id are texts: %w", err)
	}
	id := delivery
	switch {
	case head.Command != "":
		return slackCommand(fields, team, firstOf(delivery, head.Trigger))
	case head.Type == "block_actions":
		return &slackFixture{formType, []byte(url.Values{"payload": {string(text)}}.Encode()), firstOf(head.Trigger, "none")}, nil
	case head.Type == "event_callback" && delivery == "", head.Type == "url_verification":
		return &slackFixture{jsonType, text, firstOf(head.EventID, "none")}, nil
	case head.Type == "event_callback":
		fields["event_id"], _ = json.Marshal(delivery) // a text
		body, err := json.Marshal(fields)
		return &slackFixture{jsonType, body, id}, err
	case head.Type == "":
		return nil, errNoSlackEvent
	}
	if id == "" {
		id = "Ev" + newUUID()
	}
	body, err := json.Marshal(map[string]any{"type": "event_callback", "event_id": id, "team_id": team, "event": json.RawMessage(text)})
	return &slackFixture{jsonType, body, id}, err
}

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
)

func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// slackCommand is a command as the form that Slack sends.
func slackCommand(fields map[string]json.RawMessage, team, trigger string) (*slackFixture, error) {
	if trigger == "" {
		trigger = newUUID()
	}
	form := url.Values{"team_id": {team}}
	for name, raw := range fields {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return nil, fmt.Errorf("%s of a command is a text", name)
		}
		form.Set(name, s)
	}
	form.Set("trigger_id", trigger)
	return &slackFixture{formType, []byte(form.Encode()), trigger}, nil
}
