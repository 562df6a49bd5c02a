// Package schema checks JSON against JSON Schema 2020-12 and derives schemas
// from Go types. It loads nothing from outside, and what a hostile schema or
// document can cost is bounded.
package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of a schema.
const (
	maxSchemaBytes  = 1 << 20
	maxSchemaValues = 20_000 // objects and arrays in it
)

// root is the address of every schema; nothing is ever loaded from it.
const root = "schema:///root"

// A Schema is a compiled JSON Schema. It is safe for concurrent use; checks of
// one schema run one after another, since they share its meter.
type Schema struct {
	mu       sync.Mutex
	meter    *meter
	compiled *jsonschema.Schema
}

// An Issue is one fault of a document: where and what.
type Issue struct {
	// Path is dotted with array places in brackets, such as "items[0].name"; empty for the whole.
	Path string
	// Message says what is wrong in a few words, such as "must be a string, not a number".
	Message string
}

// Compile reads a JSON Schema of draft 2020-12, or of the draft that its $schema
// names. References reach inside the schema only. The error is one line for the
// schema's author.
func Compile(raw json.RawMessage) (*Schema, error) {
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("schema has %d bytes; at most %d are read", len(raw), maxSchemaBytes)
	}
	doc, err := decode(raw, maxSchemaValues)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, fmt.Errorf("schema: must be an object, not %s", article(typeName(doc)))
	}
	s := &Schema{meter: &meter{}}
	s.compiled, err = s.compile(doc)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Schema) compile(doc any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nowhere{})
	c.UseRegexpEngine(s.meter.regexp)
	c.RegisterVocabulary(s.meter.vocabulary())
	c.AssertVocabs()
	if err := c.AddResource(root, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	compiled, err := c.Compile(root)
	if err != nil {
		return nil, compileError(err)
	}
	return compiled, nil
}

// compileError says in one line what the compiler says in many.
func compileError(err error) error {
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return fmt.Errorf("schema: %s is outside of the schema, and nothing is loaded from outside", load.URL)
	}
	var invalid *jsonschema.SchemaValidationError
	if errors.As(err, &invalid) {
		var cause *jsonschema.ValidationError
		if errors.As(invalid.Err, &cause) {
			is := issues(cause, nil)[0]
			if is.Path != "" {
				return fmt.Errorf("schema: %s: %s", is.Path, is.Message)
			}
			return fmt.Errorf("schema: %s", is.Message)
		}
	}
	return fmt.Errorf("schema: %s", strings.ReplaceAll(err.Error(), root, ""))
}

// nowhere refuses to load anything.
type nowhere struct{}

func (nowhere) Load(url string) (any, error) { return nil, errors.New("not loaded") }

// Validate gives the faults of doc, in the order of their places; none means
// that it fits. A document that is no JSON, names a key twice, is not UTF-8 or is
// too deep is one fault. At most 20 are given.
func (s *Schema) Validate(doc json.RawMessage) []Issue {
	v, err := decode(doc, 0)
	if err != nil {
		return []Issue{{Message: err.Error()}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.meter.run(func() error { return s.compiled.Validate(v) })
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Issue{{Message: err.Error()}}
	}
	return issues(invalid, v)
}
