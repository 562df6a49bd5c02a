package scripted_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model/scripted"
)

func TestParse_FaultsNameFileAndLine(t *testing.T) {
	t.Parallel()
	for yaml, want := range map[string]string{
		"a: 1\n":                             "s.yaml:1: a script is a list of rules",
		"- 5\n":                              "s.yaml:1: a rule is a map with when, steps",
		"\n- steps: []\n":                    `s.yaml:2: the rule has no when (write "" for any text)`,
		"- when: x\n":                        "s.yaml:1: the rule has no steps",
		"- when: x\n  steps: []\n":           "s.yaml:2: the rule has no steps",
		"- when: x\n  steps: y\n":            "s.yaml:2: steps is a list of steps",
		"- when: [a]\n  steps: [{say: x}]\n": "s.yaml:1: when must be a text",
		"- when:\n  steps: [{say: x}]\n":     "s.yaml:1: when must be a text",
		"- when: x\n  stepz: []\n":           `rule has the unknown key "stepz"; it may have when, steps`,
		"- when: x\n  steps:\n    - say: x\n      colour: red\n":                                                `s.yaml:4: step has the unknown key "colour"`,
		"- when: x\n  steps:\n    - delayMs: 5\n":                                                               "s.yaml:3: the step does nothing",
		"- when: /a(/\n  steps: [{say: x}]\n":                                                                   `s.yaml:1: when: "/a(/" is no regular expression (RE2)`,
		"- when: /a(?=b)/\n  steps: [{say: x}]\n":                                                               "is no regular expression (RE2)",
		"- when: /usr/bin\n  steps: [{say: x}]\n":                                                               `"/usr/bin" has the flag "b"`,
		"- when: x\n  steps:\n    - say: \"{{ .text\"\n":                                                        "s.yaml:3: say is no template: ",
		"- when: x\n  steps:\n    - say: \"{{ nope }}\"\n":                                                      `function "nope" not defined`,
		"- when: x\n  steps:\n    - say: {{ .text }}\n":                                                         "put quotes around a text that begins with {{",
		"- when: x\n  steps: [{say: x, delayMs: -1}]\n":                                                         "delayMs must be a whole number from 0",
		"- when: x\n  steps: [{say: x, delayMs: soon}]\n":                                                       "delayMs must be a whole number from 0",
		"- when: x\n  steps: [{error: {status: 42}}]\n":                                                         "status 42 is no HTTP status",
		"- when: x\n  steps: [{error: boom}]\n":                                                                 "a map with status, message",
		"- when: x\n  steps: [{error: {}, call: [{a: {}}]}]\n":                                                  "a step that fails calls nothing",
		"- when: x\n  steps: [{say: x, usage: {tokens: 5}}]\n":                                                  `usage has the unknown key "tokens"`,
		"- when: x\n  steps: [{call: {a: {}}}]\n":                                                               "call is a list of tools",
		"- when: x\n  steps: [{call: [a]}]\n":                                                                   "call is a list of tools",
		"- when: x\n  steps: [{call: [{a: {}, b: {}}]}]\n":                                                      "one entry of call names 2 tools",
		"- when: x\n  steps: [{call: [{a: [1]}]}]\n":                                                            "the arguments of a must be a map",
		"- when: x\n  steps: [{call: [{a: {b: .nan}}]}]\n":                                                      ".nan is not supported in arguments",
		"- &r\n  when: x\n  steps: [{say: x}]\n- *r\n":                                                          "a rule is a map with when, steps",
		"- when: x\n  when: y\n  steps: [{say: x}]\n":                                                           "s.yaml:2: mapping key \"when\" already defined",
		"- when: x\n\tsteps: []\n":                                                                              "s.yaml:2: ",
		"- when: \"x\n":                                                                                         "s.yaml:1: could not find end character",
		"- when: x\n  steps: [{say: x}]\n---\n- when: y\n  steps: [{say: y}]\n":                                 "a script is one document",
		"- when: \"\xff\"\n":                                                                                    "s.yaml: is not UTF-8 text",
		"- when: x\n  steps: [{call: [{a: {b: " + strings.Repeat("[", 80) + strings.Repeat("]", 80) + "}}]}]\n": "levels deep",
	} {
		_, err := scripted.Parse("s.yaml", []byte(yaml))
		var f *scripted.Fault
		if !errors.As(err, &f) || f.File != "s.yaml" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", yaml, err, want)
		}
	}
}

func TestParse_SaysEveryFault(t *testing.T) {
	t.Parallel()
	_, err := scripted.Parse("s.yaml", []byte("- when: /(/\n  steps: [{}]\n- whom: x\n"))
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) != 5 {
		t.Errorf("got %v, want 5 faults", err)
	}
}

func TestParse_FlagsAndOtherForms(t *testing.T) {
	t.Parallel()
	m := parse(t, "\ufeff- when: /^second.line$/ims\r\n  steps: [{say: regex}]\r\n- when: 42\r\n  steps: [{say: number}]\r\n- when: /call it\r\n  steps: [{say: slash}]\r\n")
	for text, want := range map[string]string{
		"first\nSECOND\nLINE\nthird": "regex",
		"is it 42?":                  "number",
		"please /call it":            "slash",
	} {
		if got := stream(t, m, user(text)); got.Text != want {
			t.Errorf("%q: got %q, want %q", text, got.Text, want)
		}
	}
}

func TestLoad_File(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "script.yaml")
	if _, err := scripted.Load(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(file, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := scripted.Load(file); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("- when: /a/\n  steps: [{call: [{a: {b: [1, {c: $1}]}}], delayMs: 1}]\n")
	f.Add("- &a [*a]\n")
	f.Fuzz(func(t *testing.T, yaml string) {
		s, err := scripted.Parse("s.yaml", []byte(yaml))
		if (s == nil) == (err == nil) {
			t.Errorf("script %v and error %v", s, err)
		}
	})
}
