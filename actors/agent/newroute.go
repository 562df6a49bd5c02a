package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/gobdk/bdk/internal/schema"
)

// None is the body or the query of a route that takes none of its own: whatever is
// sent is in Call.Request.
type None struct{}

// RouteOptions say what holds for a route of NewRoute. The zero value is a route
// whose handler answers.
type RouteOptions struct {
	Description string
	// Acknowledge, Verify and DeliveryID are those of Route.
	Acknowledge *bool
	Verify      func(ctx context.Context, r *Request) (*Response, error)
	DeliveryID  func(r *Request) string
	// BodySchema and QuerySchema replace the schemas that are derived.
	BodySchema  json.RawMessage
	QuerySchema json.RawMessage
}

// NewRoute makes a route of a channel of a Go function. The schemas of its body and
// its query are derived from Body and Query as those of NewTool are; take None for
// what a route does not look at. A request that does not fit never reaches fn: it is
// answered 400, with what is wrong and where. The query's texts become numbers and
// booleans where the fields are such, and a parameter that is there several times a
// list where the field is one.
//
// fn may be called from any goroutine, several times at once.
func NewRoute[Body, Query any](method, path string, fn func(ctx context.Context, body Body, query Query, c *Call) (*Response, error), o *RouteOptions) (*Route, error) {
	if o == nil {
		o = &RouteOptions{}
	}
	r := &Route{Method: method, Path: path, Description: o.Description, Acknowledge: o.Acknowledge, Verify: o.Verify, DeliveryID: o.DeliveryID}
	h := &routeFunction[Body, Query]{fn: fn}
	if fn != nil {
		r.Handle = h.handle
	}
	schemas := under(fmt.Sprintf("route %s %s", method, path), h.schemas(r, o))
	if err := errors.Join(r.Check(), schemas); err != nil {
		return nil, err
	}
	return r, nil
}

// A routeFunction is a Go function behind a Route.
type routeFunction[Body, Query any] struct {
	fn func(ctx context.Context, body Body, query Query, c *Call) (*Response, error)
	// body and query are nil where the request's are not looked at.
	body, query *schema.Schema
	fields      map[string]queryField
}

func (h *routeFunction[Body, Query]) schemas(r *Route, o *RouteOptions) error {
	var err error
	if r.BodySchema, h.body, err = schemaOf[Body](o.BodySchema); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if r.QuerySchema, h.query, err = schemaOf[Query](o.QuerySchema); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	if h.query == nil {
		return nil
	}
	if r.QuerySchema = withoutNull(r.QuerySchema); !describesObject(r.QuerySchema) {
		return fmt.Errorf("query: %w", noObject[Query](o.QuerySchema))
	}
	h.fields, err = queryFields(r.QuerySchema)
	return err
}

// schemaOf gives the schema of a type; None has none.
func schemaOf[T any](given json.RawMessage) (json.RawMessage, *schema.Schema, error) {
	if reflect.TypeFor[T]() == reflect.TypeFor[None]() && len(given) == 0 {
		return nil, nil, nil
	}
	raw, err := derive[T](given)
	if err != nil {
		return nil, nil, err
	}
	compiled, err := schema.Compile(raw)
	return raw, compiled, err
}

func (h *routeFunction[Body, Query]) handle(ctx context.Context, c *Call) (*Response, error) {
	var body Body
	var query Query
	if h.query != nil {
		raw, err := queryJSON(c.Request.Query, h.fields)
		if err != nil {
			return nil, err
		}
		if err := fill("query", h.query, raw, &query); err != nil {
			return nil, err
		}
	}
	if h.body != nil {
		if err := fill("body", h.body, c.Request.Body, &body); err != nil {
			return nil, err
		}
	}
	return h.fn(ctx, body, query, c)
}

// fill reads what fits the schema into a value.
func fill(where string, s *schema.Schema, raw []byte, into any) error {
	if found := s.Validate(raw); len(found) > 0 {
		return &RequestError{Where: where, Issues: issuesOf(found)}
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return &RequestError{Where: where, Issues: decodeError(err).Issues}
	}
	return nil
}
