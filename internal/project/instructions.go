package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/plainfile"
	"github.com/gobdk/bdk/internal/script"
)

// rootInstructions gives the Markdown of the agent's instructions, after checking
// that they are there in one form. TypeScript ones come with the modules.
func (l *loader) rootInstructions() string {
	if len(l.layout.instructions.forms()) == 0 {
		file := path.Join(l.place.Root, instructionsMDFile)
		l.report.add(ruleInstrMissing, place{File: file}, "the agent has no instructions",
			"write "+file+": who the agent is, when to use which tool, and what the answer looks like")
		return ""
	}
	return l.oneInstructions()
}

// oneInstructions gives the instructions that are Markdown, after checking that there
// is one form of them at most.
func (l *loader) oneInstructions() string {
	if forms := l.layout.instructions.forms(); len(forms) > 1 {
		l.report.add(ruleInstrTwoForms, place{File: strings.TrimSuffix(forms[1], "/")}, "the instructions are in "+strings.Join(forms, " and in "), "keep one of them")
	}
	return l.markdownOf(l.layout.instructions)
}

// markdownOf reads the instructions that are Markdown.
func (l *loader) markdownOf(in instructionFiles) string {
	if in.md != "" {
		return l.markdown(item{file: in.md})
	}
	return l.markdown(in.dir...)
}

// markdown joins files in their order, an empty line between them.
func (l *loader) markdown(files ...item) string {
	var parts []string
	whole := true
	for _, it := range files {
		text, ok := l.text(it.file, ruleInstrEncoding)
		if whole = whole && ok; ok && strings.TrimSpace(text) != "" {
			parts = append(parts, strings.TrimSpace(text))
		}
	}
	text := strings.Join(parts, "\n\n")
	if len(files) > 0 && whole {
		l.checkInstructions(files[0].file, text)
	}
	return text
}

func (l *loader) checkInstructions(file, text string) {
	if strings.TrimSpace(text) == "" {
		l.report.add(ruleInstrEmpty, top(file), "the instructions have no text", "write who the agent is and how it works")
	}
}

// text reads a file of the project as UTF-8, without a byte order mark. The rule is
// what a file breaks that is not UTF-8.
func (l *loader) text(file, rule string) (string, bool) {
	content, err := plainfile.Read(l.absolute(file))
	if err != nil {
		l.report.add(ruleUnreadable, top(file), "the file cannot be read: "+cause(err), "make it a file of text that you may read")
		return "", false
	}
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	if !utf8.Valid(content) {
		line, column := position(content, invalidAt(content))
		l.report.add(rule, place{file, line, column}, "the file is not UTF-8", "save it as UTF-8")
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

const instructionsWant = "a string, a function (ctx) => string, or defineInstructions({markdown}) from \"@cursor/bdk\""

// instructionsOf gives what instructions.ts exports, a text or a function, with its
// path in the default export; ok is false where it exports something else.
func instructionsOf(m script.Loaded) (markdown json.RawMessage, path string, ok bool) {
	switch {
	case m.Kind == "instructions" && !isFunction(m.Spec):
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(m.Spec, &fields) // what is no object has no markdown
		return fields["markdown"], "markdown", fields["markdown"] != nil
	case m.Kind == "instructions", m.Kind == "string", m.Kind == "function":
		return m.Spec, "", true
	}
	return nil, "", false
}

// instructionsFile takes in what instructions.ts exports.
func (l *loader) instructionsFile(m script.Loaded, src *source) {
	markdown, at, ok := instructionsOf(m)
	var text string
	switch {
	case ok && isFunction(markdown):
		if l.agent.Instructions == "" {
			l.agent.InstructionsFor = l.instructionsFunction(m.ID, at)
		}
	case !ok || json.Unmarshal(markdown, &text) != nil || isNull(markdown):
		l.wrongExport(m, src, instructionsWant)
	default:
		l.checkInstructions(src.file, text)
		if l.agent.Instructions == "" {
			l.agent.Instructions = strings.TrimSpace(text)
		}
	}
}

// instructionsFunction asks the project's function for the instructions of a session.
func (l *loader) instructionsFunction(module, at string) func(ctx context.Context, c *agent.Call) (string, error) {
	runtime := l.runtime
	return func(ctx context.Context, c *agent.Call) (string, error) {
		raw, err := runtime.CallFunction(ctx, module, at, nil, c)
		if err != nil {
			return "", fmt.Errorf("asking instructions.ts: %w", err)
		}
		var text string
		if json.Unmarshal(raw, &text) != nil || strings.TrimSpace(text) == "" {
			return "", errors.New("asking instructions.ts: its function gave " + describe(raw) + ", where the instructions are a string with text in it")
		}
		return strings.TrimSpace(text), nil
	}
}
