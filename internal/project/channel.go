package project

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// channelFields are the fields of defineChannel.
var channelFields = []string{"description", "auth", "routes", "events", "state", "onStart", "admission", "approvals", "acknowledge"}

// hostChannels are the ids of what the host itself opens sessions for.
var hostChannels = []string{"http", "mcp", "cli", "eval", "schedule", "tools"}

// channelFile takes in what channels/<id>.ts exports.
func (l *loader) channelFile(it item) func(script.Loaded, *source) {
	return func(m script.Loaded, src *source) {
		if c := l.channel(it.name, sourceProject, m, src); c != nil {
			l.agent.Channels = append(l.agent.Channels, c)
		}
	}
}

// channel makes a channel of what a file exports; nil when it has errors.
func (l *loader) channel(id, from string, m script.Loaded, src *source) *agent.Channel {
	own, _ := slotOf(channelsFolder)
	if m.Kind != own.kind {
		l.wrongExport(m, src, own.want)
		return nil
	}
	before := l.report.errors()
	s := newSpec(l.report, src, ruleChannelOption, m.Spec)
	if pack := s.fields["pack"]; pack != nil {
		return l.packChannel(id, from, m, src, pack)
	}
	if l.ns == "" && slices.Contains(hostChannels, id) {
		l.report.add(ruleChannelID, top(src.file), quote(id)+" is the id of something that the host itself opens sessions for", "rename the file")
	}
	c := &agent.Channel{
		ID: id, Source: from, Description: s.text("description"), Auth: l.auth(s, m.ID), Routes: l.routes(s, m.ID),
		Admission:   s.oneOf("admission", agent.AdmissionQueue, agent.AdmissionInterrupt, agent.AdmissionCoalesce, agent.AdmissionReject),
		Acknowledge: s.flag("acknowledge"), Approvals: s.flag("approvals"), State: readState(s), On: l.deliveries(s, m.ID), OnStart: l.onStart(s, m.ID),
	}
	s.unknown(ruleChannelUnknown, channelFields)
	if l.report.errors() > before {
		return nil
	}
	if len(c.Routes) == 0 && len(c.On) == 0 && c.OnStart == nil {
		l.report.add(ruleChannelEmpty, src.export(), "the channel has no routes, no events and no onStart, so nothing reaches it but schedules", `give it routes: [POST("/", {handler})], or remove the file`)
	}
	return c
}

func readState(s *spec) json.RawMessage {
	raw := s.fields["state"]
	var unfit struct {
		Lost string `json:"$lost"`
	}
	switch {
	case isFunction(raw):
		s.wrong("state", "the value that state begins with, which JSON can express")
	case bytes.HasPrefix(raw, []byte("{")) && json.Unmarshal(raw, &unfit) == nil && unfit.Lost != "":
		s.report.add(s.rule, s.at("state"), unfit.Lost+", which JSON cannot express", "give what JSON has: texts, numbers, true, false, null, arrays and objects")
	}
	return raw
}

// deliveries binds the handlers of events by their types.
func (l *loader) deliveries(s *spec, module string) map[string]agent.DeliverFunc {
	if !s.has("events") {
		return nil
	}
	events, runtime, on := s.object("events"), l.runtime, map[string]agent.DeliverFunc{}
	for _, key := range events.names() {
		if !isFunction(events.fields[key]) {
			events.wrong(key, "a function (event, channel, ctx) => {...}")
			continue
		}
		if !l.checkEvent(events, key, ruleChannelEvent) {
			continue
		}
		on[key] = func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
			return runtime.CallDelivery(ctx, module, key, e.Line, c)
		}
	}
	return on
}

func (l *loader) onStart(s *spec, module string) func(context.Context, *agent.Call) error {
	raw, ok := s.fields["onStart"]
	if !ok {
		return nil
	}
	if !isFunction(raw) {
		s.wrong("onStart", "a function (ctx) => {...}")
		return nil
	}
	runtime := l.runtime
	return func(ctx context.Context, c *agent.Call) error { return runtime.StartChannel(ctx, module, c) }
}
