package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// For derives the JSON Schema of what encoding/json reads into a T and writes of
// it. Names come from `json` tags; a field is required unless it is omitempty or
// omitzero; descriptions come from `jsonschema` tags; a struct allows no other
// keys. A type with a JSON encoding of its own is described as anything, one that
// encodes as text as a string. Types that JSON cannot hold, and recursive ones,
// are errors.
func For[T any]() (json.RawMessage, error) {
	t := reflect.TypeFor[T]()
	known := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
		reflect.TypeFor[any]():             anyValue(),
		reflect.TypeFor[json.RawMessage](): anyValue(),
		reflect.TypeFor[json.Number]():     {Type: "number"},
		reflect.TypeFor[[]byte]():          {Types: []string{"null", "string"}, ContentEncoding: "base64"},
	}
	collect(t, known, map[reflect.Type]bool{})
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, fmt.Errorf("deriving the schema of %s: %w", t, err)
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encoding the schema of %s: %w", t, err)
	}
	return raw, nil
}

// anyValue names every type: an empty schema would be encoded as true, which some
// model providers refuse, and through a pointer it would become null alone.
func anyValue() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"null", "boolean", "number", "string", "array", "object"}}
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// collect finds the types within t that encode themselves.
func collect(t reflect.Type, known map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] || known[t] != nil {
		return
	}
	seen[t] = true
	switch p := reflect.PointerTo(t); {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
	case p.Implements(jsonMarshaler):
		known[t] = anyValue()
		return
	case p.Implements(textMarshaler):
		known[t] = &jsonschema.Schema{Type: "string"}
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		collect(t.Elem(), known, seen)
	case reflect.Map:
		collect(t.Elem(), known, seen)
		nullable(t, known)
	case reflect.Struct:
		for i := range t.NumField() {
			collect(t.Field(i).Type, known, seen)
		}
	}
}

// nullable describes a map as what encoding/json makes of it: a nil map is null.
// What cannot be described is left to the caller's own derivation to report.
func nullable(t reflect.Type, known map[reflect.Type]*jsonschema.Schema) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil || s.Type != "object" {
		return
	}
	s.Type, s.Types = "", []string{"null", "object"}
	known[t] = s
}
