package project

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// ways are the fields that say how a connection reaches its server, each with the
// fields that belong to it alone.
var ways = map[string][]string{
	"url":     {"headers", "oauth"},
	"command": {"args", "env", "cwd"},
	"agent":   nil,
}

// connectionFields are those of defineConnection.
var connectionFields = []string{
	"url", "headers", "command", "args", "env", "cwd", "agent", "description", "advertiseTools", "tools", "needsApproval", "effect", "oauth", "optional",
}

// connectionFile takes in what a file of one of the two folders exports. Nothing is opened.
func (l *loader) connectionFile(s slot, it item) func(script.Loaded, *source) {
	return func(m script.Loaded, src *source) {
		if m.Kind != s.kind {
			l.wrongExport(m, src, s.want)
			return
		}
		before := l.report.errors()
		f := newSpec(l.report, src, ruleConnectionField, m.Spec)
		c := readConnection(f)
		c.Name, c.Source, c.HostOnly = it.name, sourceProject, s.folder == hostConnectionsFolder
		c.Lookup = func(name string) (string, bool) { v, ok := l.env[name]; return v, ok }
		c.Secrets = secretsOf(l.env)
		for _, bad := range connectionFaults(c) {
			l.report.add(ruleConnectionField, f.at(bad.field), bad.message, bad.fix)
		}
		f.unknown(ruleConnectionUnknown, connectionFields)
		l.checkVariables(f, c)
		l.checkPeer(f, c)
		if slices.ContainsFunc(l.agent.Connections, func(o *agent.Connection) bool { return o.Name == c.Name }) {
			l.report.add(ruleConnectionName, top(src.file), "there is a connection called "+quote(c.Name)+" in the other folder, too", "rename one of the two files")
		}
		if l.report.errors() == before {
			l.agent.Connections = append(l.agent.Connections, c)
		}
	}
}

func readConnection(f *spec) *agent.Connection {
	c := &agent.Connection{
		Description: strings.TrimSpace(f.text("description")), URL: f.text("url"), Headers: f.strings("headers"), Command: f.text("command"), Args: f.texts("args"),
		Env: f.strings("env"), Cwd: f.text("cwd"), Agent: f.text("agent"), Advertise: f.flag("advertiseTools"), Optional: f.flag("optional"),
		NeedsApproval: readByTool(f, "needsApproval", "true, false, or an object of tool names with them", func(raw json.RawMessage) (v, ok bool) {
			return string(raw) == "true", string(raw) == "true" || string(raw) == "false"
		}),
		Effect: readByTool(f, "effect", `"read", "write", or an object of tool names with them`, func(raw json.RawMessage) (v string, ok bool) {
			return v, json.Unmarshal(raw, &v) == nil && (v == agent.EffectRead || v == agent.EffectWrite)
		}),
		OAuth: readOAuth(f),
	}
	tools := f.object("tools")
	c.Allow, c.Deny = tools.texts("allow"), tools.texts("deny")
	tools.unknown(ruleConnectionUnknown, []string{"allow", "deny"})
	checkWay(f)
	if c.URL != "" && !isWebAddress(c.URL) {
		f.wrong("url", "an address that begins with https:// or http://")
	}
	if c.Agent != "" && !slugForm.MatchString(c.Agent) {
		f.wrong("agent", "the slug of an agent, which is the name of its folder")
	}
	return c
}

// checkPeer warns of an agent that does not lie beside this one. A host cannot serve
// one without the other; all else can be done without it.
func (l *loader) checkPeer(f *spec, c *agent.Connection) {
	if !slugForm.MatchString(c.Agent) || slices.Contains(l.slugs, c.Agent) {
		return
	}
	fix := "mend the slug: it is the name of the agent's folder, which lies beside this one"
	above := filepath.Dir(l.place.Dir)
	if _, ok := placeAt(filepath.Join(above, c.Agent)); ok {
		fix = "give --dir the folder that has both, " + above
	}
	l.report.add(ruleConnectionPeer, f.at("agent"), "the agent "+quote(c.Agent)+" is not in what is loaded, and bdk serve needs it beside this one", fix)
}

// checkWay holds that there is one way to the server, and no fields of another.
func checkWay(f *spec) {
	var given []string
	for _, way := range []string{"url", "command", "agent"} {
		if f.has(way) {
			given = append(given, way)
		}
	}
	if len(given) != 1 {
		found := "none of them"
		if len(given) > 1 {
			found = strings.Join(given, " and ")
		}
		f.report.add(ruleConnectionWay, f.source.export(), "a connection has one of url, command and agent, and this one has "+found,
			"write url for a server over HTTP, command for one that the host starts, or agent for another agent of this host")
		return
	}
	for way, fields := range ways {
		for _, field := range fields {
			if way != given[0] && f.has(field) {
				f.report.add(ruleConnectionWay, f.at(field), field+" belongs to a connection with "+way+", and this one has "+given[0], "remove it")
			}
		}
	}
}

// readByTool reads a value for all tools, or one for each name.
func readByTool[T any](f *spec, name, want string, read func(json.RawMessage) (T, bool)) map[string]T {
	raw, ok := f.fields[name]
	if !ok {
		return nil
	}
	if v, ok := read(raw); ok {
		return map[string]T{"*": v}
	}
	var fields map[string]json.RawMessage
	if isFunction(raw) || isNull(raw) || json.Unmarshal(raw, &fields) != nil {
		f.wrong(name, want)
		return nil
	}
	out := map[string]T{}
	for tool, raw := range fields {
		v, ok := read(raw)
		if !ok {
			f.wrong(name, want)
			return nil
		}
		out[tool] = v
	}
	return out
}

// readOAuth reads true, or what the host is to know.
func readOAuth(f *spec) *agent.OAuth {
	raw, ok := f.fields["oauth"]
	if !ok || string(raw) == "false" {
		return nil
	}
	out := &agent.OAuth{}
	if string(raw) != "true" {
		o := f.object("oauth")
		out.ClientID, out.ClientSecret, out.Scopes = o.text("clientId"), o.text("clientSecret"), o.texts("scopes")
		o.unknown(ruleConnectionUnknown, []string{"clientId", "clientSecret", "scopes"})
	}
	return out
}

// checkVariables warns of what headers and env are filled with and nobody defines, and
// of what is written like it elsewhere.
func (l *loader) checkVariables(f *spec, c *agent.Connection) {
	field := "headers"
	if c.Command != "" {
		field = "env"
	}
	for _, name := range c.Variables() {
		if _, ok := l.env[name]; !ok {
			l.report.add(ruleConnectionVariable, f.at(field), "the variable "+name+" is not defined, so the connection cannot be opened", "set "+name+" in .env or in the environment")
		}
	}
	for _, at := range unfilled(c) {
		l.report.add(ruleConnectionVariable, f.at(at[0]), "${"+at[1]+"} in "+at[0]+" stays as it is written: headers and env alone are filled", "write process.env."+at[1]+" in the file, or give it to the server in env")
	}
}

// strings is an object of strings; nil when it is absent.
func (s *spec) strings(name string) map[string]string {
	raw, ok := s.fields[name]
	if !ok {
		return nil
	}
	var v map[string]*string
	if isFunction(raw) || json.Unmarshal(raw, &v) != nil || isNull(raw) {
		s.wrong(name, "an object of strings")
		return nil
	}
	out := make(map[string]string, len(v))
	for key, value := range v {
		if value == nil {
			s.wrong(name, "an object of strings")
			return nil
		}
		out[key] = *value
	}
	return out
}
