package scripted

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/plainfile"
)

// maxBytes bounds a script's file.
const maxBytes = 1 << 20

// Load reads a script's file. A fault in it is a *Fault, and several are joined.
func Load(file string) (*Script, error) {
	data, err := plainfile.Read(file)
	if err != nil {
		return nil, fmt.Errorf("reading the script: %w", err)
	}
	return Parse(file, data)
}

// Parse reads a script, strictly: an unknown key, a bad expression and a bad
// template are faults with their line. file is the name that faults carry.
func Parse(file string, data []byte) (*Script, error) {
	p := &reader{file: file}
	body, err := p.document(data)
	if err != nil {
		return nil, err
	}
	s := &Script{}
	if body != nil {
		for _, n := range p.list(body, "a script is a list of rules, each with when and steps") {
			s.rules = append(s.rules, p.rule(n))
		}
	}
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults...)
	}
	return s, nil
}

// A reader walks the document and collects faults.
type reader struct {
	file   string
	faults []error
}

// document gives nil for an empty one.
func (p *reader) document(data []byte) (ast.Node, error) {
	if len(data) > maxBytes {
		return nil, &Fault{File: p.file, Message: fmt.Sprintf("has %d bytes; at most %d are read", len(data), maxBytes)}
	}
	if !utf8.Valid(data) {
		return nil, &Fault{File: p.file, Message: "is not UTF-8 text"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	file, err := parser.ParseBytes(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), 0)
	if err != nil {
		return nil, p.syntax(err, data)
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			return nil, p.fault(d.Body, "a script is one document; take the --- away")
		}
		body = d.Body
	}
	return body, nil
}

// syntax finds the line of a fault of YAML, and names the usual mistake.
func (p *reader) syntax(err error, data []byte) error {
	var at yaml.Error
	if !errors.As(err, &at) || at.GetToken() == nil || at.GetToken().Position == nil {
		return &Fault{File: p.file, Message: err.Error()}
	}
	pos := at.GetToken().Position
	f := &Fault{File: p.file, Line: pos.Line, Column: pos.Column, Message: at.GetMessage()}
	if lines := strings.Split(string(data), "\n"); pos.Line <= len(lines) && strings.Contains(lines[pos.Line-1], ": {{") {
		f.Message += "; put quotes around a text that begins with {{"
	}
	return f
}

func (p *reader) rule(n ast.Node) rule {
	var r rule
	fields := p.fields(n, "rule", "when", "steps")
	if when, ok := fields["when"]; ok {
		r.substring = p.text(when, "when")
		re, isRegex, err := pattern(r.substring)
		if err != nil {
			p.report(when, "when: %v", err)
		} else if isRegex {
			r.re, r.substring = re, ""
		}
	} else if fields != nil {
		p.report(n, `the rule has no when (write "" for any text)`)
	}
	steps, ok := fields["steps"]
	if !ok {
		if fields != nil {
			p.report(n, "the rule has no steps")
		}
		return r
	}
	list := p.list(steps, "steps is a list of steps")
	if list != nil && len(list) == 0 {
		p.report(steps, "the rule has no steps")
	}
	for _, s := range list {
		r.steps = append(r.steps, p.step(s))
	}
	return r
}

func (p *reader) step(n ast.Node) step {
	s := step{where: fmt.Sprintf("%s:%d", p.file, n.GetToken().Position.Line)}
	fields := p.fields(n, "step", "say", "reasoning", "call", "delayMs", "error", "usage")
	if say, ok := fields["say"]; ok {
		s.say = p.template(say)
	}
	if reasoning, ok := fields["reasoning"]; ok {
		s.reasoning = p.text(reasoning, "reasoning")
	}
	if calls, ok := fields["call"]; ok {
		for _, c := range p.list(calls, "call is a list of tools, each with its arguments: - tool: {…}") {
			s.calls = append(s.calls, p.call(c)...)
		}
	}
	if delay, ok := fields["delayMs"]; ok {
		s.delay = time.Duration(p.count(delay, "delayMs")) * time.Millisecond
	}
	if fail, ok := fields["error"]; ok {
		s.fail = p.failure(fail)
	}
	if usage, ok := fields["usage"]; ok {
		s.usage = p.usage(usage)
	}
	if fields != nil && s.say == nil && len(s.calls) == 0 && s.fail == nil {
		p.report(n, "the step does nothing; it needs say, call or error")
	}
	if s.fail != nil && len(s.calls) > 0 {
		p.report(n, "the step has call and error; a step that fails calls nothing")
	}
	return s
}

func (p *reader) template(n ast.Node) *template.Template {
	t, err := template.New("say").Funcs(functions).Parse(p.text(n, "say"))
	if err != nil {
		p.report(n, "say is no template: %s", strings.TrimPrefix(err.Error(), "template: say:"))
	}
	return t
}

func (p *reader) failure(n ast.Node) *failure {
	f := &failure{message: "the scripted model failed"}
	fields := p.fields(n, "error", "status", "message")
	if status, ok := fields["status"]; ok {
		f.status = int(p.count(status, "status"))
		if f.status != 0 && (f.status < 100 || f.status > 599) {
			p.report(status, "status %d is no HTTP status", f.status)
		}
	}
	if message, ok := fields["message"]; ok {
		f.message = p.text(message, "message")
	}
	return f
}

func (p *reader) usage(n ast.Node) *events.Usage {
	u := &events.Usage{}
	fields := p.fields(n, "usage", "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens")
	for name, into := range map[string]*int64{
		"inputTokens": &u.InputTokens, "cacheReadTokens": &u.CacheReadTokens, "cacheWriteTokens": &u.CacheWriteTokens,
		"outputTokens": &u.OutputTokens, "reasoningTokens": &u.ReasoningTokens,
	} {
		if v, ok := fields[name]; ok {
			*into = p.count(v, name)
		}
	}
	return u
}

func (p *reader) call(n ast.Node) []call {
	pairs := p.pairs(n, "call is a list of tools, each with its arguments: - tool: {…}")
	if pairs == nil {
		return nil
	}
	if len(pairs) != 1 {
		p.report(n, "one entry of call names %d tools; write one - for each", len(pairs))
		return nil
	}
	c := call{tool: pairs[0].key}
	if _, none := pairs[0].value.(*ast.NullNode); none {
		return []call{c}
	}
	c.args = p.object(pairs[0].value, "the arguments of "+c.tool+" must be a map", 0)
	return []call{c}
}
