package project

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// A frontMatter is the YAML between two lines "---" at the top of a Markdown file.
type frontMatter struct {
	fields map[string]any
	// body is the rest of the file, and line that on which it begins.
	body string
	line int
}

// A matterFault says what is wrong with front matter, and on which line of the file.
type matterFault struct {
	line    int
	message string
}

// parseFrontMatter takes a Markdown file apart. One without front matter is all body.
func parseFrontMatter(text string) (*frontMatter, *matterFault) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	lines := strings.SplitAfter(text, "\n")
	if !fence(lines[0]) {
		return &frontMatter{body: text, line: 1}, nil
	}
	end := slices.IndexFunc(lines[1:], fence) + 1
	if end == 0 {
		return nil, &matterFault{1, "the front matter has no end"}
	}
	m := &frontMatter{body: strings.Join(lines[end+1:], ""), line: end + 2}
	if err := yaml.Unmarshal([]byte(strings.Join(lines[1:end], "")), &m.fields); err != nil {
		var plain bool
		if m.fields, plain = plainFields(lines[1:end]); !plain {
			return nil, yamlFault(err)
		}
	}
	return m, nil
}

var plainField = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*):[ \t]+([^\s"'\[\]{}|>&*!%#@` + "`" + `].*)$`)

// plainFields reads front matter that is no YAML and means something all the same: a
// plain text on each line, such as "description: Use when: always".
func plainFields(lines []string) (map[string]any, bool) {
	fields := map[string]any{}
	for _, line := range lines {
		line = strings.TrimRight(line, " \t\n")
		m := plainField.FindStringSubmatch(line)
		if m == nil && line != "" {
			return nil, false
		}
		if m != nil {
			fields[m[1]] = m[2]
		}
	}
	return fields, true
}

func fence(line string) bool { return strings.TrimRight(line, " \t\n") == "---" }

// yamlFault puts an error of the YAML below the first line of the file.
func yamlFault(err error) *matterFault {
	f := &matterFault{2, "the front matter is no YAML with a field on each line"}
	var at yaml.Error
	if errors.As(err, &at) {
		f.message = "the front matter is no YAML with a field on each line: " + at.GetMessage()
		if token := at.GetToken(); token != nil && token.Position != nil {
			f.line = token.Position.Line + 1
		}
	}
	return f
}

// text gives a field that is a text, in one line; fits is false for another kind.
func (m *frontMatter) text(name string) (text string, fits bool) {
	v, ok := m.fields[name]
	if !ok || v == nil {
		return "", true
	}
	s, ok := v.(string)
	return strings.Join(strings.Fields(s), " "), ok
}

// firstLine is the first line of the body with words in it, without the marks of a heading.
func (m *frontMatter) firstLine() string {
	for line := range strings.Lines(m.body) {
		if text := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>*-_= \t")); text != "" {
			return text
		}
	}
	return ""
}
