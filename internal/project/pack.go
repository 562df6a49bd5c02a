package project

import (
	"encoding/json"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// packChannel makes a channel of a ready-made one's options; nil when it has errors, or
// does not start.
func (l *loader) packChannel(id, from string, m script.Loaded, src *source, pack json.RawMessage) *agent.Channel {
	if string(pack) == `"slack"` {
		return l.slackChannel(id, from, m, src)
	}
	return l.githubChannel(id, from, m, src)
}
