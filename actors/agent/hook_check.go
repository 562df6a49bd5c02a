package agent

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gobdk/bdk/events"
)

// Check says everything that is wrong with a hook, nil when its handlers can be called.
func (h *Hook) Check() error {
	if h == nil {
		return errors.New("a hook is nil")
	}
	var faults []error
	if h.Name == "" {
		faults = append(faults, errors.New("the name is missing"))
	}
	faults = append(faults, checkHandlers(h.On, func(f HookFunc) bool { return f == nil }))
	return under(fmt.Sprintf("hook %q", h.Name), errors.Join(faults...))
}

// checkHandlers holds the handlers of events by their types.
func checkHandlers[F any](on map[string]F, missing func(F) bool) error {
	var faults []error
	for _, key := range slices.Sorted(maps.Keys(on)) {
		if missing(on[key]) {
			faults = append(faults, fmt.Errorf("the handler of %q is nil: leave it out", key))
		}
		faults = append(faults, checkEventType(key))
	}
	return errors.Join(faults...)
}

// checkEventType refuses a key under which no handler would ever be called.
func checkEventType(key string) error {
	types := events.SessionTypes()
	switch {
	case key == AnyEvent || slices.Contains(types, key):
		return nil
	case slices.Contains(events.Types(), key):
		return fmt.Errorf("%q is an event of the agent's own log, and handlers see those of sessions", key)
	}
	return fmt.Errorf("no session has an event %q, so its handler would never run; the nearest is %q", key, nearestFirst(key, types)[0])
}
