package slacktest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// answer carries a method out. It needs the lock.
func (s *Server) answer(method string, form url.Values) map[string]any {
	switch method {
	case "auth.test":
		return map[string]any{"user_id": BotUser, "bot_id": BotID, "team_id": Team}
	case "users.info":
		return map[string]any{"user": map[string]any{"id": form.Get("user"), "name": strings.ToLower(form.Get("user")), "real_name": "Person " + form.Get("user")}}
	case "conversations.info":
		return map[string]any{"channel": map[string]any{"id": form.Get("channel"), "name": "room-" + strings.ToLower(form.Get("channel"))}}
	case "chat.postMessage":
		return s.post(form)
	case "chat.update":
		return s.update(form)
	case "conversations.history":
		return s.list(form.Get("channel"), "")
	case "conversations.replies":
		return s.list(form.Get("channel"), form.Get("ts"))
	case "assistant.threads.setStatus", "assistant.threads.setSuggestedPrompts", "chat.postEphemeral", "reactions.add", "reactions.remove", "chat.delete":
		return map[string]any{}
	case "reactions.get":
		return map[string]any{"message": map[string]any{"reactions": []any{map[string]any{"name": "eyes", "count": 1}}}}
	case "apps.connections.open":
		return map[string]any{"url": "ws" + strings.TrimPrefix(s.URL, "http") + "/link"}
	}
	return map[string]any{"ok": false, "error": "unknown_method"}
}

// maxText is the longest text that Slack keeps.
const maxText = 40_000

func (s *Server) post(form url.Values) map[string]any {
	channel := form.Get("channel")
	switch {
	case channel == "" || strings.HasPrefix(channel, "CNONE"):
		return map[string]any{"ok": false, "error": "channel_not_found"}
	case len([]rune(form.Get("text"))) > maxText:
		return map[string]any{"ok": false, "error": "msg_too_long"}
	case len(form.Get("blocks")) > 60_000:
		return map[string]any{"ok": false, "error": "msg_blocks_too_long"}
	}
	s.next++
	m := Message{TS: fmt.Sprintf("1800000000.%06d", s.next), Thread: form.Get("thread_ts"), User: BotUser, Text: form.Get("text")}
	m.Blocks, m.Metadata = json.RawMessage(form.Get("blocks")), json.RawMessage(form.Get("metadata"))
	s.messages[channel] = append(s.messages[channel], m)
	return map[string]any{"channel": channel, "ts": m.TS}
}

func (s *Server) update(form url.Values) map[string]any {
	list := s.messages[form.Get("channel")]
	for i := range list {
		if list[i].TS == form.Get("ts") {
			list[i].Text, list[i].Blocks = form.Get("text"), json.RawMessage(form.Get("blocks"))
			return map[string]any{"ts": list[i].TS}
		}
	}
	return map[string]any{"ok": false, "error": "message_not_found"}
}

func (s *Server) list(channel, thread string) map[string]any {
	list := []any{}
	for _, m := range s.messages[channel] {
		if thread != "" && m.Thread != thread && m.TS != thread {
			continue
		}
		row := map[string]any{"ts": m.TS, "user": m.User, "text": m.Text}
		if len(m.Metadata) > 0 {
			row["metadata"] = m.Metadata
		}
		list = append(list, row)
	}
	return map[string]any{"messages": list}
}
