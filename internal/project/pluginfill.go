package project

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// placeholder is ${NAME}, or ${NAME:-default} as Claude's plugins write it, or
// ${env:NAME} as Cursor's do.
var placeholder = regexp.MustCompile(`\$\{(?:env:)?([^}]*?)(:-([^}]*))?\}`)

var variableForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// A filling puts values into the placeholders of one server.
type filling struct {
	values map[string]string
	// missing are the names that have no value, each once.
	missing []string
}

func (p *plugin) filling() *filling {
	f := &filling{values: map[string]string{pluginRootVariable: p.dir}}
	maps.Copy(f.values, p.given.Variables)
	return f
}

// value is that of a placeholder, taken apart.
func (f *filling) value(m []string) (string, bool) {
	v, ok := f.values[m[1]]
	switch {
	case ok && (v != "" || m[2] == ""):
		return v, true
	case m[2] != "" && !strings.Contains(m[3], "${"): // a default has no placeholders of its own
		return m[3], true
	}
	if !slices.Contains(f.missing, m[1]) {
		f.missing = append(f.missing, m[1])
	}
	return "", false
}

// now fills a text.
func (f *filling) now(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		v, _ := f.value(placeholder.FindStringSubmatch(found))
		return v
	})
}

// later leaves placeholders in texts that are filled when a client opens: each gets a
// name of the variables, so that values lie nowhere else.
func (f *filling) later(texts map[string]string) map[string]string {
	if texts == nil {
		return nil
	}
	filled := make(map[string]string, len(texts))
	for key, text := range texts {
		filled[key] = placeholder.ReplaceAllStringFunc(text, func(found string) string {
			m := placeholder.FindStringSubmatch(found)
			v, ok := f.value(m)
			if _, own := f.values[m[1]]; ok && own && v == f.values[m[1]] && variableForm.MatchString(m[1]) {
				return "${" + m[1] + "}"
			}
			return v
		})
	}
	return filled
}

// lookup gives the variables of the plugin.
func (f *filling) lookup() func(name string) (string, bool) {
	values := f.values
	return func(name string) (string, bool) {
		v, ok := values[name]
		return v, ok
	}
}
