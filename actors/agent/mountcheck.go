package agent

import (
	"errors"
	"reflect"
	"slices"
	"strings"
)

// present gives what there is of a list, and a fault for each element that is nil.
func present[T any](m *mounting, slot string, list []*T) []*T {
	out := make([]*T, 0, len(list))
	for _, v := range list {
		if v == nil {
			m.fault(slot, "", "one of them is nil", "leave it out")
			continue
		}
		out = append(out, v)
	}
	return out
}

// isNil says whether a value is a pointer or a function to nothing.
func isNil(value any) bool {
	v := reflect.ValueOf(value)
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Func) && v.IsNil()
}

// sound says whether a contribution is one that a host can be started with, and what
// is wrong with it where it is not.
func (m *mounting) sound(b *brought) bool {
	c, ok := b.value.(interface{ Check() error })
	if !ok {
		return true
	}
	err := c.Check()
	if err == nil {
		return true
	}
	fix := "mend it in the extension"
	if b.overlay == OverlayReplaced {
		fix = "mend the overlay"
	}
	f := &MountFault{Namespace: m.from.Namespace, Slot: b.slot, Name: b.name, Overlay: b.overlay == OverlayReplaced, Fix: fix}
	prefix, _, _ := strings.Cut(err.Error(), ": ")
	f.Message = strings.ReplaceAll(strings.ReplaceAll("\n"+err.Error(), "\n"+prefix+": ", "; ")[2:], "\n", "; ")
	m.faults = append(m.faults, f)
	return false
}

// ready refuses to mount where there is nothing to mount, or nothing to mount it on.
func ready(a *Agent, e *Extension) error {
	switch {
	case a == nil:
		return errors.New("mounting: there is no agent: it is nil")
	case e == nil:
		return errors.New("mounting: there is no extension: it is nil")
	case slices.Contains(a.Tools, nil), slices.Contains(a.Skills, nil), slices.Contains(a.Subagents, nil), slices.Contains(a.Hooks, nil),
		slices.Contains(a.Channels, nil), slices.Contains(a.Schedules, nil), slices.Contains(a.Connections, nil), slices.Contains(a.Mounts, nil):
		return errors.New("mounting " + e.Namespace + ": something that the agent has of its own is nil: leave it out")
	}
	return nil
}
