package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/internal/schema"
)

func compile(t *testing.T, raw string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(json.RawMessage(raw))
	if err != nil {
		t.Fatalf("compiling %s: %v", raw, err)
	}
	return s
}

// lines writes issues as "path: message".
func lines(issues []schema.Issue) string {
	var list []string
	for _, is := range issues {
		list = append(list, is.Path+": "+is.Message)
	}
	return strings.Join(list, "\n")
}

// "anything that … does not fit, gives an error result with the path and the reason"
func TestValidate_PathAndReason(t *testing.T) {
	t.Parallel()
	const order = `{"type":"object","required":["id","items"],"additionalProperties":false,"properties":{
		"id":{"type":"string","minLength":2},
		"items":{"type":"array","minItems":1,"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"n":{"type":"integer","minimum":1}}}},
		"kind":{"enum":["a","b"]},
		"who":{"anyOf":[{"type":"string"},{"type":"null"}]},
		"target":{"anyOf":[{"type":"string"},{"type":"object","required":["url"]}]},
		"a.b":{"type":"string"}}}`
	tests := []struct{ schema, doc, want string }{
		{order, `{"id":"x1","items":[{"name":"n"}]}`, ""},
		{order, `{}`, "id: is required\nitems: is required"},
		{order, `{"id":5,"items":[{"name":"n"}]}`, "id: must be a string, not a number"},
		{order, `{"id":"x","items":[]}`, "id: must have at least 2 characters, not 1\nitems: must have at least 1 item, not 0"},
		{order, `{"id":"xx","items":[{"name":"n"},{"name":1,"n":0},{}]}`,
			"items[1].n: must be at least 1\nitems[1].name: must be a string, not a number\nitems[2].name: is required"},
		{order, `{"id":"xx","items":[{"name":"n"}],"Id":"x"}`, "Id: is not a known property"},
		{order, `{"id":"xx","items":[{"name":"n"}],"kind":"c"}`, `kind: must be one of "a", "b"`},
		{order, `{"id":"xx","items":[{"name":"n"}],"who":5}`, "who: must be a string or null, not a number"},
		{order, `{"id":"xx","items":[{"name":"n"}],"target":{}}`, "target.url: is required"},
		{order, `{"id":"xx","items":[{"name":"n"}],"target":true}`, "target: must be an object or a string, not a boolean"},
		{order, `{"id":"xx","items":[{"name":"n"}],"a.b":1}`, `["a.b"]: must be a string, not a number`},
		{order, `[]`, ": must be an object, not an array"},
		{order, ``, ": is empty, not JSON"},
		{order, `{"id":"x"`, ": is not valid JSON: unexpected end of JSON input at byte 9"},
		{order, `{"id":"xx","id":"yy","items":[{"name":"n"}]}`, `: names "id" twice`},
		{order, "{\"id\":\"\xff\"}", ": is not valid UTF-8"},
		{`{"multipleOf":0.5,"maximum":2}`, `2.3`, ": must be a multiple of 0.5\n: must be at most 2"},
		{`{"oneOf":[{"minimum":1},{"minimum":2}]}`, `3`, ": fits the allowed forms 1 and 2, and must fit one alone"},
		{`{"not":{"type":"null"}}`, `null`, ": is one of the values that are not allowed"},
		{`{"const":"<a>"}`, `"b"`, `: must be "<a>"`},
		{`{"uniqueItems":true}`, `[1,2,1]`, ": has the same item at 0 and 2"},
		{`{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"A":1}`, "A: has a name that is not allowed: it must match the pattern ^[a-z]+$"},
		{`{"properties":{"a":{}},"unevaluatedProperties":false}`, `{"a":1,"z":1}`, "z: is not allowed here"},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `b: is required beside "a"`},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",1]`, "[1]: is not allowed here"},
		{`false`, `1`, ": is not allowed here"},
		{`true`, `1`, ""},
	}
	for _, tt := range tests {
		got := lines(compile(t, tt.schema).Validate(json.RawMessage(tt.doc)))
		if got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.doc, got, tt.want)
		}
	}
}

func TestCompile_BadSchemas(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"properties":{"a":{"type":"strnig"}}}`: `properties.a.type: must be one of "array"`,
		`{"properties":{"a":{"pattern":"["}}}`:   "properties.a.pattern: is not a valid regular expression",
		`{"minLength":-1}`:                       "minLength: must be at least 0",
		`{"$ref":"https://example.com/x"}`:       "https://example.com/x is outside of the schema",
		`{"$ref":"file:///etc/hostname"}`:        "file:///etc/hostname is outside of the schema",
		`{"$schema":"https://example.com/s"}`:    "https://example.com/s is outside of the schema",
		`{"$ref":"#/nope"}`:                      `"#/nope" not found`,
		`5`:                                      "must be an object, not a number",
		``:                                       "is empty, not JSON",
		`{"enum":[` + strings.Repeat("{},", 30_000) + `1]}`:                 "too many values",
		`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}": "more than 100 levels deep",
	} {
		_, err := schema.Compile(json.RawMessage(raw))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80s: got %v, want one line with %q", raw, err, want)
		}
	}
}

// "Big integers keep their digits"
func TestValidate_BigIntegersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"enum":[9007199254740993, 1]}`)
	if got := s.Validate(json.RawMessage(`9007199254740993`)); got != nil {
		t.Errorf("2^53+1: %v", got)
	}
	if got := s.Validate(json.RawMessage(`9007199254740992`)); len(got) != 1 {
		t.Errorf("2^53 passed for 2^53+1: %v", got)
	}
	if got := s.Validate(json.RawMessage(`1.0`)); got != nil {
		t.Errorf("1.0 is the integer 1: %v", got)
	}
}

// "JSON Schema: no remote $ref, compile limits, validation time limit"
func TestValidate_HostileInputEnds(t *testing.T) {
	t.Parallel()
	doubling := &strings.Builder{}
	doubling.WriteString(`{"$ref":"#/$defs/a0","$defs":{`)
	for i := range 40 {
		fmt.Fprintf(doubling, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	doubling.WriteString(`"a40":{"type":"integer"}}}`)
	tests := map[string]struct{ schema, doc, want string }{
		"2^40 steps":          {doubling.String(), `1`, "too many steps"},
		"backtracking":        {`{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 40) + `!"`, "takes too long"},
		"huge exponent":       {`{"type":"integer"}`, `1e999999999`, "exponent beyond"},
		"tiny exponent":       {`{"multipleOf":3}`, `[1e-99999]`, "exponent beyond"},
		"deep document":       {`{"items":{"$ref":"#"}}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "levels deep"},
		"endless reference":   {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `1`, "without an end"},
		"many issues at most": {`{"items":{"type":"string"}}`, `[` + strings.Repeat("1,", 5000) + `1]`, "must be a string"},
	}
	for name, tt := range tests {
		got := compile(t, tt.schema).Validate(json.RawMessage(tt.doc))
		if len(got) == 0 || len(got) > 20 || !strings.Contains(got[0].Message, tt.want) {
			t.Errorf("%s: got %v, want %q", name, got, tt.want)
		}
	}
}

// A pattern is JavaScript's: lookahead, \p{…}, \u{…}, and $ is the end alone.
func TestValidate_JavaScriptPatterns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, doc string
		fits         bool
	}{
		{`^(?=.*\d)[a-zа-я0-9]{3,}$`, "abc1", true},
		{`^(?=.*\d)[a-zа-я0-9]{3,}$`, "abcd", false},
		{`^\p{L}+$`, "Вася", true},
		{`^\p{Script=Cyrillic}+$`, "Вася", true},
		{`^\p{sc=Cyrillic}+$`, "Vasya", false},
		{`^\p{Letter}\P{Uppercase_Letter}+$`, "Вася", true},
		{`^\u{1F600}$`, "😀", true},
		{`^\u{41}$`, "A", true},
		{`^\\u{2}$`, `\uu`, true},
		{`^.$`, "😀", true},
		{`^x$`, "x\n", false},
		{`^\d+$`, "٣", false},
		{`^(?<year>\d{4})-\k<year>$`, "2024-2024", true},
	}
	for _, tt := range tests {
		raw, _ := json.Marshal(map[string]string{"pattern": tt.pattern})
		doc, _ := json.Marshal(tt.doc)
		if got := compile(t, string(raw)).Validate(doc); (got == nil) != tt.fits {
			t.Errorf("%s on %q: %v", tt.pattern, tt.doc, got)
		}
	}
}

func TestValidate_DraftThatTheSchemaNames(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"s":{"type":"string"}},
		"items":[{"$ref":"#/definitions/s"}],"additionalItems":false}`)
	if got := lines(s.Validate(json.RawMessage(`[1,2]`))); got != "[0]: must be a string, not a number\n[1]: is not allowed here" &&
		!strings.Contains(got, "[0]: must be a string") {
		t.Errorf("got %q", got)
	}
}

func TestValidate_ConcurrentUse(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"type":"object","properties":{"a":{"pattern":"^a+$"}}}`)
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			doc, want := `{"a":"aa"}`, 0
			if i%2 == 0 {
				doc, want = `{"a":"ab"}`, 1
			}
			if got := s.Validate(json.RawMessage(doc)); len(got) != want {
				t.Errorf("%s: %v", doc, got)
			}
		})
	}
	wg.Wait()
}
