package transport

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"
)

// Names in paths. Their length is checked after the match: a bounded repetition
// makes a regular expression several times slower.
const (
	idPattern   = `[A-Za-z0-9_-]+`
	filePattern = `[A-Za-z0-9_.-]+`
	slugPattern = `[A-Za-z0-9][A-Za-z0-9_-]*`
	maxName     = 128

	channelPath = "/v1/channels/{channelId:" + idPattern + "}"
	// channelRest is what stands behind a channel's own path, as it was sent.
	channelRest = "rest"
)

// router finds the endpoint of a path. Only mux's matcher is used: its own
// ServeHTTP would copy the request twice to carry what Match already returns.
type router struct {
	mux    *mux.Router
	byPath map[string]*endpoint
	// channels is the endpoint of every path of a channel; which route it is the agent says.
	channels *endpoint
}

// An endpoint is a path with the routes of its methods.
type endpoint struct {
	methods map[string]*route
	// allow is the value of the Allow header.
	allow string
	// path is the pattern, with names in braces.
	path string
	// evals says that the path is there for agents with evals alone.
	evals bool
}

// ServeHTTP makes an endpoint a handler, so that mux can hold it; it is never called.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNotFound)
}

func newRouter(o *Options) (*router, error) {
	r := &router{mux: mux.NewRouter().SkipClean(true).UseEncodedPath(), byPath: map[string]*endpoint{}, channels: &endpoint{}}
	prefix := ""
	if o.Mode == ModeMulti {
		prefix = "/{agent:" + slugPattern + "}"
	}
	if o.Docs != nil { // before an agent's, whose name could be docs
		for _, rt := range docsRoutes() {
			r.add("", &rt)
		}
	}
	for _, rt := range agentRoutes() {
		r.add(prefix, &rt)
	}
	for _, rt := range evalRoutes() {
		r.add(prefix, &rt)
	}
	if o.Playground != nil {
		for _, rt := range playgroundRoutes() {
			r.add(prefix, &rt)
		}
	}
	if o.Dev {
		for _, rt := range devRoutes() {
			r.add(prefix, &rt)
		}
	}
	for _, rt := range hostRoutes() {
		if !o.NoIndex || !indexRoutes[rt.path] {
			r.add("", &rt)
		}
	}
	if o.Docs != nil {
		rest := docsRest()
		r.add("", &rest)
	}
	r.channels.path = shownPath(prefix, &route{path: "/v1/channels/{channelId}"})
	r.mux.Handle(prefix+channelPath, r.channels)
	r.mux.Handle(prefix+channelPath+"/{"+channelRest+":.*}", r.channels)
	for path, e := range r.byPath {
		e.allow = allowed(e.methods)
		if err := r.mux.Get(path).GetError(); err != nil {
			return nil, fmt.Errorf("transport: route %s: %w", path, err)
		}
	}
	return r, nil
}

// patterns says which characters the names of a path may have.
var patterns = strings.NewReplacer("{fileName}", "{fileName:"+filePattern+"}", "{docsPath}", "{docsPath:.+}", "}", ":"+idPattern+"}")

// add puts a route on its path; the first of two on one path and method stays.
func (r *router) add(prefix string, rt *route) {
	path := prefix + patterns.Replace(rt.path)
	e := r.byPath[path]
	if e == nil {
		e = &endpoint{methods: map[string]*route{}, path: shownPath(prefix, rt), evals: rt.evals}
		r.byPath[path] = e
		r.mux.Handle(path, e).Name(path)
	}
	if e.methods[rt.method] == nil {
		e.methods[rt.method] = rt
	}
}

// shownPath is a route's pattern as people write it.
func shownPath(prefix string, rt *route) string {
	if prefix == "" {
		return rt.path
	}
	return "/{agent}" + rt.path
}

// find gives the endpoint of a request's path as it was sent, and what the path names.
func (r *router) find(req *http.Request) (*endpoint, map[string]string) {
	var m mux.RouteMatch
	if !r.mux.Match(req, &m) {
		return nil, nil
	}
	for what, name := range m.Vars {
		if what != channelRest && len(name) > maxName {
			return nil, nil
		}
	}
	e, _ := m.Handler.(*endpoint)
	return e, m.Vars
}

// route gives the route of a method; HEAD is answered as GET, without the body.
func (e *endpoint) route(method string) *route {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	return e.methods[method]
}

func allowed(methods map[string]*route) string {
	names := slices.Collect(maps.Keys(methods))
	if methods[http.MethodGet] != nil {
		names = append(names, http.MethodHead)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
