package agent

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
)

// A queryField says what the text of a parameter becomes.
type queryField struct {
	number, boolean, list bool
}

// jsonNumber is the form of numbers in JSON.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// queryFields reads a query's schema. Fields that it does not list are texts.
func queryFields(raw json.RawMessage) (map[string]queryField, error) {
	var s struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	fields := map[string]queryField{}
	for name, property := range s.Properties {
		var p struct {
			Type  any
			Items json.RawMessage
		}
		if json.Unmarshal(property, &p) != nil {
			continue
		}
		f := fieldOf(typesOf(p.Type))
		if f.list {
			var items struct{ Type any }
			_ = json.Unmarshal(p.Items, &items) // without items they are texts
			f = fieldOf(typesOf(items.Type))
			f.list = true
		}
		fields[name] = f
	}
	return fields, nil
}

func typesOf(t any) []string {
	var names []string
	list, ok := t.([]any)
	if !ok {
		list = []any{t}
	}
	for _, one := range list {
		if name, ok := one.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// fieldOf takes a text for a text where it may be one.
func fieldOf(types []string) queryField {
	has := func(name string) bool { return slices.Contains(types, name) }
	text := has("string")
	return queryField{number: !text && (has("number") || has("integer")), boolean: !text && has("boolean"), list: has("array")}
}

// queryJSON makes one JSON object of the parameters of a URL. A text that is not what
// its field is stays a text, so that the schema says what is wrong.
func queryJSON(query url.Values, fields map[string]queryField) (json.RawMessage, error) {
	object := map[string]any{}
	for name, values := range query {
		f := fields[name]
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = f.value(v)
		}
		switch {
		case f.list:
			object[name] = list
		case len(list) == 1:
			object[name] = list[0]
		default:
			return nil, &RequestError{Where: "query", Issues: []Issue{{Path: name, Message: "is there more than once"}}}
		}
	}
	return encode(object)
}

func (f queryField) value(text string) any {
	switch {
	case f.number && jsonNumber.MatchString(text):
		return json.Number(text)
	case f.boolean && (text == "true" || text == "false"):
		return text == "true"
	}
	return text
}
