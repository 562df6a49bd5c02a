package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
)

// Bounds of what is tagged.
const (
	maxArtifactKind     = 128
	maxArtifactKey      = 512
	maxArtifactTitle    = 500 // characters
	maxArtifactFileName = 255
	maxContentType      = 255
	maxArtifactData     = 1 << 20
	maxArtifactContents = 32 << 20
)

// checkTag fills in the kind, holds what was given against the bounds and the rules,
// and puts what the kind's schema makes of the data in its place. What does not fit is
// an *agent.InputError.
func checkTag(ctx context.Context, rules *agent.ArtifactRules, a *agent.TagArtifact) error {
	if a.Kind == "" {
		a.Kind = agent.DefaultArtifactKind
	}
	var bad agent.InputError
	note := func(path, message string) {
		if message != "" {
			bad.Issues = append(bad.Issues, agent.Issue{Path: path, Message: message})
		}
	}
	note("kind", checkKind(rules, a.Kind))
	if a.Key == "" {
		note("key", "is required")
	}
	note("key", checkWord(a.Key, maxArtifactKey))
	note("title", checkTitle(a.Title))
	note("fileName", checkName(a.FileName))
	note("contentType", checkContentType(a.ContentType))
	if n := len(a.Contents); n > maxArtifactContents {
		note("contents", fmt.Sprintf("have %d bytes, at most %d are kept", n, maxArtifactContents))
	}
	if len(bad.Issues) > 0 {
		return &bad
	}
	return checkData(ctx, rules, a)
}

// invalid is one fault of what was given.
func invalid(path, message string) error {
	return &agent.InputError{Issues: []agent.Issue{{Path: path, Message: message}}}
}

func checkKind(rules *agent.ArtifactRules, kind string) string {
	if rules == nil || len(rules.Kinds) == 0 {
		return checkWord(kind, maxArtifactKind)
	}
	if _, ok := rules.Kinds[kind]; ok {
		return ""
	}
	if rules.Open {
		return checkWord(kind, maxArtifactKind)
	}
	return fmt.Sprintf("there is no kind %q; there are: %s", preview(kind), strings.Join(kindNames(rules), ", "))
}

func kindNames(rules *agent.ArtifactRules) []string { return slices.Sorted(maps.Keys(rules.Kinds)) }

// checkWord holds for what names something.
func checkWord(s string, bytes int) string {
	switch {
	case len(s) > bytes:
		return fmt.Sprintf("has %d bytes, at most %d are allowed", len(s), bytes)
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case strings.ContainsFunc(s, unicode.IsControl):
		return "has a control character"
	}
	return ""
}

func checkTitle(s string) string {
	switch n := utf8.RuneCountInString(s); {
	case n > maxArtifactTitle:
		return fmt.Sprintf("has %d characters, at most %d are allowed", n, maxArtifactTitle)
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	}
	return ""
}

// checkName takes what any author may call a file: what is dangerous in a name is
// taken out where it is sent as one.
func checkName(s string) string {
	switch {
	case len(s) > maxArtifactFileName:
		return fmt.Sprintf("has %d bytes, at most %d are allowed", len(s), maxArtifactFileName)
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	}
	return ""
}

func checkContentType(s string) string {
	if s == "" {
		return ""
	}
	if t, _, err := mime.ParseMediaType(s); err != nil || !strings.Contains(t, "/") || len(s) > maxContentType {
		return "is no media type, such as text/csv"
	}
	return ""
}

// checkData makes the data what is stored: JSON without spaces between, as the kind's
// schema parses it. What it says is placed below "data".
func checkData(ctx context.Context, rules *agent.ArtifactRules, a *agent.TagArtifact) (err error) {
	if len(a.Data) == 0 {
		a.Data = nil
		return nil
	}
	if a.Data, err = compact(a.Data); err != nil || rules == nil {
		return err
	}
	parse := rules.Kinds[a.Kind].Parse
	if parse == nil {
		return nil
	}
	parsed, err := parse(ctx, a.Data)
	var bad *agent.InputError
	if errors.As(err, &bad) {
		return below("data", bad)
	}
	if err != nil {
		return fmt.Errorf("reading data by the schema of kind %q: %w", a.Kind, err)
	}
	a.Data, err = compact(parsed)
	return err
}

func compact(data json.RawMessage) (json.RawMessage, error) {
	if len(data) > maxArtifactData {
		return nil, invalid("data", fmt.Sprintf("has %d bytes, at most %d are allowed", len(data), maxArtifactData))
	}
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil || !utf8.Valid(data) {
		return nil, invalid("data", "is not JSON")
	}
	return b.Bytes(), nil
}

// below puts issues under a path.
func below(path string, bad *agent.InputError) error {
	out := &agent.InputError{}
	for _, is := range bad.Issues {
		switch {
		case is.Path == "":
			is.Path = path
		case strings.HasPrefix(is.Path, "["):
			is.Path = path + is.Path
		default:
			is.Path = path + "." + is.Path
		}
		out.Issues = append(out.Issues, is)
	}
	return out
}
