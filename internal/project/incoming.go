package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/schema"
	"github.com/gobdk/bdk/internal/script"
)

// incoming reads query and body of a request, and holds them against plain schemas.
// A body that cannot be read is a fault only where there is a schema of it: else the
// handler has the raw request.
func (r *route) incoming(q *agent.Request) (in script.Incoming, err error) {
	in.Query = r.values(q.Query, r.query, r.queryDoc)
	if err := exact("query", in.Query); err != nil {
		return in, err
	}
	if err := fits("query", r.query, in.Query); err != nil {
		return in, err
	}
	var fault string
	in.Body, fault = r.read(q)
	inexact := exact("body", in.Body)
	switch {
	case !r.judges && inexact != nil:
		in.Body = nil // the handler has the raw request, with every digit
		return in, nil
	case !r.judges:
		return in, nil
	case inexact != nil:
		return in, inexact
	case fault == "" && r.body != nil && in.Body == nil:
		fault = missingBody(q)
	}
	if fault != "" {
		return in, &agent.RequestError{Where: "body", Issues: []agent.Issue{{Message: fault}}}
	}
	return in, fits("body", r.body, in.Body)
}

// exact refuses numbers that JavaScript would change.
func exact(where string, value json.RawMessage) error {
	var bad *agent.InputError
	if errors.As(script.CheckNumbers(value), &bad) {
		return &agent.RequestError{Where: where, Issues: bad.Issues}
	}
	return nil
}

func fits(where string, plain *schema.Schema, value json.RawMessage) error {
	if plain == nil {
		return nil
	}
	if found := plain.Validate(value); len(found) > 0 {
		return &agent.RequestError{Where: where, Issues: inputError(found).Issues}
	}
	return nil
}

// read parses a body by its content type alone: JSON, a form of either kind, or text. Others, and no
// body, give nil.
func (r *route) read(q *agent.Request) (body json.RawMessage, fault string) {
	media, params, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	switch {
	case err != nil || len(q.Body) == 0:
		return nil, ""
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		if err := schema.CheckJSON(q.Body); err != nil {
			return nil, err.Error()
		}
		return q.Body, ""
	case media == "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(q.Body))
		if err != nil {
			return nil, "is no form: " + err.Error()
		}
		return r.values(values, r.body, r.bodyDoc), ""
	case media == "multipart/form-data":
		values, err := textFields(q.Body, params["boundary"])
		if err != nil {
			return nil, "is no form: " + err.Error()
		}
		return r.values(values, r.body, r.bodyDoc), ""
	case strings.HasPrefix(media, "text/"):
		if !utf8.Valid(q.Body) {
			return nil, "is not valid UTF-8"
		}
		return asText(string(q.Body)), ""
	}
	return nil, ""
}

// textFields are the fields of a multipart form that are no files, which the handler
// takes from the raw request.
func textFields(body []byte, boundary string) (url.Values, error) {
	values := url.Values{}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		p, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return nil, err
		}
		name := p.FormName()
		if name == "" || isFile(p) {
			continue
		}
		text, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(text) {
			return nil, fmt.Errorf("the field %q is not valid UTF-8", name)
		}
		values.Add(name, string(text))
	}
}

// isFile says that a part has the name of a file, were it an empty one.
func isFile(p *multipart.Part) bool {
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	_, there := params["filename"]
	return err == nil && there
}

func missingBody(q *agent.Request) string {
	if len(q.Body) == 0 {
		return "is missing: send it as application/json"
	}
	if media := q.Header.Get("Content-Type"); media != "" {
		return fmt.Sprintf("has the content type %q, which is not read: send application/json", media)
	}
	return "has no content type: send application/json"
}

// values gives names and texts as an object; a name that is repeated has an array.
// A plain schema says which texts stand for numbers, true and false, or lists.
func (r *route) values(values url.Values, plain *schema.Schema, doc json.RawMessage) json.RawMessage {
	var kinds struct {
		Properties map[string]valueKind `json:"properties"`
	}
	if plain != nil {
		_ = json.Unmarshal(doc, &kinds) // a schema of another form tells nothing
	}
	object := map[string]any{}
	for name, texts := range values {
		kind := kinds.Properties[name]
		list := make([]json.RawMessage, len(texts))
		for i, text := range texts {
			list[i] = kind.value(text)
		}
		object[name] = list
		if len(list) == 1 && !kind.is("array") {
			object[name] = list[0]
		}
	}
	raw, err := json.Marshal(object)
	if err != nil {
		panic(fmt.Sprintf("texts are always JSON: %v", err))
	}
	return raw
}

// A valueKind is what a schema says of one value.
type valueKind struct {
	Type  any        `json:"type"`
	Items *valueKind `json:"items"`
}

func (k *valueKind) is(kind string) bool {
	list, _ := k.Type.([]any)
	return k.Type == kind || slices.Contains(list, any(kind))
}

// value reads a text as the kind, where it is written so; else it stays a text.
func (k *valueKind) value(text string) json.RawMessage {
	if k.is("array") && k.Items != nil {
		return k.Items.value(text)
	}
	number := (k.is("number") || k.is("integer")) && json.Valid([]byte(text)) && strings.ContainsAny(text[:1], "-0123456789")
	if number || k.is("boolean") && (text == "true" || text == "false") {
		return json.RawMessage(text)
	}
	return asText(text)
}

func asText(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("a string is always JSON: %v", err))
	}
	return raw
}
