package project

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// vendorTools are the tools that mounts of the vendor's hosted services bring, by
// service, each with whether it writes.
var vendorTools = map[string]map[string]bool{
	"cursor-cloud-agents":   {"launch": true, "get": false, "list": false, "dump": false, "reply": true, "cancel": true},
	"cursor-grokbot-agents": {"ask": true, "check": false, "list": false},
	"improve":               {},
	"jev":                   {},
}

// vendorSkills are the skills that such mounts bring.
var vendorSkills = map[string][]string{"cursor-cloud-agents": {"handoff"}}

// vendorExtension is one of the vendor's hosted services: its names are listed, and
// each call is an error result.
func (l *loader) vendorExtension(ns, service string, src *source) *agent.Extension {
	tools := vendorTools[service]
	message := "the mount loads, and each call of what it brings is an error: the service " + service + " is not part of this host"
	if len(tools) == 0 {
		message = "the mount loads and brings nothing: the service " + service + " is not part of this host"
	}
	l.report.add(ruleExtensionVendor, src.export(), message, "leave it, or remove the file")
	e := &agent.Extension{Namespace: ns, Origin: "@cursor/bdk/extensions/" + service, Notes: []string{"the service " + service + " is not part of this host"}}
	for name, writes := range tools {
		e.Tools = append(e.Tools, vendorTool(ns, service, name, writes))
	}
	for _, name := range vendorSkills[service] {
		e.Skills = append(e.Skills, &agent.Skill{Name: name, Description: unavailable(service), Markdown: unavailable(service)})
	}
	return e
}

// unavailable describes what a service would bring.
func unavailable(service string) string {
	return "Not available: needs the hosted service " + service + ", which is not part of this host."
}

func vendorTool(ns, service, name string, writes bool) *agent.Tool {
	effect := agent.EffectRead
	if writes {
		effect = agent.EffectWrite
	}
	sentence := fmt.Sprintf("%s__%s needs the service %s, which is not part of this host", ns, name, service)
	return &agent.Tool{
		Name:          name,
		Description:   unavailable(service),
		Execution:     agent.ExecutionServer,
		Effect:        effect,
		NeedsApproval: agent.ApprovalNever,
		InputSchema:   json.RawMessage(`{"type":"object"}`),
		Timeout:       agent.DefaultTimeout,
		Prepare: func(_ context.Context, c *agent.Call) (agent.Prepared, error) {
			return agent.Prepared{Input: c.Args, Effect: effect}, nil
		},
		Execute: func(context.Context, *agent.Call) (agent.Result, error) {
			return failed(sentence, events.CodeToolError), nil
		},
	}
}
