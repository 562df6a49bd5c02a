package project

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/internal/script"
)

// instructionFiles gives the Markdown of the instructions that are files, after
// checking that they are there in one form. TypeScript ones come with the modules.
func (l *loader) instructionFiles() string {
	forms := l.layout.instructionForms()
	switch {
	case len(forms) == 0:
		file := path.Join(l.place.Root, instructionsMDFile)
		l.report.add(ruleInstrMissing, place{File: file}, "the agent has no instructions",
			"write "+file+": who the agent is, when to use which tool, and what the answer looks like")
		return ""
	case len(forms) > 1:
		l.report.add(ruleInstrTwoForms, place{File: strings.TrimSuffix(forms[1], "/")}, "the instructions are in "+strings.Join(forms, " and in "), "keep one of them")
	}
	if l.layout.instructionsMD != "" {
		return l.markdown(item{file: l.layout.instructionsMD})
	}
	return l.markdown(l.layout.instructionsDir...)
}

// instructionForms names the file or folder of each form that is there.
func (l *layout) instructionForms() []string {
	var forms []string
	for _, file := range []string{l.instructionsMD, l.instructionsTS} {
		if file != "" {
			forms = append(forms, file)
		}
	}
	if len(l.instructionsDir) > 0 {
		forms = append(forms, path.Dir(l.instructionsDir[0].file)+"/")
	}
	return forms
}

// markdown joins files in their order, an empty line between them.
func (l *loader) markdown(files ...item) string {
	var parts []string
	for _, it := range files {
		if text, ok := l.text(it.file); ok && strings.TrimSpace(text) != "" {
			parts = append(parts, strings.TrimSpace(text))
		}
	}
	text := strings.Join(parts, "\n\n")
	if len(files) > 0 && !l.report.has(ruleInstrEncoding, ruleUnreadable) {
		l.checkInstructions(files[0].file, text)
	}
	return text
}

func (l *loader) checkInstructions(file, text string) {
	if strings.TrimSpace(text) == "" {
		l.report.add(ruleInstrEmpty, top(file), "the instructions have no text", "write who the agent is and how it works")
	}
}

// text reads a file of the project as UTF-8, without a byte order mark.
func (l *loader) text(file string) (string, bool) {
	content, err := os.ReadFile(filepath.Join(l.place.Dir, filepath.FromSlash(file)))
	if err != nil {
		l.report.add(ruleUnreadable, top(file), "the file cannot be read: "+cause(err), "check its permissions")
		return "", false
	}
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	if !utf8.Valid(content) {
		line, column := position(content, invalidAt(content))
		l.report.add(ruleInstrEncoding, place{file, line, column}, "the file is not UTF-8", "save it as UTF-8")
		return "", false
	}
	return string(content), true
}

func invalidAt(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(text)
}

// instructionsFile takes in what instructions.ts exports: a string, or
// defineInstructions({markdown}).
func (l *loader) instructionsFile(m script.Loaded, src *source) {
	var markdown json.RawMessage
	switch m.Kind {
	case "instructions":
		markdown = newSpec(l.report, src, ruleExport, m.Spec).fields["markdown"]
		if isFunction(m.Spec) {
			markdown = m.Spec
		}
	case "string", "value", "function":
		markdown = m.Spec
	}
	if isFunction(markdown) {
		l.report.add(ruleInstrFunction, src.export(), "instructions as a function are not run by this build",
			"export the text itself: a string, or defineInstructions({markdown: \"...\"})")
		return
	}
	var text string
	if markdown == nil || json.Unmarshal(markdown, &text) != nil || isNull(markdown) {
		l.wrongExport(m, src, "a string, or defineInstructions({markdown: \"...\"}) from \"@cursor/bdk\"")
		return
	}
	l.checkInstructions(src.file, text)
	if l.agent.Instructions == "" {
		l.agent.Instructions = strings.TrimSpace(text)
	}
}
