package project

import (
	"context"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/script"
)

// hookFile takes in what a file below hooks/ exports.
func (l *loader) hookFile(it item) func(script.Loaded, *source) {
	return func(m script.Loaded, src *source) {
		switch m.Kind {
		case "memoryHook":
			l.memoryHook(it, m, src)
		case "hook":
			l.hook(it, m, src)
		default:
			s, _ := slotOf(hooksFolder)
			l.wrongExport(m, src, s.want)
		}
	}
}

// hook reads {events: {type: handler}}.
func (l *loader) hook(it item, m script.Loaded, src *source) {
	before := l.report.errors()
	s := newSpec(l.report, src, ruleHookHandler, m.Spec)
	s.unknown(ruleHookUnknown, []string{"events"})
	if !s.has("events") {
		l.report.add(ruleHookHandler, src.export(), "the hook has no events", "write defineHook({events: {\"turn.completed\"(event, ctx) {...}}})")
		return
	}
	on := l.handlers(m.ID, s.object("events"))
	if l.report.errors() > before {
		return
	}
	if len(on) == 0 {
		l.report.add(ruleHookEmpty, s.at("events"), "the hook has no handlers, so it is left out", "give it a handler for an event, or remove the file")
		return
	}
	l.agent.Hooks = append(l.agent.Hooks, &agent.Hook{Name: it.name, Source: sourceProject, On: on})
}

// sourceProject is the Source of what lies in the project itself.
const sourceProject = "project"

// handlers binds the functions of a hook by their event types.
func (l *loader) handlers(module string, s *spec) map[string]agent.HookFunc {
	on, runtime := map[string]agent.HookFunc{}, l.runtime
	for _, key := range s.names() {
		if !isFunction(s.fields[key]) {
			s.wrong(key, "a function (event, ctx) => {...}")
			continue
		}
		if !l.checkEvent(s, key, ruleHookEvent) {
			continue
		}
		on[key] = func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
			return runtime.CallHook(ctx, module, key, e.Line, c)
		}
	}
	return on
}

// checkEvent warns of a key under which no handler is ever called, and says whether
// one is.
func (l *loader) checkEvent(s *spec, key, rule string) bool {
	types := events.SessionTypes()
	if rule == ruleChannelEvent && key == ownUpdate {
		l.report.add(rule, s.at(key), "what a channel did itself is not delivered to it, so the handler of "+key+" never runs", "remove the handler")
		return false
	}
	if key == agent.AnyEvent || slices.Contains(types, key) {
		return true
	}
	message, fix := key+" is no event that this build knows, so its handler never runs", "the events are "+strings.Join(types, ", ")+", and \"*\" for all"
	if near, ok := nearest(key, types); ok {
		fix = "did you mean \"" + near + "\"?"
	}
	if slices.Contains(events.Types(), key) {
		message, fix = key+" is an event of the agent's own log, and handlers see those of sessions", "remove the handler"
	}
	l.report.add(rule, s.at(key), message, fix)
	return false
}

// ownUpdate is what a channel's own setState and setContinuationToken record.
const ownUpdate = "channel.updated"
