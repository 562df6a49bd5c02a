package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/schema"
)

// Bounds of one tool's definition.
const (
	maxDescription = 4 << 10
	maxTitle       = 200
	maxSchema      = 64 << 10
	maxRemoteName  = 256
)

// A Tool is a tool of a connection as it was last seen. It is immutable.
type Tool struct {
	// Connection and Remote name it there, Name is what a model calls it.
	Connection, Remote, Name string
	Title, Description       string
	InputSchema              json.RawMessage
	OutputSchema             json.RawMessage
	// Effect is agent.EffectRead or agent.EffectWrite.
	Effect        string
	NeedsApproval bool
	// Hash is the fingerprint of what the server said of it.
	Hash string

	input *schema.Schema // nil: its schema cannot be used, so nothing is checked
	fault error          // … and why
}

// definition is what is read of a tool.
type definition struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  struct {
		Title        string `json:"title"`
		ReadOnlyHint bool   `json:"readOnlyHint"`
	} `json:"annotations"`
}

// newTool reads one tool of a connection.
func newTool(c *agent.Connection, raw toolRaw) (*Tool, error) {
	var d definition
	if err := json.Unmarshal(raw, &d); err != nil || !isObject(raw) {
		return nil, errors.New("a tool's definition cannot be read")
	}
	switch {
	case strings.TrimSpace(d.Name) == "":
		return nil, errors.New("a tool has no name")
	case len(d.Name) > maxRemoteName:
		return nil, fmt.Errorf("the tool %q… has a name of more than %d bytes", cut(d.Name, 40), maxRemoteName)
	case len(d.InputSchema)+len(d.OutputSchema) > maxSchema:
		return nil, fmt.Errorf("the schemas of the tool %q have more than %d bytes", cut(d.Name, 80), maxSchema)
	}
	t := &Tool{
		Connection: c.Name, Remote: d.Name, Name: modelName(c.Name, d.Name), Title: cut(d.Title, maxTitle), Description: cut(d.Description, maxDescription),
		InputSchema: compact(d.InputSchema), OutputSchema: compact(d.OutputSchema), Effect: agent.EffectWrite, NeedsApproval: choose(c.NeedsApproval, d.Name, false),
		Hash: fingerprint(raw),
	}
	if t.Title == "" {
		t.Title = cut(d.Annotations.Title, maxTitle)
	}
	if d.Annotations.ReadOnlyHint {
		t.Effect = agent.EffectRead
	}
	t.Effect = choose(c.Effect, d.Name, t.Effect)
	t.readSchema()
	return t, nil
}

// readSchema takes an input schema that can be used; another one checks nothing.
func (t *Tool) readSchema() {
	if !isObject(t.InputSchema) {
		t.InputSchema, t.fault = json.RawMessage(`{"type":"object"}`), errors.New("it is no object")
	} else {
		t.input, t.fault = schema.Compile(t.InputSchema)
	}
	if !isObject(t.OutputSchema) {
		t.OutputSchema = nil
	}
}

// choose gives what is set for a tool, for the others, or else.
func choose[T any](set map[string]T, tool string, otherwise T) T {
	if v, ok := set[tool]; ok {
		return v
	}
	if v, ok := set["*"]; ok {
		return v
	}
	return otherwise
}

// fingerprint is the hash of a definition, whatever the order of its fields.
func fingerprint(raw toolRaw) string {
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&fields) != nil {
		return hashOf(string(raw))
	}
	delete(fields, "_meta")
	delete(fields, "icons")
	b, err := json.Marshal(fields)
	if err != nil {
		return hashOf(string(raw))
	}
	return hashOf(string(b))
}

// cut gives up to n bytes of a text, never half a character.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return nil
	}
	return b.Bytes()
}
