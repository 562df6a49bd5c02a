package pages_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

// explained are fields that the page explains once, for all events that have them.
var explained = []string{"parentCallId", "idempotency"}

// Every type of event is on its page with its fields, and those that may be missing are marked.
func TestEvents_AreOnTheirPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(folder, "events.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+\\.[a-z]+)` \\| [^|]+ \\|(.*)\\|$").FindAllStringSubmatch(string(text), -1) {
		rows[m[1]] = m[2]
	}
	for _, name := range events.Types() {
		row, ok := rows[name]
		if !ok {
			t.Errorf("the page has no %s", name)
			continue
		}
		delete(rows, name)
		want, got := fieldsOf(t, name), shownFields(row)
		if !slices.Equal(want, got) {
			t.Errorf("%s has the fields %v, the page says %v", name, want, got)
		}
	}
	if len(rows) > 0 {
		t.Errorf("the page has types that there are not: %v", rows)
	}
}

// fieldsOf gives the names of an event's fields, with a ? behind those that may be missing.
func fieldsOf(t *testing.T, name string) (fields []string) {
	t.Helper()
	e, err := events.Decode([]byte(`{"type":"` + name + `","index":0,"sessionId":"ses_01K00000000000000000000000","at":"2026-07-01T09:00:00.000Z","data":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(e.Data).Elem()) {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if option == "omitempty" {
			name += "?"
		}
		if !slices.Contains(explained, strings.TrimSuffix(name, "?")) {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

var inBrackets = regexp.MustCompile(`\([^()]*\)+`)

// shownFields gives the code of a cell that stands outside of brackets.
func shownFields(cell string) (fields []string) {
	links := regexp.MustCompile(`\]\([^)]*\)`).ReplaceAllString(cell, "]")
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(inBrackets.ReplaceAllString(links, ""), -1) {
		fields = append(fields, m[1])
	}
	slices.Sort(fields)
	return fields
}

// Every code of a failed turn, and of a failed call, is explained.
func TestEvents_HaveTheirCodes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(folder, "events.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../events/payload.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`(?m)^\t(?:Fail|Code)\w+\s+= "(\w+)"$`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 20 {
		t.Fatalf("%d codes were found", len(codes))
	}
	for _, m := range codes {
		if !regexp.MustCompile("(?m)^\\| [^|]*`" + m[1] + "`").Match(text) {
			t.Errorf("the page explains no %s", m[1])
		}
	}
}
