package script

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/go-sourcemap/sourcemap"
)

// A sourceMap finds the places of the project's source in the engine's stacks.
// The map is parsed when the first error asks for it. Safe for concurrent use.
type sourceMap struct {
	dir  string
	data []byte

	once     sync.Once
	consumer *sourcemap.Consumer
}

// frame is one line of a stack of the engine: "    at name (<eval>:12:34)".
var frame = regexp.MustCompile(`^\s*at (?:async )?(.*?) ?\(?<(?:eval|input|evalScript)>:(\d+)(?::(\d+))?\)?$`)

// place puts source places into the error's stack, and the first of them that
// lies in the project's own files into its File, Line and Column.
func (m *sourceMap) place(e *Error) {
	var lines []string
	own := false
	for line := range strings.SplitSeq(e.Stack, "\n") {
		name, file, row, col, ok := m.frame(line)
		if !ok {
			continue
		}
		lines = append(lines, fmt.Sprintf("at %s (%s:%d:%d)", name, file, row, col))
		if mine := !strings.Contains(file, "node_modules/") && !filepath.IsAbs(file); e.File == "" || mine && !own {
			e.File, e.Line, e.Column, own = file, row, col, mine
		}
	}
	e.Stack = strings.Join(lines, "\n")
}

// where is the place in the project that a stack was made at; empty: in none.
func (m *sourceMap) where(stack string) string {
	e := &Error{Stack: stack}
	m.place(e)
	return e.Place()
}

// frame maps one line of a stack; false for the runtime's own code.
func (m *sourceMap) frame(line string) (name, file string, row, col int, ok bool) {
	f := frame.FindStringSubmatch(line)
	if f == nil {
		return "", "", 0, 0, false
	}
	row, _ = strconv.Atoi(f[2])
	col, _ = strconv.Atoi(f[3])
	if row >= preludeLine {
		return "", "", 0, 0, false
	}
	name = f[1]
	if name == "" {
		name = "<anonymous>"
	}
	file, row, col, ok = m.source(row-1, max(col-1, 0)) // one line of ours comes before the bundle
	return name, file, row, col, ok
}

// source looks a place of the bundle up: line from 1, column from 0.
func (m *sourceMap) source(line, column int) (file string, row, col int, ok bool) {
	m.once.Do(func() {
		if len(m.data) > 0 {
			m.consumer, _ = sourcemap.Parse("", m.data)
		}
	})
	if m.consumer == nil {
		return "", 0, 0, false
	}
	file, _, row, col, ok = m.consumer.Source(line, column)
	if plain, err := url.PathUnescape(file); err == nil { // a source map names its files as URLs
		file = plain
	}
	if !ok || file == "" || strings.HasPrefix(file, "bdk") || strings.HasSuffix(file, "<entry>") {
		return "", 0, 0, false
	}
	return m.relative(file), row, col + 1, true
}

// relative names a file as seen from the project's folder, with slashes.
func (m *sourceMap) relative(file string) string {
	file = withoutMount(strings.TrimPrefix(file, "file://"))
	if !filepath.IsAbs(file) {
		file = filepath.Join(m.dir, file)
	}
	rel, err := filepath.Rel(m.dir, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}
