package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxDepth is the default, and scan reads with it.
const maxDepth = 64

func scan(b []byte) ([]member, *fault) { return scanObject(b, maxDepth) }

// "One strict decoder: case-sensitive keys, duplicate keys → 400, … trailing data
// → 400, invalid UTF-8 → 400, … depth ≤ 64" (S10).
func TestScanObject_Refuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65)
	for name, tc := range map[string]struct{ body, path, message string }{
		"empty":                {``, "", "must be a JSON object"},
		"blank":                {"  \n", "", "must be a JSON object"},
		"array":                {`[]`, "", "must be a JSON object"},
		"null":                 {`null`, "", "must be a JSON object"},
		"byte order mark":      {"\ufeff{}", "", "a byte order mark (BOM)"},
		"open":                 {`{`, "", "a key in quotes"},
		"open after key":       {`{"a"`, "", "a colon"},
		"open after value":     {`{"a":1`, "", "a comma or }"},
		"trailing comma":       {`{"a":1,}`, "", "a key in quotes"},
		"leading comma":        {`{,"a":1}`, "", "a key in quotes"},
		"trailing data":        {`{} {}`, "", "something follows"},
		"trailing brace":       {`{}}`, "", "something follows"},
		"trailing NUL":         {"{}\x00", "", "something follows"},
		"duplicate":            {`{"a":1,"a":2}`, "a", "twice"},
		"duplicate escaped":    {`{"a":1,"\u0061":2}`, "a", "twice"},
		"duplicate deep":       {`{"x":[{"y":{"a":1,"a":2}}]}`, "x[0].y.a", "twice"},
		"bad UTF-8":            {"{\"a\":\"\xff\"}", "", "UTF-8"},
		"overlong UTF-8":       {"{\"a\":\"\xc0\xaf\"}", "", "UTF-8"},
		"surrogate in UTF-8":   {"{\"a\":\"\xed\xa0\xbd\"}", "", "UTF-8"},
		"lone surrogate key":   {`{"\ud83d":1}`, "", "surrogate"},
		"newline in string":    {"{\"a\":\"x\ny\"}", "a", "control character"},
		"unknown escape":       {`{"a":"\x41"}`, "a", "unknown escape"},
		"short escape":         {`{"a":"\u00g0"}`, "a", "unknown escape"},
		"cut escape":           {`{"a":"\`, "a", "ends inside"},
		"cut string":           {`{"a":"x`, "a", "ends inside"},
		"single quotes":        {`{'a':1}`, "", "a key in quotes"},
		"bare key":             {`{a:1}`, "", "a key in quotes"},
		"comment":              {`{/* */"a":1}`, "", "a key in quotes"},
		"leading zero":         {`{"a":01}`, "", "a comma or }"},
		"plus":                 {`{"a":+1}`, "a", "a value"},
		"bare point":           {`{"a":.5}`, "a", "a value"},
		"point at the end":     {`{"a":1.}`, "a", "a digit"},
		"empty exponent":       {`{"a":1e+}`, "a", "a digit"},
		"minus alone":          {`{"a":-}`, "a", "a digit"},
		"NaN":                  {`{"a":NaN}`, "a", "a value"},
		"word":                 {`{"a":nul}`, "a", "a value"},
		"array open":           {`{"a":[1`, "a", "a comma or ]"},
		"array trailing comma": {`{"a":[1,]}`, "a[1]", "a value"},
		"depth":                {deep, "", "64 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, f := scan([]byte(tc.body))
			if f == nil {
				t.Fatalf("%q was taken", tc.body)
			}
			if tc.path != "" && f.path != tc.path || !strings.Contains(f.message, tc.message) {
				t.Errorf("%q: %q %q, want %q … %q", tc.body, f.path, f.message, tc.path, tc.message)
			}
		})
	}
}

func TestScanObject_Takes(t *testing.T) {
	t.Parallel()
	body := " {\"a\" : 1.50e-7 ,\t\"A\":\"\\ud83d\\ude00 \\\"x\\\" \\ud83d\",\n\"n\":12345678901234567890123,\"o\":{\"a\":[ ],\"b\":{ }},\"ſ\":null} \r\n"
	members, f := scan([]byte(body))
	if f != nil {
		t.Fatal(f.path, f.message)
	}
	want := []string{"a=1.50e-7", `A="\ud83d\ude00 \"x\" \ud83d"`, "n=12345678901234567890123", `o={"a":[ ],"b":{ }}`, "ſ=null"}
	for i, m := range members {
		if got := m.key + "=" + string(m.value); got != want[i] {
			t.Errorf("member %d: %s, want %s", i, got, want[i])
		}
	}
	text, lone := unquote(members[1].value[1 : len(members[1].value)-1])
	if text != "😀 \"x\" \ufffd" || !lone {
		t.Errorf("unquote gave %q, %v", text, lone)
	}
	if _, f := scan([]byte(strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64))); f != nil {
		t.Error("64 levels must be taken:", f.message)
	}
}

func TestUnquote_Escapes(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`plain`: "plain", `\"\\\/\b\f\n\r\t`: "\"\\/\b\f\n\r\t", `\u0000`: "\x00", `\u00e9\u4f60`: "é你",
		`\ud83d\ude00`: "😀", `\ud83dx`: "\ufffdx", `\ude00\ud83d`: "\ufffd\ufffd", `\ud83d\ud83d\ude00`: "\ufffd😀", `\ud83d\u0041`: "\ufffdA",
	} {
		if got, _ := unquote([]byte(raw)); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// The scanner must take what a reference parser takes under the same rules, and
// nothing else.
func FuzzScanObject(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"a":2}`, `{"a":[1,2,{"b":null}]}`, `{"m":"\ud83d"}`, `{"x":"\u0061","a":-0.0E+1}`, "{\"a\":\"\xff\"}", `{"a":1}x`, `{"":{"":""}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		members, fault := scan(b)
		if want := reference(b) == nil; (fault == nil) != want {
			t.Fatalf("%q: scanner %v, reference %v", b, fault, reference(b))
		}
		if fault != nil {
			return
		}
		var m map[string]json.RawMessage
		if err := json.Unmarshal(b, &m); err != nil || len(m) != len(members) {
			t.Fatalf("%q: %d members, reference %d (%v)", b, len(members), len(m), err)
		}
		for _, got := range members {
			if !bytes.Equal(got.value, m[got.key]) {
				t.Fatalf("%q: %s is %s, reference %s", b, got.key, got.value, m[got.key])
			}
		}
	})
}

// reference applies the rules with encoding/json, slowly.
func reference(b []byte) error {
	if !utf8.Valid(b) || !json.Valid(b) {
		return errors.New("no JSON")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return errors.New("no object")
	}
	if bytes.Contains(b, []byte(`\ud`)) || bytes.Contains(b, []byte(`\uD`)) {
		// Half pairs in keys are refused; encoding/json cannot tell them. Ask the scanner about keys alone.
		if _, f := scan(b); f != nil && strings.Contains(f.message, "surrogate") {
			return errors.New("half pair")
		}
	}
	return refObject(d, 1)
}

func refObject(d *json.Decoder, depth int) error {
	if depth > maxDepth {
		return errors.New("too deep")
	}
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		if seen[tok.(string)] {
			return errors.New("twice")
		}
		seen[tok.(string)] = true
		if err := refValue(d, depth); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func refValue(d *json.Decoder, depth int) error {
	tok, err := d.Token()
	if err != nil && err != io.EOF {
		return err
	}
	switch tok {
	case json.Delim('{'):
		return refObject(d, depth+1)
	case json.Delim('['):
		if depth+1 > maxDepth {
			return errors.New("too deep")
		}
		for d.More() {
			if err := refValue(d, depth+1); err != nil {
				return err
			}
		}
		_, err = d.Token()
		return err
	}
	return nil
}
