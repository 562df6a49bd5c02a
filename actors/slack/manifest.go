package slack

import (
	"encoding/json"
	"slices"
)

// manifest is what an app of Slack is made of, for the channel. Without a url it is
// served by a socket.
func (c *channel) manifest(url string) (json.RawMessage, error) {
	name := either(c.o.ID, "bdk")
	if name == "slack" {
		name = "bdk agent"
	}
	settings := map[string]any{
		"event_subscriptions": addressed(url, map[string]any{"bot_events": c.botEvents()}),
		"interactivity":       addressed(url, map[string]any{"is_enabled": true}),
		"socket_mode_enabled": url == "",
		"org_deploy_enabled":  false, "token_rotation_enabled": false,
	}
	features := map[string]any{
		"bot_user": map[string]any{"display_name": name, "always_online": true},
		"app_home": map[string]any{"home_tab_enabled": false, "messages_tab_enabled": true, "messages_tab_read_only_enabled": false},
	}
	if len(c.o.SuggestedPrompts) > 0 {
		features["assistant_view"] = map[string]any{"assistant_description": "Talks with " + name, "suggested_prompts": c.o.SuggestedPrompts}
	}
	return json.MarshalIndent(map[string]any{
		"display_information": map[string]any{"name": name},
		"features":            features,
		"oauth_config":        map[string]any{"scopes": map[string]any{"bot": c.scopes()}},
		"settings":            settings,
	}, "", "  ")
}

func addressed(url string, fields map[string]any) map[string]any {
	if url != "" {
		fields["request_url"] = url
	}
	return fields
}

func (c *channel) watches() bool { return len(c.o.Engagement.ChannelPosts.Allow) > 0 }

func (c *channel) botEvents() []string {
	list := []string{"app_mention", "message.im"}
	if c.watches() {
		list = append(list, "message.channels", "message.groups")
	}
	if len(c.o.SuggestedPrompts) > 0 {
		list = append(list, "assistant_thread_started")
	}
	slices.Sort(list)
	return list
}

// scopes are what the channel itself needs; ctx.host.slack may need more. The histories
// are for finding what was posted before a crash.
func (c *channel) scopes() []string {
	list := []string{"app_mentions:read", "channels:history", "chat:write", "groups:history", "im:history", "users:read"}
	if named(c.o.Engagement.ChannelPosts.Allow) {
		list = append(list, "channels:read", "groups:read")
	}
	if len(c.o.SuggestedPrompts) > 0 {
		list = append(list, "assistant:write")
	}
	slices.Sort(list)
	return list
}
