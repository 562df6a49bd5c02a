package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// S26: "Redact … in logs, errors, events": a secret that a test logs, that an assertion
// shows or that is in a fault is in no file of the run, and nobody is told of it.
func TestRunner_SecretsAreInNoResult(t *testing.T) {
	t.Parallel()
	dir, o := t.TempDir(), &testObserver{}
	s := suiteOf(func(r *testRun) (*Record, error) {
		if r.c.ID == "throws" {
			return threw(errors.New("401 for hunter2hunter2")), nil
		}
		rec := misses(Gate)
		rec.Assertions[0].Message, rec.Logs = "it is hunter2hunter2", []string{"key hunter2hunter2"}
		return rec, nil
	}, "hunter2hunter2", "throws")
	s.Cases[0].Metadata = map[string]json.RawMessage{"n": json.RawMessage("1.50")}
	r := &Runner{Suite: s, Target: &testTarget{}, Redact: func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("hunter2hunter2"), []byte("[redacted]")) }}
	run, err := r.Run(t.Context(), RunOptions{Observers: []Observer{NewFolder(dir), o}})
	if err != nil || run.Error != "" {
		t.Fatal(run, err)
	}
	one := run.Results[0]
	if one.ID != "hunter2hunter2" || one.File != s.Cases[0].File || one.Assertions[0].Message != "it is [redacted]" || one.Logs[0] != "key [redacted]" || string(one.Metadata["n"]) != "1.50" {
		t.Errorf("%+v", one)
	}
	if got := run.Results[1].Error.Message; got != "401 for [redacted]" || len(o.said) != 6 {
		t.Errorf("the fault is %q, said %v", got, o.said)
	}
	b, err := os.ReadFile(filepath.Join(dir, ResultsName))
	if err != nil || strings.Contains(string(b), "for hunter2") || strings.Contains(string(b), "key hunter2") {
		t.Errorf("%s, %v", b, err)
	}
}

// A result that cannot be told without its secrets is not told, and is no pass.
func TestRunner_AResultThatCannotBeTold(t *testing.T) {
	t.Parallel()
	for name, redact := range map[string]func([]byte) []byte{
		"it is no JSON": func([]byte) []byte { return []byte("{") },
		"it panics":     func([]byte) []byte { panic("no") },
	} {
		run, err := (&Runner{Suite: suiteOf(says, "a"), Target: &testTarget{}, Redact: redact}).Run(t.Context(), RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		res := run.Results[0]
		if got := fmt.Sprint(res.ID, " ", res.Verdict, " ", res.Error.Kind); got != "a failed host" || run.Green(false) || res.Metrics.Turns != 1 {
			t.Errorf("%s: %+v", name, res)
		}
	}
}
