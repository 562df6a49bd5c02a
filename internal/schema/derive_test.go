package schema_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/schema"
)

type level int

func (level) MarshalText() ([]byte, error) { return []byte("high"), nil }

type money struct{}

func (money) MarshalJSON() ([]byte, error) { return []byte(`"1.00"`), nil }

// "schemas derived from the Go types" (`json` and `jsonschema` tags)
func TestFor_DescribesWhatJSONHolds(t *testing.T) {
	t.Parallel()
	type inner struct {
		N int8 `json:"n"`
	}
	type in struct {
		URL   string           `json:"url" jsonschema:"where the pull request is"`
		Max   *int             `json:"max,omitempty"`
		At    time.Time        `json:"at,omitzero"`
		Raw   json.RawMessage  `json:"raw,omitempty"`
		Any   any              `json:"any,omitempty"`
		Bytes []byte           `json:"bytes,omitempty"`
		List  []inner          `json:"list,omitempty"`
		Level level            `json:"level,omitempty"`
		Money *money           `json:"money,omitempty"`
		Map   map[string]inner `json:"map"`
		Skip  string           `json:"-"`
	}
	raw, err := schema.For[in]()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"url":{"type":"string","description":"where the pull request is"}`,
		`"max":{"type":["null","integer"]}`,
		`"at":{"type":"string","format":"date-time"}`,
		`"raw":{"type":["null","boolean","number","string","array","object"]}`,
		`"any":{"type":["null","boolean","number","string","array","object"]}`,
		`"bytes":{"type":["null","string"],"contentEncoding":"base64"}`,
		`"n":{"type":"integer","minimum":-128,"maximum":127}`,
		`"level":{"type":"string"}`,
		`"required":["url","map"],"additionalProperties":false`,
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in\n%s", want, raw)
		}
	}
	if strings.Contains(string(raw), "Skip") {
		t.Errorf("a field without a key is described: %s", raw)
	}
	s := compile(t, string(raw))
	doc, _ := json.Marshal(in{URL: "u", Max: new(int), At: time.Now(), Raw: json.RawMessage(`[1]`), Any: "x",
		Bytes: []byte{1}, List: []inner{{1}}, Level: 3, Money: &money{}})
	if got := s.Validate(doc); got != nil {
		t.Errorf("what Go writes does not fit its own schema: %v\n%s", got, doc)
	}
}

func TestFor_TypesThatJSONCannotHold(t *testing.T) {
	t.Parallel()
	type loop struct{ Next *loop }
	if _, err := schema.For[loop](); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("recursive: %v", err)
	}
	if _, err := schema.For[struct{ F func() }](); err == nil {
		t.Error("a function has a schema")
	}
}
