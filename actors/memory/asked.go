package memory

import (
	"sync"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// maxAsked is how many open turns' messages are remembered. Those of others are read
// from the log when their turns end.
const maxAsked = 1000

// asked remembers the messages of open turns.
type asked struct {
	mu    sync.Mutex
	texts map[string]string // turn → its message
}

func (a *asked) put(turn, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.texts) < maxAsked {
		a.texts[turn] = text
	}
}

func (a *asked) take(turn string) (text string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, ok = a.texts[turn]
	delete(a.texts, turn)
	return text, ok
}

// recorded reads the message of a turn from the session's log, as for a turn that
// began before a restart. It looks backwards from the end of the turn, so that a long
// log costs nothing. Empty where there is no log.
func recorded(end *agent.HookEvent, c *agent.Call) (string, error) {
	if c.History == nil {
		return "", nil
	}
	for span := uint64(256); ; span *= 8 {
		from := end.Index - min(end.Index, span)
		for e, err := range c.History(from) {
			if err != nil {
				return "", err
			}
			if d, ok := e.Data.(*events.MessageReceived); ok && e.TurnID == end.TurnID {
				return d.Text, nil
			}
			if e.Index >= end.Index {
				break
			}
		}
		if from == 0 {
			return "", nil
		}
	}
}
