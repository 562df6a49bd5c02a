package events

import (
	"slices"
	"strings"
)

// registry makes an empty payload for each wire name. Wire names are constants
// here and nowhere derived from Go names, so that a rename in Go changes no log.
var registry = map[string]func() Payload{
	"session.started":         func() Payload { return new(SessionStarted) },
	"session.updated":         func() Payload { return new(SessionUpdated) },
	"session.waiting":         func() Payload { return new(SessionWaiting) },
	"session.completed":       func() Payload { return new(SessionCompleted) },
	"session.failed":          func() Payload { return new(SessionFailed) },
	"session.deleted":         func() Payload { return new(SessionDeleted) },
	"message.received":        func() Payload { return new(MessageReceived) },
	"message.appended":        func() Payload { return new(MessageAppended) },
	"message.completed":       func() Payload { return new(MessageCompleted) },
	"reasoning.appended":      func() Payload { return new(ReasoningAppended) },
	"reasoning.completed":     func() Payload { return new(ReasoningCompleted) },
	"turn.started":            func() Payload { return new(TurnStarted) },
	"turn.resumed":            func() Payload { return new(TurnResumed) },
	"turn.completed":          func() Payload { return new(TurnCompleted) },
	"turn.failed":             func() Payload { return new(TurnFailed) },
	"step.started":            func() Payload { return new(StepStarted) },
	"step.completed":          func() Payload { return new(StepCompleted) },
	"actions.requested":       func() Payload { return new(ActionsRequested) },
	"action.result":           func() Payload { return new(ActionResult) },
	"input.requested":         func() Payload { return new(InputRequested) },
	"input.resolved":          func() Payload { return new(InputResolved) },
	"subagent.called":         func() Payload { return new(SubagentCalled) },
	"subagent.completed":      func() Payload { return new(SubagentCompleted) },
	"skill.loaded":            func() Payload { return new(SkillLoaded) },
	"artifact.tagged":         func() Payload { return new(ArtifactTagged) },
	"authorization.requested": func() Payload { return new(AuthorizationRequested) },
	"authorization.completed": func() Payload { return new(AuthorizationCompleted) },
	"context.compacted":       func() Payload { return new(ContextCompacted) },
	"reminder.set":            func() Payload { return new(ReminderSet) },
	"reminder.cancelled":      func() Payload { return new(ReminderCancelled) },
	"reminder.fired":          func() Payload { return new(ReminderFired) },
	"channel.updated":         func() Payload { return new(ChannelUpdated) },
	"schedule.fired":          func() Payload { return new(ScheduleFired) },
	"schedule.skipped":        func() Payload { return new(ScheduleSkipped) },
	"schedule.failed":         func() Payload { return new(ScheduleFailed) },
	"delivery.received":       func() Payload { return new(DeliveryReceived) },
	"delivery.handled":        func() Payload { return new(DeliveryHandled) },
	"tool.called":             func() Payload { return new(ToolCalled) },
	"tool.result":             func() Payload { return new(ToolResult) },
}

// Types lists every wire name that this build knows, sorted.
func Types() []string {
	names := make([]string, 0, len(registry))
	for name := range registry {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// agentTypes begin the wire names of events that no session has.
var agentTypes = []string{"schedule.", "delivery.", "tool."}

// SessionTypes lists those of Types that the log of a session may have.
func SessionTypes() []string {
	return slices.DeleteFunc(Types(), func(name string) bool {
		return slices.ContainsFunc(agentTypes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	})
}

// EventType gives the wire name of each payload.
func (*SessionStarted) EventType() string         { return "session.started" }
func (*SessionUpdated) EventType() string         { return "session.updated" }
func (*SessionWaiting) EventType() string         { return "session.waiting" }
func (*SessionCompleted) EventType() string       { return "session.completed" }
func (*SessionFailed) EventType() string          { return "session.failed" }
func (*SessionDeleted) EventType() string         { return "session.deleted" }
func (*MessageReceived) EventType() string        { return "message.received" }
func (*MessageAppended) EventType() string        { return "message.appended" }
func (*MessageCompleted) EventType() string       { return "message.completed" }
func (*ReasoningAppended) EventType() string      { return "reasoning.appended" }
func (*ReasoningCompleted) EventType() string     { return "reasoning.completed" }
func (*TurnStarted) EventType() string            { return "turn.started" }
func (*TurnResumed) EventType() string            { return "turn.resumed" }
func (*TurnCompleted) EventType() string          { return "turn.completed" }
func (*TurnFailed) EventType() string             { return "turn.failed" }
func (*StepStarted) EventType() string            { return "step.started" }
func (*StepCompleted) EventType() string          { return "step.completed" }
func (*ActionsRequested) EventType() string       { return "actions.requested" }
func (*ActionResult) EventType() string           { return "action.result" }
func (*InputRequested) EventType() string         { return "input.requested" }
func (*InputResolved) EventType() string          { return "input.resolved" }
func (*SubagentCalled) EventType() string         { return "subagent.called" }
func (*SubagentCompleted) EventType() string      { return "subagent.completed" }
func (*SkillLoaded) EventType() string            { return "skill.loaded" }
func (*ArtifactTagged) EventType() string         { return "artifact.tagged" }
func (*AuthorizationRequested) EventType() string { return "authorization.requested" }
func (*AuthorizationCompleted) EventType() string { return "authorization.completed" }
func (*ContextCompacted) EventType() string       { return "context.compacted" }
func (*ReminderSet) EventType() string            { return "reminder.set" }
func (*ReminderCancelled) EventType() string      { return "reminder.cancelled" }
func (*ReminderFired) EventType() string          { return "reminder.fired" }
func (*ChannelUpdated) EventType() string         { return "channel.updated" }
func (*ScheduleFired) EventType() string          { return "schedule.fired" }
func (*ScheduleSkipped) EventType() string        { return "schedule.skipped" }
func (*ScheduleFailed) EventType() string         { return "schedule.failed" }
func (*DeliveryReceived) EventType() string       { return "delivery.received" }
func (*DeliveryHandled) EventType() string        { return "delivery.handled" }
func (*ToolCalled) EventType() string             { return "tool.called" }
func (*ToolResult) EventType() string             { return "tool.result" }
