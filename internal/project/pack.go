package project

import (
	"encoding/json"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// packChannel makes a channel of a ready-made one's options; nil when it has errors, or
// does not start.
func (l *loader) packChannel(id, from string, m script.Loaded, src *source, pack json.RawMessage) *agent.Channel {
	switch string(pack) {
	case `"github"`:
		return l.githubChannel(id, from, m, src)
	case `"slack"`:
		return l.slackChannel(id, from, m, src)
	}
	l.report.add(ruleUnserved, top(src.file), "this build does not serve the channel pack "+string(pack)+" yet, so this one does nothing",
		"leave it as it is: the rest of the project is served; or use a build that does")
	return nil
}
