package agent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func routeAt(method, path string) *Route {
	return &Route{Method: method, Path: path, Handle: func(context.Context, *Call) (*Response, error) { return nil, nil }}
}

// "its routes mount at /v1/channels/<id><path> (a path / adds nothing; parameters are
// :name)": what is no such path is refused, and says why.
func TestRoute_Check(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/": "", "/x": "", "/x/:id": "", "/:a/:b/c": "", "/.well-known/agent-card.json": "", "/message:send": "", "/@me": "", "/a-b_c~d": "",
		"": "begins with a slash", "x": "begins with a slash", "/x/": "no slash at its end", "//x": "two in a row", "/x//y": "two in a row",
		"/.": "go up", "/../x": "go up", "/x/..": "go up",
		"/*": "wildcards", "/x/:id?": "no parameter", "/:": "no parameter", "/:a-b": "no parameter", "/:__proto__": "no parameter", "/:id:cancel": "no parameter", "/:a/:a": "twice",
		"/{id}": "cannot have", "/a b": "cannot have", "/%41": "cannot have", "/a;b": "cannot have", "/größe": "cannot have", `/a\b`: "cannot have", "/a?b": "cannot have", "/a#b": "cannot have",
	} {
		err := routeAt("POST", path).Check()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
	}
	for _, method := range []string{"", "get", "HEAD", "OPTIONS", "TRACE", "CONNECT"} {
		if routeAt(method, "/").Check() == nil {
			t.Errorf("the method %q is taken", method)
		}
	}
	get := routeAt("GET", "/")
	get.BodySchema = json.RawMessage(`{}`)
	if err := get.Check(); err == nil {
		t.Error("a GET with a schema for its body is taken")
	}
	if err := (&Route{Method: "GET", Path: "/"}).Check(); err == nil {
		t.Error("a route without a handler is taken")
	}
}

func TestChannel_Check(t *testing.T) {
	t.Parallel()
	fine := &Channel{ID: "c", Routes: []*Route{routeAt("GET", "/a/:x"), routeAt("POST", "/a/:y"), routeAt("GET", "/:x/a"), routeAt("GET", "/a/a")}}
	if err := fine.Check(); err != nil {
		t.Error(err)
	}
	wrong := &Channel{ID: "c", Auth: []AuthPolicy{BearerAuth("")}, Routes: []*Route{routeAt("GET", "/a/:x"), routeAt("GET", "/a/:y"), routeAt("BREW", "/")}}
	err := wrong.Check()
	for _, want := range []string{"policy 1: bearerAuth", `GET /a/:y takes the same requests as /a/:x`, `"BREW"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}
