package transport

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/gobdk/bdk/actors/agent"
)

const (
	// maxIssues is how many faults one answer names.
	maxIssues = 20
	// maxStep is how many characters of a key stand in a path.
	maxStep = 200
)

// A faultList gathers what is wrong with a request, so that one answer names
// every fault, each once.
type faultList struct{ issues []agent.Issue }

func (f *faultList) note(path, message string) {
	if len(f.issues) < maxIssues {
		f.issues = append(f.issues, agent.Issue{Path: path, Message: message})
	}
}

// problem gives what was noted under a code, nil when all is well. Its message is
// the first fault.
func (f *faultList) problem(code string) error {
	if len(f.issues) == 0 {
		return nil
	}
	return &problem{code: code, message: sentence(f.issues[0]), issues: f.issues}
}

// sentence is an issue in one line.
func sentence(i agent.Issue) string {
	if i.Path == "" {
		return i.Message
	}
	return i.Path + ": " + i.Message
}

// oneOfThese says what a value must be.
func oneOfThese(values []string) string {
	last := len(values) - 1
	if last == 0 {
		return "must be " + values[0]
	}
	return "must be " + strings.Join(values[:last], ", ") + " or " + values[last]
}

// pathStep writes a key as it stands in the path of an issue, such as
// items[0].name: as it is, or in brackets and quotes where it could be misread.
// What is too long is cut.
func pathStep(key string) string {
	n := 0
	for i := range key {
		if n++; n > maxStep {
			key = key[:i] + "…"
			break
		}
	}
	if key != "" && !strings.ContainsFunc(key, misread) {
		return key
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(key) // strings always encode
	return "[" + strings.TrimSuffix(b.String(), "\n") + "]"
}

func misread(r rune) bool {
	return strings.ContainsRune(`.[]"/\`, r) || unicode.IsSpace(r) || unicode.IsControl(r)
}

// joinPath puts the path of a part behind the step that leads to it.
func joinPath(step, rest string) string {
	if rest == "" || rest[0] == '[' {
		return step + rest
	}
	return step + "." + rest
}
