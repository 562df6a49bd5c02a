package project

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// The shape that MCP gives results: an object with content, an array of parts.
type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

var (
	envelopeKeys = []string{"content", "structuredContent", "isError", "_meta"}
	contentTypes = []string{"text", "image", "audio", "resource", "resource_link"}
)

// structured gives the structuredContent of a result in MCP's shape, nil when it
// has none; ok is false for any other result. A result that has fields of its own,
// or parts that MCP does not know, is another one.
func structured(raw json.RawMessage) (value json.RawMessage, ok bool) {
	if !bytes.HasPrefix(raw, []byte("{")) {
		return nil, false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || !bytes.HasPrefix(fields["content"], []byte("[")) {
		return nil, false
	}
	for name := range fields {
		if !slices.Contains(envelopeKeys, name) {
			return nil, false
		}
	}
	for _, part := range parts(fields["content"]) {
		if !slices.Contains(contentTypes, part.Type) {
			return nil, false
		}
	}
	return fields["structuredContent"], true
}

// parts reads content; a part that is none has no type.
func parts(raw json.RawMessage) []content {
	var elements []json.RawMessage
	_ = json.Unmarshal(raw, &elements) // what is no array has no parts
	list := make([]content, len(elements))
	for i, e := range elements {
		if json.Unmarshal(e, &list[i]) != nil {
			list[i] = content{}
		}
	}
	return list
}

// envelopeText is what a result in MCP's shape says in words.
func envelopeText(raw json.RawMessage) string {
	var e struct {
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(raw, &e) // what is no object says nothing
	var texts []string
	for _, part := range parts(e.Content) {
		if part.Type == "text" && part.Text != "" {
			texts = append(texts, part.Text)
		}
	}
	if len(texts) == 0 {
		return "the tool failed and did not say why"
	}
	return strings.Join(texts, "\n")
}
