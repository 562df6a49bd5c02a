package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// loaded puts a file into a project and loads it: the JSON in one line, or the fault.
func loaded(t *testing.T, content string, as Format) (set *Set, said string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "d"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := Load(dir, "d", as)
	if err != nil {
		return nil, err.Error()
	}
	var one any
	if err := json.Unmarshal(set.JSON, &one); err != nil && !strings.Contains(string(set.JSON), "1e999") {
		t.Fatalf("%q gives what is no JSON: %v\n%s", content, err, set.JSON)
	}
	return set, string(set.JSON)
}

func sixteen(text string, little bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if little {
			b.WriteByte(byte(u))
		}
		b.WriteByte(byte(u >> 8))
		if !little {
			b.WriteByte(byte(u))
		}
	}
	return b.String()
}

// "loadJsonl: BOM + 3 rows; CRLF; last line without newline; UTF-16LE; blank lines; lone
// \r: 3 rows; blank lines skipped; UTF-16 → clear error; row numbers in errors are file
// lines"
func TestJSONL_EveryRowOrAFaultWithItsLine(t *testing.T) {
	t.Parallel()
	const rows = `[{"a":1},{"a":2},{"a":3}]`
	for name, c := range map[string]struct{ content, want string }{
		"plain":             {"{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", rows},
		"BOM":               {"\ufeff{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", rows},
		"CRLF":              {"{\"a\":1}\r\n{\"a\":2}\r\n{\"a\":3}\r\n", rows},
		"no last newline":   {"{\"a\":1}\n{\"a\":2}\n{\"a\":3}", rows},
		"lone \\r":          {"{\"a\":1}\r{\"a\":2}\r{\"a\":3}\r", rows},
		"blank lines":       {"\n{\"a\":1}\n\n  \t\n{\"a\":2}\r\n\r\n{\"a\":3}\n\n", rows},
		"any values":        {"1\n\"x\"\nnull\n[]\n", `[1,"x",null,[]]`},
		"escaped newline":   {"\"a\\nb\\r\"\n", `["a\nb\r"]`},
		"separators within": {"\"a\u2028b\u0085c\"\n", "[\"a\u2028b\u0085c\"]"},
		"empty":             {"", "[]"},
		"UTF-16LE":          {sixteen("{\"a\":1}\n", true), "d: is UTF-16 or no text at all: save it as UTF-8"},
		"UTF-16BE":          {sixteen("{\"a\":1}\n", false), "d: is UTF-16 or no text at all: save it as UTF-8"},
		"UTF-16 unmarked":   {sixteen("{\"a\":1}\n", true)[2:], "d: is UTF-16 or no text at all: save it as UTF-8"},
		"Latin-1":           {"{\"a\":1}\n{\"a\":\"caf\xe9\"}\n", "d:2:10: is not UTF-8 here: save the file as UTF-8"},
		"cut row":           {"{\"a\":1}\n\n{\"a\":\n{\"a\":3}\n", "d:3:6: is no JSON: unexpected end of JSON input"},
		"bad row, CRLF":     {"{\"a\":1}\r\n\r\n{\"é\":x}\r\n", "d:3:6: is no JSON: invalid character 'x' looking for beginning of value"},
		"bad row, lone \\r": {"{\"a\":1}\r\r{a}\r", "d:3:2: is no JSON: invalid character 'a' looking for beginning of object key string"},
		"two values":        {"{\"a\":1} {\"a\":2}\n", "d:1:9: is no JSON: invalid character '{' after top-level value"},
		"BOM in the middle": {"{\"a\":1}\n\ufeff{\"a\":2}\n", "d:2:1: is no JSON: a byte order mark in the middle of the text"},
		"key twice":         {"{\"a\":1}\n{\"a\":1,\"a\":2}\n", `d:2:8: has the key "a" twice in one object`},
		"long id":           {"{\"id\":12345678901234567890}\n", "d:1:7: has the number 12345678901234567890, which JavaScript would round to 12345678901234567000: put quotes around it"},
	} {
		if _, got := loaded(t, c.content, JSONL); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// "faults that name file and line"
func TestJSON_OneValueOrAFaultWithItsPlace(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"{\"a\": [1, 2.50, \"x\"]}":           `{"a": [1, 2.50, "x"]}`,
		"\ufeff[]":                            `[]`,
		"1e3":                                 "1e3",
		"":                                    "d:1:1: is empty, and a JSON value is needed",
		" \n ":                                "d:1:1: is empty, and a JSON value is needed",
		"{\r\n  \"a\": 1,\r\n}":               "d:3:1: is no JSON: invalid character '}' looking for beginning of object key string",
		"{\"a\":1}\n{\"a\":2}":                "d:2:1: is no JSON: invalid character '{' after top-level value",
		"{\"a\": {\"b\": 1, \"\\u0062\": 2}}": `d:1:16: has the key "b" twice in one object`,
		"[{\"b\": 1}, {\"b\": 2}]":            `[{"b": 1}, {"b": 2}]`,
		"[1e400]":                             "d:1:2: has the number 1e400, which is too large for JavaScript: put quotes around it",
		"[9007199254740993]":                  "d:1:2: has the number 9007199254740993, which JavaScript would round to 9007199254740992: put quotes around it",
		"NaN":                                 "d:1:1: is no JSON: invalid character 'N' looking for beginning of value",
		"{'a': 1}":                            "d:1:2: is no JSON: invalid character '\\'' looking for beginning of object key string",
		"[1, // a\n2]":                        "d:1:5: is no JSON: invalid character '/' looking for beginning of value",
		strings.Repeat("[", 501) + strings.Repeat("]", 501): "d:1:501: nests more than 500 levels deep",
	} {
		if _, got := loaded(t, content, JSON); got != want {
			t.Errorf("%q: %s\nwant %s", content, got, want)
		}
	}
}

// "country: no; ver: 1.10; code: 0755; t: 12:30; d: 2026-01-02; y: 1_000 …: strings stay
// strings by YAML 1.2 core"
func TestYAML_PlainScalarsFollowTheCoreSchema(t *testing.T) {
	t.Parallel()
	for plain, want := range map[string]string{
		"no": `"no"`, "off": `"off"`, "on": `"on"`, "yes": `"yes"`, "y": `"y"`, "NO": `"NO"`, "12:30": `"12:30"`, "1:30": `"1:30"`, "1:30:00": `"1:30:00"`,
		"2026-01-02": `"2026-01-02"`, "2026-01-02T03:04:05Z": `"2026-01-02T03:04:05Z"`, "1_000": `"1_000"`, "1__0": `"1__0"`, "0b11": `"0b11"`, "1,000": `"1,000"`,
		"0755": "755", "012": "12", "08": "8", "1.10": "1.1", "+12": "12", "-0": "-0", "0": "0", "-17": "-17", "0x1F": "31", "0o17": "15", "0x": `"0x"`,
		"1e3": "1000", "1.5e+3": "1500", ".5": "0.5", "5.": "5", "-.5": "-0.5", "1e": `"1e"`, "1.2.3": `"1.2.3"`, ".": `"."`, "12e03": "12000",
		".inf": "1e999", "-.INF": "-1e999", "+.Inf": "1e999", ".iNf": `".iNf"`, "inf": `"inf"`, ".nan": `"NaN"`, "nan": `"nan"`, "-.nan": `"-.nan"`,
		"true": "true", "True": "true", "TRUE": "true", "tRUE": `"tRUE"`, "false": "false", "null": "null", "~": "null", "Null": "null", "nULL": `"nULL"`, "": "null",
		"'no'": `"no"`, `"012"`: `"012"`, "'1.10'": `"1.10"`, "'~'": `"~"`, `"true"`: `"true"`, "''": `""`,
		"!!str 1.10": `"1.10"`, "!!str no": `"no"`, "! 12": `"12"`, "!!int '3'": "3", "!!float 3": "3", "!!bool 'true'": "true", "!!null ''": "null", "!!str": `""`,
		"x#y": `"x#y"`, "1 # two": "1", "a: b": "", "9007199254740992": "9007199254740992",
	} {
		if want == "" {
			continue
		}
		if _, got := loaded(t, "k: "+plain+"\n", YAML); got != `{"k":`+want+`}` {
			t.Errorf("%s: %s, want %s", plain, got, want)
		}
	}
}

// "the 1.10 trap warned": what reads as a number and is written otherwise.
func TestYAML_WarnsOfNumbersThatLoseTheirText(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"ver: 1.10\n":                        "d:1:6: 1.10 is the number 1.1: put quotes around what is meant as text",
		"a: 1\nver: 1.0\n":                   "d:2:6: 1.0 is the number 1: put quotes around what is meant as text",
		"code: 0755\n":                       "d:1:7: 0755 is the number 755: put quotes around what is meant as text",
		"- 1.10\n- 2.20\n":                   "d:1:3: 1.10 is the number 1.1: put quotes around what is meant as text (and 1 more such number)",
		"- 1.10\n- 2.20\n- 010\n":            "d:1:3: 1.10 is the number 1.1: put quotes around what is meant as text (and 2 more such numbers)",
		"- 1.5\n- 10\n- '1.10'\n- 0x1F\n":    "",
		"- no\n- 1:30\n- 1_000\n":            "",
		"a: &x {b: 1}\nc:\n  <<: *x\n  d: 1": "d:3:3: << is a key like any other in YAML 1.2, and merges nothing",
	} {
		set, got := loaded(t, content, YAML)
		if set == nil || strings.Join(set.Warnings, "|") != want {
			t.Errorf("%q: %v, want %s (%s)", content, set, want, got)
		}
	}
	if set, got := loaded(t, "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1", YAML); set == nil || got != `{"a":{"b":1},"c":{"<<":{"b":1},"d":1}}` {
		t.Error(got)
	}
}

func TestYAML_Documents(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"- task: a\n  expected: |\n    two\n    lines\n- {task: b, list: [1, x, [], {}]}\n": `[{"task":"a","expected":"two\nlines\n"},{"task":"b","list":[1,"x",[],{}]}]`,
		"a: >-\n  x\n  y\n\n  z\n":                `{"a":"x y\nz"}`,
		"\ufeffa: 1\n":                            `{"a":1}`,
		"a: 1\r\nb: \"x\\ty\"\r\n":                `{"a":1,"b":"x\ty"}`,
		"- a\r- b\r":                              `["a","b"]`,
		"a: |\r\n  x\r\n  y\r\n":                  `{"a":"x\ny\n"}`,
		"":                                        "null",
		"# nothing\n":                             "null",
		"---\na: 1\n...\n":                        `{"a":1}`,
		"%YAML 1.2\n---\na: 1\n":                  `{"a":1}`,
		"text alone\n":                            `"text alone"`,
		"1: a\nno: b\n1.10: c\ntrue: d\n":         `{"1":"a","no":"b","1.10":"c","true":"d"}`,
		"__proto__: 1\n":                          `{"__proto__":1}`,
		"a: &x [1, two]\nb: *x\nc: *x\n":          `{"a":[1,"two"],"b":[1,"two"],"c":[1,"two"]}`,
		"- &y 1\n- &x [*y]\n- &y 2\n- *x\n- *y\n": `[1,[1],2,[1],2]`,
		"a: .nan\nb: NaN\n":                       `{"a":"NaN~","b":"NaN"}`,
		"{a, b: 1}\n":                             `{"a":null,"b":1}`,
		"a: \"\\u00e9\\U0001F600\"\n":             `{"a":"é😀"}`,
		"? k\n: v\n":                              `{"k":"v"}`,
		"s: '<b>&'\n":                             `{"s":"<b>&"}`,
		"[" + strings.Repeat("{a: 1},", 600) + "{a: 1}]\n": "[" + strings.Repeat(`{"a":1},`, 600) + `{"a":1}]`,
	} {
		if _, got := loaded(t, content, YAML); got != want {
			t.Errorf("%q: %s\nwant %s", content, got, want)
		}
	}
	if set, _ := loaded(t, "a: .nan\n", YAML); set == nil || set.NaN != "NaN" {
		t.Error("NaN has no text that stands for it")
	}
}

// "duplicates → error; alias expansion capped", each with file and line
func TestYAML_FaultsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	million := "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
	for i := 1; i < 6; i++ {
		million += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	for content, want := range map[string]string{
		"a: 1\nb: 2\na: 3\n":                `d:3:1: has the key "a" twice: it is on line 1 already`,
		"- x: {k: 1, k: 2}\n":               `d:1:13: has the key "k" twice: it is on line 1 already`,
		"1: a\n'1': b\n":                    `d:2:1: has the key "1" twice: it is on line 1 already`,
		"a:\n\tb: 1\n":                      "d:2:1: is no YAML: the line is indented with a tab; use spaces",
		"a:\r\n  - x\r\n\t- y\r\n":          "d:3:1: is no YAML: the line is indented with a tab; use spaces",
		"a: 1\n---\nb: 2\n":                 "d:3:2: has more than one document: one file is one value, so write a list",
		"%YAML 1.1\n---\na: 1\n":            "d:1:1: has the directive %YAML 1.1: only %YAML 1.2 is taken",
		"a: [1, 2\nb: 3\n":                  "d:2:1: is no YAML: ',' or ']' must be specified",
		"a: b: c\n":                         "d:1:4: is no YAML: mapping value is not allowed in this context",
		"a: 'open\n":                        "d:1:4: is no YAML: could not find end character of single-quoted text",
		"a: *nope\n":                        "d:1:4: has *nope, and no &nope before it",
		"a: *x\nb: &x 1\n":                  "d:1:4: has *x, and no &x before it",
		"a: &x [*x]\n":                      "d:1:8: has *x inside of what it stands for",
		"*a : 1\n":                          "d:1:1: has a key that is no text: write the text itself",
		"a: !!binary aGk=\n":                "d:1:4: has the tag !!binary: only those of YAML 1.2's core schema are read (!!str, !!int, !!float, !!bool, !!null, !!seq, !!map)",
		"a: !!int x\n":                      `d:1:4: has "x" with the tag !!int, and it is none`,
		"a: !!seq {b: 1}\n":                 "d:1:9: is no YAML: value is not allowed in this context",
		"a: !mine x\n":                      "d:1:4: has the tag !mine: only those of YAML 1.2's core schema are read (!!str, !!int, !!float, !!bool, !!null, !!seq, !!map)",
		"ok: 1\nid: 12345678901234567890\n": "d:2:5: has the number 12345678901234567890, which JavaScript would round to 12345678901234567000: put quotes around it",
		"a: 1e400\n":                        "d:1:4: has the number 1e400, which is too large for JavaScript: put quotes around it",
		"a: 0xFFFFFFFFFFFFFFFFFF\n":         "d:1:4: has the number 0xFFFFFFFFFFFFFFFFFF, which is too large for JavaScript: put quotes around it",
		million:                             "d:5:45: repeats too much by aliases: at most 100000 values and 16 MiB",
		"a: &x " + strings.Repeat("y", 1<<20) + "\nb: [" + strings.Repeat("*x, ", 17) + "]\n": "d:2:65: repeats too much by aliases: at most 100000 values and 16 MiB",
		strings.Repeat("[", 100_000):    "d:1:501: nests more than 500 levels deep",
		strings.Repeat("{a: ", 100_000): "d:1:2001: nests more than 500 levels deep",
		strings.Repeat("- ", 100_000):   "d:1:1001: nests more than 500 levels deep",
		strings.Repeat("? ", 100_000):   "d:1:1001: nests more than 500 levels deep",
		"a\x00b: 1":                     "d: is UTF-16 or no text at all: save it as UTF-8",
	} {
		if _, got := loaded(t, content, YAML); got != want {
			t.Errorf("%.80q: %s\nwant %s", content, got, want)
		}
	}
}

// "Load committed JSON, JSONL, or YAML relative to the project root"
func TestLoad_PathsStayBelowTheRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "evals", "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "evals", "data", "rows.json"), []byte("[1]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"evals/data/rows.json":           "",
		"./evals/data/../data/rows.json": "",
		"":                               `the path is empty: write one relative to the project's folder, such as "evals/data/cases.yaml"`,
		"../rows.json":                   "../rows.json: the path leads out of the project's folder: put the file into the project, or read it with node:fs",
		"evals/../../rows.json":          "evals/../../rows.json: the path leads out of the project's folder: put the file into the project, or read it with node:fs",
		"/etc/hosts":                     `/etc/hosts: the path is absolute: write one relative to the project's folder, such as "evals/data/cases.yaml"`,
		filepath.Join(dir, "evals/data/rows.json"): filepath.Join(dir, "evals/data/rows.json") + `: the path is absolute: write one relative to the project's folder, such as "evals/data/cases.yaml"`,
		"evals/data/none.json":                     "evals/data/none.json: there is no such file; paths begin at the project's folder",
		"evals/data":                               "evals/data: it is no plain file",
	} {
		_, err := Load(dir, name, JSON)
		if got := fmt.Sprint(err); got != want && !(want == "" && err == nil) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	var f *Fault
	if _, err := Load(dir, "evals", JSON); !errors.As(err, &f) || f.File != "evals" {
		t.Error(err)
	}
}

// Whatever a file holds, loading it ends with JSON or a fault.
func FuzzYAML(f *testing.F) {
	for _, seed := range []string{"a: no\nb: 1.10\n", "- &x [1]\n- *x\n", "a: {b: 1, b: 2}", "? x\n: |\n  y\n", "!!str\n- x", "\ufeff[a, {b}]", "%YAML 1.2\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { holds(t, text, YAML) })
}

func FuzzJSONL(f *testing.F) {
	for _, seed := range []string{"{\"a\":1}\r\n[2]\r\r3", "\ufeff1", "{\"a\":1,\"a\":2}", "{\"a\":", "1e999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { holds(t, text, JSONL) })
}

func holds(t *testing.T, text string, as Format) {
	plain, err := decode("d", []byte(text))
	if err != nil {
		return
	}
	set, err := as("d", plain)
	var f *Fault
	if err != nil && !errors.As(err, &f) {
		t.Fatalf("%T: %v", err, err)
	}
	if err == nil && !json.Valid(set.JSON) {
		t.Fatalf("%q gives %s", text, set.JSON)
	}
}
