package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/schema"
	"github.com/gobdk/bdk/internal/script"
)

var (
	routeFields  = []string{"method", "path", "description", "bodySchema", "querySchema", "acknowledge", "handler"}
	routeMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
)

// A route answers the requests of one of a channel's routes.
type route struct {
	runtime *script.Runtime
	module  string
	index   int
	// judges says that there is a schema of the body; body and query check plain JSON
	// Schema, nil where the project's own code checks.
	judges      bool
	body, query *schema.Schema
	// bodyDoc and queryDoc are the plain schemas, which tell what a text stands for.
	bodyDoc, queryDoc json.RawMessage
}

// routes reads the routes of a channel.
func (l *loader) routes(s *spec, module string) []*agent.Route {
	raw, ok := s.fields["routes"]
	if !ok {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || isNull(raw) {
		s.wrong("routes", `an array such as [POST("/", {handler})]`)
		return nil
	}
	var routes []*agent.Route
	taken := map[string]string{}
	for i, raw := range list {
		r := newSpec(l.report, s.source.route(i), ruleChannelOption, raw)
		if r.fields == nil {
			l.report.add(ruleChannelRoute, s.at("routes"), fmt.Sprintf("routes[%d] is %s", i, describe(raw)), `make it with GET, POST, PUT, PATCH or DELETE of "@cursor/bdk/channels"`)
			continue
		}
		routes = append(routes, l.route(r, &route{runtime: l.runtime, module: module, index: i}, taken))
	}
	return routes
}

func (l *loader) route(s *spec, r *route, taken map[string]string) *agent.Route {
	var method, path string
	_ = json.Unmarshal(s.fields["method"], &method) // another kind stays empty, and is refused
	_ = json.Unmarshal(s.fields["path"], &path)
	name := strings.TrimSpace(method + " " + path)
	fault := func(message, fix string) { l.report.add(ruleChannelRoute, s.source.export(), message, fix) }
	if !slices.Contains(routeMethods, method) {
		fault("the method of a route is "+describe(s.fields["method"]), "make it GET, POST, PUT, PATCH or DELETE")
	}
	if why := pathFault(path); why != "" {
		fault("the path of "+name+" cannot be served: "+why, `write it as "/", "/tickets" or "/tickets/:id"`)
	}
	if !isFunction(s.fields["handler"]) {
		fault("the handler of "+name+" is "+describe(s.fields["handler"]), "write async handler(request, ctx) { return Response.json({...}); }")
	}
	if first, twice := taken[requestsOf(method, path)]; twice {
		l.report.add(ruleChannelTwice, s.source.export(), name+" takes the same requests as "+first, "keep one of the two, or give one another path")
	}
	taken[requestsOf(method, path)] = name
	s.unknown(ruleChannelUnknown, routeFields)
	made := &agent.Route{Method: method, Path: path, Description: s.text("description"), Handle: r.handle}
	made.BodySchema, r.body, r.judges = l.routeSchema(s, "bodySchema", name)
	made.QuerySchema, r.query, _ = l.routeSchema(s, "querySchema", name)
	r.bodyDoc, r.queryDoc = made.BodySchema, made.QuerySchema
	if r.judges && method == "GET" {
		l.report.add(ruleChannelSchema, s.at("bodySchema"), name+" has a bodySchema, and a GET request has no body", "remove it, or describe the query with querySchema")
	}
	if s.has("acknowledge") {
		acknowledge := s.flag("acknowledge")
		made.Acknowledge = &acknowledge
	}
	return made
}

// routeSchema gives the schema to show, and what checks a plain one. One of the
// project's own code may have nothing to show.
func (l *loader) routeSchema(s *spec, field, route string) (doc json.RawMessage, plain *schema.Schema, there bool) {
	raw, ok := s.fields[field]
	if !ok {
		return nil, nil, false
	}
	doc, plain, fault := readSchema(raw)
	if fault != "" && !isSchema(raw) {
		l.report.add(ruleChannelSchema, s.at(field), "the "+field+" of "+route+" "+fault, "make it a Zod schema or a JSON Schema object, or leave it out")
	}
	return doc, plain, true
}

// pathFault says why a path cannot be a route's; empty where it can.
func pathFault(path string) string {
	probe := agent.Route{Method: "POST", Path: path, Handle: (&route{}).handle}
	err := probe.Check()
	if err == nil {
		return ""
	}
	return errors.Unwrap(err).Error()
}

// requestsOf is the same for routes that take the same requests.
func requestsOf(method, path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ":") {
			parts[i] = ":"
		}
	}
	return method + " " + strings.Join(parts, "/")
}

// handle answers a request with what the project's handler gives.
func (r *route) handle(ctx context.Context, c *agent.Call) (*agent.Response, error) {
	in, err := r.incoming(c.Request)
	if err != nil {
		return nil, err
	}
	return r.runtime.CallRoute(ctx, r.module, r.index, in, c)
}
