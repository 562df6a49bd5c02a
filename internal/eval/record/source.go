package record

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A writer writes the source of an eval.
type writer struct {
	*session
	o         *Options
	recording string
	b         strings.Builder
	ordered   bool // the source needs inOrder
	includes  bool // … and includes
	notes     []string
}

// file gives the whole source.
func (w *writer) file(name string) []byte {
	test := w.test()
	var b strings.Builder
	names := "defineEval"
	if w.includes {
		names += ", includes"
	}
	fmt.Fprintf(&b, "// Recorded from session %s (%s) by bdk eval record. It runs without a model:\n//   bdk eval %s --replay\n", w.id, w.began, name)
	b.WriteString("// It asserts what happened as it happened: keep what must hold, and take out what may change.\n")
	for _, note := range append(slices.Clone(w.session.notes), w.notes...) {
		b.WriteString("// " + oneLine(note) + "\n")
	}
	fmt.Fprintf(&b, "import { %s } from \"@cursor/bdk/evals\";\n\n", names)
	if w.ordered {
		b.WriteString(inOrder)
	}
	b.WriteString("export default defineEval({\n")
	fmt.Fprintf(&b, "  description: %s,\n  tags: [\"recorded\"],\n  replay: %s,\n", text(w.description()), text(w.recording))
	b.WriteString("  async test(t) {\n" + test + "  },\n});\n")
	return []byte(b.String())
}

// inOrder is the helper of evals whose stubs give several outputs.
const inOrder = `// Gives what a tool gave in the recording, call after call; an Error is one that failed.
function inOrder(...outputs: unknown[]) {
  let next = 0;
  return () => {
    const output = outputs[Math.min(next++, outputs.length - 1)];
    if (output instanceof Error) throw output;
    return output;
  };
}

`

// description is what the session is called, or what it was asked first.
func (w *writer) description() string {
	about := w.start.Title
	if about == "" {
		about = w.turns[0].text()
	}
	return cutText(oneLine(w.o.Redactor.Text(about)), 100)
}

// test gives the lines of the test's body.
func (w *writer) test() string {
	keyword := "const"
	if len(w.turns) > 1 || len(w.turns[0].decisions) > 0 {
		keyword = "let"
	}
	for i, u := range w.turns {
		options := ""
		if i == 0 {
			options = w.options()
		}
		if i > 0 {
			w.b.WriteString("\n")
			keyword = ""
		}
		w.send(keyword, u, options)
		w.decide(u)
		w.outcome(u)
	}
	w.whole()
	return w.b.String()
}

func (w *writer) line(format string, a ...any) {
	w.b.WriteString("    " + fmt.Sprintf(format, a...) + "\n")
}

// send writes the message of a turn, as the replay compares it.
func (w *writer) send(keyword string, u *turn, options string) {
	messages := make([]string, len(u.messages))
	for i, m := range u.messages {
		messages[i] = w.o.Redactor.Text(m)
	}
	if keyword != "" {
		keyword += " "
	}
	w.line("%sturn = await t.send(%s%s);", keyword, text(strings.Join(messages, "\n\n")), options)
}

// options are those of the first message: they shape the session.
func (w *writer) options() string {
	var o object
	if files := w.files(); len(files) > 0 {
		o = append(o, field{"workspaceFiles", files})
	}
	if stubs := w.stubValues(); len(stubs) > 0 {
		o = append(o, field{"stubs", stubs})
	}
	if w.start.AsOf != nil {
		w.note("Its tools saw the time %s; in an eval they see the present.", w.start.AsOf.UTC().Format("2006-01-02T15:04:05Z"))
	}
	if len(o) == 0 {
		return ""
	}
	return ", " + literal(o, "    ", lineLength) // each on a line of its own
}

func (w *writer) note(format string, a ...any) { w.notes = append(w.notes, fmt.Sprintf(format, a...)) }

// stubValues are what the tools give that do not run.
func (w *writer) stubValues() object {
	var o object
	for _, b := range w.stubs {
		o = append(o, field{b.tool, w.stubValue(b)})
	}
	return o
}

// neverRan stands for a tool that was asked for and never ran: it must not run now.
const neverRan = `() => {
  throw new Error("this tool did not run in the recording");
}`

func (w *writer) stubValue(b *stub) any {
	values := make([]any, len(b.calls))
	for i, c := range b.calls {
		values[i] = w.given(c)
	}
	switch {
	case len(values) == 0:
		return code(neverRan)
	case !b.same() || isError(values[0]):
		w.ordered = true
		if b.same() {
			values = values[:1]
		}
		return code("inOrder" + wrap("(", ")", itemsOf(values), "", lineLength/2))
	}
	return values[0]
}

func itemsOf(values []any) []item {
	items := make([]item, len(values))
	for i := range values {
		items[i] = item{value: values[i]}
	}
	return items
}

func isError(v any) bool { _, ok := v.(code); return ok }

// given is what a call gave, as a value of the eval.
func (w *writer) given(c *call) any {
	v, cut := shorten(clean(w.o.Redactor, "output", c.output()))
	if cut && !slices.ContainsFunc(w.notes, func(n string) bool { return strings.Contains(n, "of "+c.ToolName+" was cut") }) {
		w.note("A long output of %s was cut.", c.ToolName)
	}
	if c.result.IsError {
		message, ok := v.(string)
		if !ok {
			message = literal(v, "", 0)
		}
		return code("new Error(" + text(message) + ")")
	}
	return v
}

// files are those that the workspace began with, as far as they are to be had.
func (w *writer) files() object {
	var o object
	for _, f := range w.start.WorkspaceFiles {
		content, ok := w.content(f.SHA256, f.Size)
		if !ok {
			w.note("The workspace began with %s (%d bytes), which is not here: add it to workspaceFiles.", f.Path, f.Size)
			continue
		}
		o = append(o, field{f.Path, content})
	}
	return o
}

// longFile is how long a file may be that an eval holds itself.
const longFile = 8 << 10

var binary = regexp.MustCompile("[\x00-\x08\x0e-\x1f\x7f]")

func (w *writer) content(hash string, size int64) (any, bool) {
	if w.o.File == nil || size > longFile {
		return nil, false
	}
	b, ok := w.o.File(hash)
	if !ok || int64(len(b)) != size {
		return nil, false
	}
	if s := string(b); strings.ToValidUTF8(s, "") == s && !binary.MatchString(s) {
		return w.o.Redactor.Text(s), true
	}
	encoded, err := json.Marshal(b) // as base64
	if err != nil {
		return nil, false
	}
	return object{{"base64", strings.Trim(string(encoded), `"`)}}, true
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cutText cuts a text on a character.
func cutText(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

// brief shows a message in a sentence.
func brief(s string) string { return fmt.Sprintf("%q", cutText(oneLine(s), 60)) }
