package scripted

import (
	"fmt"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// DefaultWindow is how many tokens the context of the scripted model holds; the
// model param "context" replaces it.
const DefaultWindow = 200_000

// fits refuses a request that is too long, counting a token for four bytes.
func fits(r *model.Request) error {
	window := int64(model.Window(r.Params, DefaultWindow))
	if n := r.Tokens(); n > window {
		message := fmt.Sprintf("the request has %d tokens, and the context of the scripted model holds %d", n, window)
		return &model.Error{Message: message, Code: events.FailContextOverflow}
	}
	return nil
}

// summaryText is what a script's rules are matched with when the host asks for a
// summary: what people said in the conversation is no question to the script.
const summaryText = "/compact"

// summary plays the first step of a rule for it, or else says that it was done.
// Rules for any text do not count, and nothing is called.
func (m *Model) summary() (*played, error) {
	at := place{text: summaryText}
	for i := range m.rules {
		r := &m.rules[i]
		if r.re == nil && r.substring == "" {
			continue
		}
		if groups, ok := r.match(at.text); ok {
			p, err := r.play(at, groups)
			if p != nil {
				p.calls = nil
			}
			return p, err
		}
	}
	return &played{say: "I summed up what was said so far."}, nil
}
