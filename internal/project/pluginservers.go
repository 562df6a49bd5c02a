package project

import (
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// serverFiles are where plugins keep their MCP servers.
var serverFiles = []string{".mcp.json", "mcp.json"}

// A pluginServer is one entry of mcpServers.
type pluginServer struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	Cwd      string            `json:"cwd"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Disabled bool              `json:"disabled"`
	OAuth    *pluginOAuth      `json:"oauth"`
	Auth     *pluginOAuth      `json:"auth"`
	Tools    json.RawMessage   `json:"tools"`
}

// A pluginOAuth is how the formats write a client of OAuth.
type pluginOAuth struct {
	ClientID     string   `json:"clientId"`
	ClientSecret string   `json:"clientSecret"`
	Scopes       []string `json:"scopes"`
	CursorID     string   `json:"CLIENT_ID"`
	CursorSecret string   `json:"CLIENT_SECRET"`
}

// servers mounts the MCP servers of the plugin as connections.
func (p *plugin) servers() {
	var own string
	switch names := json.Unmarshal(p.manifest.MCPServers, &own) == nil && own != ""; {
	case names && !filepath.IsLocal(filepath.FromSlash(own)):
		p.fault(rulePluginPath, p.manifestFile(), "mcpServers names "+quote(own)+", which leads out of the plugin", "copy the file into the plugin")
	case names:
		if !p.serverFile(path.Clean(own)) {
			p.fault(rulePluginServer, p.manifestFile(), "mcpServers names "+quote(own)+", and there is no such file", "mend the path, or remove it")
		}
	case len(p.manifest.MCPServers) > 0:
		p.serverList(p.manifestFile(), p.manifest.MCPServers)
	}
	for _, file := range serverFiles {
		if path.Clean(own) != file {
			p.serverFile(file)
		}
	}
}

func (p *plugin) manifestFile() string {
	for _, name := range pluginManifests {
		if info, err := p.root.Stat(filepath.FromSlash(name)); err == nil && !info.IsDir() {
			return name
		}
	}
	return pluginManifests[0]
}

// serverFile reads {mcpServers: {...}}, or the servers themselves. It gives false where
// there is no such file.
func (p *plugin) serverFile(file string) bool {
	text, ok := p.read(file)
	if !ok || text == nil {
		return !ok // what cannot be read was said
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		p.badJSON(rulePluginServer, file, "it is no list of MCP servers: ", text, err)
		return true
	}
	list, wrapped := fields["mcpServers"]
	if !wrapped {
		delete(fields, "$schema")
		list, _ = json.Marshal(fields) // what was decoded encodes
	}
	p.serverList(file, list)
	return true
}

func (p *plugin) serverList(file string, raw json.RawMessage) {
	var list map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		p.fault(rulePluginServer, file, "mcpServers is no object of servers", "write {\"mcpServers\": {\"name\": {...}}}")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		for _, m := range placeholder.FindAllSubmatch(list[name], -1) {
			p.asked = append(p.asked, string(m[1]))
		}
		var s pluginServer
		if err := json.Unmarshal(list[name], &s); err != nil {
			_, message := jsonFault(list[name], err)
			p.fault(rulePluginServer, file, "the server "+quote(name)+" cannot be read: "+message, "write {command, args, env} or {url, headers}")
			continue
		}
		p.server(file, name, &s)
		p.noteFields("the server "+name, list[name], serverFields)
	}
}

// serverFields are those of a server that are read.
var serverFields = []string{"type", "command", "args", "env", "cwd", "url", "headers", "disabled", "oauth", "auth", "tools"}

// noteFields says which fields of something do nothing here.
func (p *plugin) noteFields(what string, raw json.RawMessage, known []string) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // it was decoded before
	unread := slices.DeleteFunc(slices.Sorted(maps.Keys(fields)), func(name string) bool { return slices.Contains(known, name) })
	if len(unread) > 0 {
		p.made.Notes = append(p.made.Notes, what+" has fields that are not read: "+strings.Join(unread, ", "))
	}
}

var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// server mounts one server.
func (p *plugin) server(file, given string, s *pluginServer) {
	name := strings.Trim(unsafeInName.ReplaceAllString(given, "_"), "_")
	http := s.Type == "http" || s.Type == "sse" || s.Type == "streamable-http" || s.Type == "streamableHttp"
	var fault string
	switch {
	case s.Disabled:
		p.made.Notes = append(p.made.Notes, "the server "+given+" is not mounted: the plugin has it disabled")
		return
	case name == "":
		fault = "has a name that no connection can have"
	case p.has(agent.SlotConnections, name):
		fault = "is there twice, or under a name that is another's but for its punctuation"
	case (s.Command == "") == (s.URL == ""):
		fault = "has neither command nor url, or both"
	case s.Type != "" && s.Type != "stdio" && !http:
		fault = "is of type " + quote(s.Type) + ", and this host opens stdio, http and sse"
	case s.Type == "stdio" && s.Command == "" || http && s.URL == "":
		fault = "is of type " + s.Type + ", which does not fit the rest of it"
	case leaves(s.Cwd), strings.HasPrefix(s.Command, "./") && leaves(s.Command):
		fault = "has a path that leads out of the plugin"
	case len(s.Tools) > 0:
		fault = "has tools, which are not read here"
	}
	var c *agent.Connection
	switch {
	case p.overlaid(name):
		c = &agent.Connection{Source: p.source()}
		p.mount.replaced = append(p.mount.replaced, name)
	case fault != "":
		p.fault(rulePluginServer, file, "the server "+quote(given)+" "+fault, "mend it, or put a connection of your own in its place: "+p.overlayOf(name))
		return
	default:
		if c = p.connection(file, given, s); c == nil {
			return
		}
	}
	c.Name = name
	p.made.Connections = append(p.made.Connections, c)
	p.made.Files[agent.SlotConnections+"/"+name] = path.Join(p.shown, file)
}

// overlaid says whether a file of the mount takes the place of a server, so that it
// does not matter whether the plugin's own could be opened.
func (p *plugin) overlaid(name string) bool {
	return !p.has(agent.SlotConnections, name) && slices.ContainsFunc(p.mount.over.layout.slots[agent.SlotConnections], func(it item) bool { return it.name == name })
}

// overlayOf is the file that would lie over a server.
func (p *plugin) overlayOf(name string) string {
	return path.Join(p.mount.project.place.Root, extensionsFolder, p.mount.name, agent.SlotConnections, name+".ts")
}

// connection fills what is written with the variables; nil where one has no value.
func (p *plugin) connection(file, name string, s *pluginServer) *agent.Connection {
	f := p.filling()
	c := &agent.Connection{
		Source: p.source(), URL: f.now(s.URL), Command: f.now(s.Command), Headers: f.later(s.Headers), Env: f.later(s.Env), Lookup: f.lookup(), OAuth: s.oauth(f),
		Secrets: secretsOf(p.given.Variables),
	}
	for _, arg := range s.Args {
		c.Args = append(c.Args, f.now(arg))
	}
	if c.Command != "" {
		c.Cwd = p.below(f.now(s.Cwd))
		if strings.HasPrefix(c.Command, "./") {
			c.Command = p.below(c.Command)
		}
	}
	if len(f.missing) > 0 {
		p.faultMissing(file, name, f.missing)
		return nil
	}
	return p.usable(file, name, c)
}

// faultMissing reports placeholders that have no value.
func (p *plugin) faultMissing(file, name string, missing []string) {
	for _, v := range missing {
		message, fix := "the server "+quote(name)+" has a placeholder ${"+v+"} without a value", "give variables: {"+v+": ...} to cursorPlugin in "+p.mount.file
		if slices.Contains(p.given.Unset, v) {
			message, fix = "the server "+quote(name)+" needs "+v+", whose value in variables is undefined", "set the environment variable that "+p.mount.file+" reads"
		}
		p.fault(rulePluginVariable, file, message, fix)
	}
}

// checkVariables warns of variables that no server asks for.
func (p *plugin) checkVariables() {
	for _, name := range slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(p.given.Variables)), p.given.Unset))) {
		if slices.Contains(p.asked, name) {
			continue
		}
		fix := "remove it, or write ${" + name + "} where a server of the plugin needs it"
		if near, ok := nearest(name, p.asked); ok {
			fix = "did you mean " + near + "?"
		}
		p.mount.project.report.add(rulePluginUnused, p.src.field("variables", name), "no MCP server of the plugin has a placeholder ${"+name+"}", fix)
	}
}

// usable gives a connection that a client could be opened with; nil for another.
func (p *plugin) usable(file, name string, c *agent.Connection) *agent.Connection {
	faults := connectionFaults(c)
	if c.URL != "" && !isWebAddress(c.URL) {
		faults = append(faults, connectionFault{"url", "the url is not one of http or https", "make it an address that begins with https:// or http://"})
	}
	for _, bad := range faults {
		p.fault(rulePluginServer, file, "the server "+quote(name)+" cannot be used: "+bad.message, bad.fix)
	}
	if len(faults) > 0 {
		return nil
	}
	return c
}

// below is a path of the plugin, its folder for none.
func (p *plugin) below(given string) string {
	if local := filepath.FromSlash(given); !filepath.IsAbs(local) {
		return filepath.Join(p.dir, local)
	}
	return given
}

// leaves says whether a relative path leads out of the plugin.
func leaves(given string) bool {
	local := filepath.FromSlash(given)
	return given != "" && !strings.Contains(given, "${") && !filepath.IsAbs(local) && !filepath.IsLocal(local)
}

// oauth is the client that the server names; nil: none.
func (s *pluginServer) oauth(f *filling) *agent.OAuth {
	o := s.OAuth
	if o == nil {
		o = s.Auth
	}
	if o == nil {
		return nil
	}
	id, secret := o.ClientID, o.ClientSecret
	if id == "" {
		id, secret = o.CursorID, o.CursorSecret
	}
	return &agent.OAuth{ClientID: f.now(id), ClientSecret: f.now(secret), Scopes: o.Scopes}
}
