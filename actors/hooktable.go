package actors

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A hookTable finds an agent's handlers; nil has none.
type hookTable struct {
	byType map[string][]hookHandler
	// others are for the types that no handler names.
	others []hookHandler
}

// A hookHandler is one handler and the hook that it is part of.
type hookHandler struct {
	hook string
	fn   agent.HookFunc
}

// newHookTable puts handlers in the order in which they run: by the names of their
// hooks, in each the one of the type before the one of every type.
func newHookTable(hooks []*agent.Hook) *hookTable {
	hooks = slices.SortedStableFunc(slices.Values(hooks), func(a, b *agent.Hook) int { return cmp.Compare(a.Name, b.Name) })
	t := &hookTable{byType: map[string][]hookHandler{}}
	for _, k := range hooks {
		for name := range k.On {
			if name != agent.AnyEvent {
				t.byType[name] = nil
			}
		}
	}
	for name := range maps.Keys(t.byType) {
		t.byType[name] = handlersOf(hooks, name)
	}
	t.others = handlersOf(hooks, agent.AnyEvent)
	if len(t.byType) == 0 && len(t.others) == 0 {
		return nil
	}
	return t
}

func handlersOf(hooks []*agent.Hook, typ string) (out []hookHandler) {
	for _, k := range hooks {
		if fn := k.On[typ]; fn != nil {
			out = append(out, hookHandler{k.Name, fn})
		}
		if fn := k.On[agent.AnyEvent]; fn != nil && typ != agent.AnyEvent {
			out = append(out, hookHandler{k.Name, fn})
		}
	}
	return out
}

// of gives the handlers for events of a type.
func (t *hookTable) of(typ string) []hookHandler {
	if t == nil {
		return nil
	}
	if x, ok := t.byType[typ]; ok {
		return x
	}
	return t.others
}

// wanted gives the indexes from the first event that somebody subscribed to, to
// after the last.
func (t *hookTable) wanted(evs []events.Event) (from, to uint64, ok bool) {
	if t == nil {
		return 0, 0, false
	}
	for i := range evs {
		if len(t.of(evs[i].Type)) == 0 {
			continue
		}
		if !ok {
			from, ok = evs[i].Index, true
		}
		to = evs[i].Index + 1
	}
	return from, to, ok
}

// copyEvent reads a line into an event that shares nothing with it.
func copyEvent(line []byte) (*agent.HookEvent, error) {
	e, err := events.Decode(line)
	if err != nil {
		return nil, err
	}
	return &agent.HookEvent{Event: e, Line: bytes.Clone(line)}, nil
}
