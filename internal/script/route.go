package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// An Incoming is what a route's handler is given beside the raw request.
type Incoming struct {
	// Body is parsed JSON; nil: undefined. Query is an object.
	Body, Query json.RawMessage
}

// incoming is a request as JavaScript is told of it; its bytes are asked for apart.
type incoming struct {
	URL       string            `json:"url"`
	Method    string            `json:"method"`
	Headers   [][2]string       `json:"headers"`
	HasBody   bool              `json:"hasBody"`
	Params    map[string]string `json:"params"`
	Principal events.Principal  `json:"principal"`
	Query     json.RawMessage   `json:"query,omitempty"`
	Body      json.RawMessage   `json:"body,omitempty"`
	// DeliveryID is there where the request was recorded first.
	DeliveryID string `json:"deliveryId,omitempty"`
}

func describeRequest(r *agent.Request) incoming {
	in := incoming{URL: r.URL, Method: r.Method, Headers: [][2]string{}, Params: r.Params, Principal: r.Principal}
	in.HasBody = len(r.Body) > 0 && r.Method != http.MethodGet && r.Method != http.MethodHead
	if in.Params == nil {
		in.Params = map[string]string{}
	}
	if u, err := url.Parse(r.URL); err == nil && r.Header.Get("Host") == "" && u.Host != "" {
		in.Headers = append(in.Headers, [2]string{"host", latin1(u.Host)})
	}
	for name, values := range r.Header {
		for _, value := range values {
			in.Headers = append(in.Headers, [2]string{name, latin1(value)})
		}
	}
	slices.SortStableFunc(in.Headers, func(a, b [2]string) int { return bytes.Compare([]byte(a[0]), []byte(b[0])) })
	return in
}

// answered is a response as reply.js tells of it.
type answered struct {
	Status  int         `json:"status"`
	Headers [][2]string `json:"headers"`
	Body    []byte      `json:"body"`
	// Stream is the number of the body that is streamed; 0 for none.
	Stream int `json:"stream"`
}

// CallRoute gives Call.Request to the handler of a channel's route, by its place in
// routes. A body or query that does not fit a schema of the project's own code gives
// *agent.RequestError; plain JSON Schema is not looked at. What the handler throws is
// *Error. The body of the response streams as it is read, and ends with ctx. What the
// handler gave to waitUntil may use its ctx until Call.WaitUntil's work ends.
func (r *Runtime) CallRoute(ctx context.Context, module string, index int, in Incoming, c *agent.Call) (*agent.Response, error) {
	about := describeRequest(c.Request)
	about.Body, about.Query, about.DeliveryID = in.Body, in.Query, c.DeliveryID
	text, err := json.Marshal(about)
	if err != nil {
		return nil, fmt.Errorf("describing the request: %w", err)
	}
	raw, k, v, err := r.runLasting(ctx, c, "route:"+strconv.Itoa(index), module, string(text))
	if err != nil {
		return nil, err
	}
	defer k.lasting.release()
	var a answered
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, fmt.Errorf("reading the response: %w", err)
	}
	res := &agent.Response{Status: a.Status, Header: http.Header{}}
	for _, h := range a.Headers {
		res.Header.Add(h[0], fromLatin1(h[1]))
	}
	switch body, streams := v.handles.get(a.Stream).(*replyBody); {
	case streams:
		body.endWith(ctx)
		res.Body = body
	case a.Body != nil:
		res.Body = bytes.NewReader(a.Body)
	}
	return res, nil
}

// StartChannel calls a channel's onStart. What it throws is *Error.
func (r *Runtime) StartChannel(ctx context.Context, module string, c *agent.Call) error {
	_, k, _, err := r.runLasting(ctx, c, "start", module, "")
	if err == nil {
		k.lasting.release()
	}
	return err
}

// fromLatin1 gives the bytes of a header that JavaScript has as characters.
func fromLatin1(value string) string {
	out := make([]byte, 0, len(value))
	for _, r := range value {
		out = append(out, byte(r))
	}
	return string(out)
}

// requestOps tell of the request of a call.
func requestOps(o *ops) {
	o.sync("request.body", func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		return fromBytes(c.call.Request.Body), nil
	})
}
