package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/internal/schema"
)

// A wrapped schema is how the runtime hands out a schema that is no plain JSON:
// Zod's, or another that has a JSON Schema.
type wrappedSchema struct {
	Schema json.RawMessage `json:"$schema"`
	Vendor string          `json:"vendor"`
	// Error says why it has no JSON Schema.
	Error string `json:"error"`
}

// readInputSchema gives the JSON Schema to advertise, and leaves the check of a
// plain one to c.
func readInputSchema(s *spec, c *caller) json.RawMessage {
	const want = "z.object({...}) or a JSON Schema object such as {type: \"object\", properties: {...}}; for no input, z.object({}) or {type: \"object\"}"
	raw, ok := s.fields["inputSchema"]
	if !ok {
		s.report.add(ruleToolInputSchema, s.source.export(), "the tool has no inputSchema", "write inputSchema: "+want)
		return nil
	}
	doc, compiled, fault := readSchema(raw)
	if fault == "" && !describesObject(doc) {
		fault = "describes no object"
	}
	if fault != "" {
		s.report.add(ruleToolInputSchema, s.at("inputSchema"), "inputSchema "+fault, "make it "+want)
		return nil
	}
	c.input = compiled
	return doc
}

func readOutputSchema(s *spec, c *caller) json.RawMessage {
	raw, ok := s.fields["outputSchema"]
	if !ok {
		return nil
	}
	doc, compiled, fault := readSchema(raw)
	if fault != "" {
		s.report.add(ruleToolOutputSchema, s.at("outputSchema"), "outputSchema "+fault, "make it a Zod schema or a JSON Schema object, or leave it out")
		return nil
	}
	c.output = compiled
	return doc
}

// readSchema gives the JSON Schema, and for a plain one what checks it: others
// are checked by the code that they come from.
func readSchema(raw json.RawMessage) (doc json.RawMessage, plain *schema.Schema, fault string) {
	if isFunction(raw) || !bytes.HasPrefix(raw, []byte("{")) {
		return nil, nil, "is " + describe(raw)
	}
	var w wrappedSchema
	if json.Unmarshal(raw, &w) == nil && w.Vendor != "" && w.Vendor != "json-schema" {
		if w.Error != "" || !bytes.HasPrefix(w.Schema, []byte("{")) {
			return nil, nil, "has no JSON Schema: " + w.Error
		}
		return w.Schema, nil, ""
	}
	if bytes.HasPrefix(w.Schema, []byte("{")) {
		raw = w.Schema
	}
	compiled, err := schema.Compile(raw)
	if err != nil {
		return nil, nil, "is no JSON Schema: " + strings.TrimPrefix(err.Error(), "schema: ")
	}
	return raw, compiled, ""
}

// describesObject says whether a schema can be that of a tool's arguments: of
// type object, or made of others.
func describesObject(doc json.RawMessage) bool {
	var d map[string]json.RawMessage
	if json.Unmarshal(doc, &d) != nil {
		return false
	}
	if kind, ok := d["type"]; ok {
		return string(kind) == `"object"`
	}
	for _, k := range []string{"properties", "$ref", "anyOf", "oneOf", "allOf"} {
		if _, ok := d[k]; ok {
			return true
		}
	}
	return false
}

// readTimeArguments reads the names of input fields that hold instants; each
// must be a field of the schema, as far as the schema lists its fields.
func readTimeArguments(s *spec, input json.RawMessage) []string {
	names := s.texts("timeArguments")
	for _, n := range names {
		if input != nil && !hasField(input, strings.Split(n, ".")) {
			s.report.add(ruleToolTimeArguments, s.at("timeArguments"), fmt.Sprintf("timeArguments names %q, which is no field of the inputSchema", n),
				"name fields of the inputSchema, with dots to reach inside")
		}
	}
	return names
}

// hasField says false only where the schema lists the fields and this is not one.
func hasField(doc json.RawMessage, path []string) bool {
	var d struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(path) == 0 {
		return true
	}
	if json.Unmarshal(doc, &d) != nil || d.Properties == nil {
		return path[0] != ""
	}
	inner, ok := d.Properties[path[0]]
	return ok && hasField(inner, path[1:])
}
