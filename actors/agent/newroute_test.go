package agent

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/url"
	"strings"
	"testing"
)

type routeQuery struct {
	Limit int      `json:"limit,omitempty"`
	Ratio *float64 `json:"ratio,omitempty"`
	Deep  bool     `json:"deep,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Sizes []int    `json:"sizes,omitempty"`
	Text  string   `json:"text,omitempty"`
}

// A query's texts become what the fields are, and what is not such is said where it is.
func TestNewRoute_Query(t *testing.T) {
	t.Parallel()
	r, err := NewRoute("GET", "/", func(_ context.Context, _ None, q routeQuery, _ *Call) (*Response, error) { return JSON(200, q) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	for raw, want := range map[string]string{
		"":                   `{}`,
		"limit=7&ratio=0.5":  `{"limit":7,"ratio":0.5}`,
		"deep=true&text=007": `{"deep":true,"text":"007"}`,
		"tags=a":             `{"tags":["a"]}`,
		"tags=a&tags=b":      `{"tags":["a","b"]}`,
		"sizes=1&sizes=-2":   `{"sizes":[1,-2]}`,
		"limit=1&limit=2":    "invalid query: limit: is there more than once",
		"limit=x":            "invalid query: limit: must be an integer, not a string",
		"limit=":             "invalid query: limit: must be an integer, not a string",
		"limit=0x1":          "invalid query: limit: must be an integer, not a string",
		"deep=1":             "invalid query: deep: must be a boolean, not a string",
		"other=1":            "invalid query: other: is not a known property",
	} {
		values, _ := url.ParseQuery(raw)
		res, err := r.Handle(t.Context(), &Call{Request: &Request{Query: values}})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			b, _ := io.ReadAll(res.Body)
			got = string(b)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", raw, got, want)
		}
	}
}

// "a schema that does not hold is 400 invalid_body / invalid_query with issues, and the
// handler is not called".
func TestNewRoute_Body(t *testing.T) {
	t.Parallel()
	type body struct {
		N int8 `json:"n"`
	}
	called := false
	r, err := NewRoute("POST", "/", func(context.Context, body, None, *Call) (*Response, error) {
		called = true
		return nil, nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, sent := range []string{"", "null", "[]", "{", `{"n":1,"n":2}`, `{"n":1,"m":2}`, `{"N":1}`, `{"n":300}`, `{"n":1} x`, "{\"n\":\"\xff\"}"} {
		_, err := r.Handle(t.Context(), &Call{Request: &Request{Body: []byte(sent)}})
		var bad *RequestError
		if !errors.As(err, &bad) || bad.Where != "body" || len(bad.Issues) == 0 || called {
			t.Errorf("%q: %v, called %v", sent, err, called)
		}
	}
	if _, err := r.Handle(t.Context(), &Call{Request: &Request{Body: []byte(`{"n":1}`)}}); err != nil || !called {
		t.Error(err)
	}
}

func TestNewRoute_Refuses(t *testing.T) {
	t.Parallel()
	fn := func(context.Context, None, None, *Call) (*Response, error) { return nil, nil }
	if _, err := NewRoute("POST", "x", fn, nil); err == nil {
		t.Error("a path without a slash")
	}
	if _, err := NewRoute[None, None]("POST", "/", nil, nil); err == nil || strings.Count(err.Error(), "route POST") != 1 {
		t.Error("no function:", err)
	}
	if _, err := NewRoute("POST", "/", func(context.Context, None, []string, *Call) (*Response, error) { return nil, nil }, nil); err == nil {
		t.Error("a query that is a list")
	}
	if _, err := NewRoute("POST", "/", func(context.Context, chan int, None, *Call) (*Response, error) { return nil, nil }, nil); err == nil {
		t.Error("a body that JSON cannot hold")
	}
	if _, err := NewRoute("POST", "/", fn, &RouteOptions{BodySchema: json.RawMessage(`{"type":7}`)}); err == nil {
		t.Error("a schema that is none")
	}
	r, err := NewRoute("POST", "/", fn, &RouteOptions{Description: "d"})
	if err != nil || r.BodySchema != nil || r.QuerySchema != nil || r.Description != "d" {
		t.Error(r, err)
	}
	if _, err := JSON(200, math.NaN()); err == nil {
		t.Error("NaN as JSON")
	}
}
