package project

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/script"
)

// vendorTools are the tools that mounts of the vendor's hosted services bring, by
// service, each with whether it writes.
var vendorTools = map[string]map[string]bool{
	"cursor-cloud-agents":   {"launch": true, "get": false, "list": false, "dump": false, "reply": true, "cancel": true},
	"cursor-grokbot-agents": {"ask": true, "check": false, "list": false},
	"improve":               {},
	"jev":                   {},
}

// vendorMount mounts one of the vendor's hosted services: its names are listed, and
// each call is an error result. It is false for any other extension.
func (l *loader) vendorMount(it item, m script.Loaded, src *source) bool {
	var mount struct {
		Vendor string `json:"vendor"`
	}
	_ = json.Unmarshal(m.Spec, &mount) // an extension of another kind has no vendor
	tools, ok := vendorTools[mount.Vendor]
	if !ok {
		return false
	}
	message := "the mount loads, and each call of what it brings is an error: the service " + mount.Vendor + " is not part of this host"
	if len(tools) == 0 {
		message = "the mount loads and brings nothing: the service " + mount.Vendor + " is not part of this host"
	}
	l.report.add(ruleExtensionVendor, src.export(), message, "leave it, or remove the file")
	for name, writes := range tools {
		l.agent.Tools = append(l.agent.Tools, vendorTool(it.name, mount.Vendor, name, writes))
	}
	return true
}

func vendorTool(ns, service, name string, writes bool) *agent.Tool {
	effect := agent.EffectRead
	if writes {
		effect = agent.EffectWrite
	}
	sentence := fmt.Sprintf("%s__%s needs the service %s, which is not part of this host", ns, name, service)
	return &agent.Tool{
		Name:          ns + "__" + name,
		Description:   "Not available: needs the hosted service " + service + ", which is not part of this host.",
		Source:        "extension:" + ns,
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
