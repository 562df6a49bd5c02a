package scripted

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// A Script is what a file of rules says. It never changes.
type Script struct {
	rules []rule
}

// A rule answers texts that hold a substring, or match an expression.
type rule struct {
	substring string
	re        *regexp.Regexp // nil: substring
	steps     []step
}

type step struct {
	// where is "file:line", for errors while it is played.
	where     string
	say       *template.Template // nil: nothing
	reasoning string
	calls     []call
	delay     time.Duration
	fail      *failure
	usage     *events.Usage
}

type failure struct {
	status  int
	message string
}

type call struct {
	tool string
	args object
}

// match gives the groups of the expression, the whole match first; none for a substring.
func (r *rule) match(text string) ([]string, bool) {
	if r.re == nil {
		return nil, strings.Contains(text, r.substring)
	}
	groups := r.re.FindStringSubmatch(text)
	return groups, groups != nil
}

// play fills in the step that comes next. Behind the last one the outputs of its
// calls are said as JSON, so that no script can leave a turn without an end.
func (r *rule) play(at place, groups []string) (*played, error) {
	if at.index >= len(r.steps) {
		return &played{say: at.echo()}, nil
	}
	s := &r.steps[at.index]
	p := &played{reasoning: expand(s.reasoning, groups), delay: s.delay, fail: s.fail, usage: s.usage}
	if s.say != nil {
		var err error
		if p.say, err = s.saying(map[string]any{"text": at.text, "results": results(at.outputs)}, groups); err != nil {
			return nil, &model.Error{Message: s.where + ": " + templateMessage(err), Code: events.FailModel, Err: err}
		}
	}
	for _, c := range s.calls {
		args := c.args.fill(func(s string) string { return expand(s, groups) })
		p.calls = append(p.calls, model.RequestedCall{Name: c.tool, Args: args})
	}
	return p, nil
}

// templateMessage drops what a template error says of names that the author did not choose.
func templateMessage(err error) string {
	message := strings.TrimPrefix(err.Error(), "template: say:")
	if i := strings.Index(message, ": executing \"say\" at "); i >= 0 {
		message = message[i+len(": executing \"say\" at "):]
	}
	return "say: " + message
}

// results decodes outputs for templates: whole numbers as int64, so that they
// print as they are, and those beyond it with all their digits.
func results(outputs []json.RawMessage) []any {
	list := make([]any, len(outputs))
	for i, o := range outputs {
		d := json.NewDecoder(strings.NewReader(string(o)))
		d.UseNumber()
		if d.Decode(&list[i]) != nil {
			list[i] = string(o)
			continue
		}
		list[i] = plain(list[i])
	}
	return list
}

func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

// expand puts groups in place of $0, $1, …; a number that names no group stays.
func expand(s string, groups []string) string {
	if len(groups) == 0 || !strings.Contains(s, "$") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		n, width := group(s, len(groups))
		if width == 0 {
			b.WriteByte('$')
			continue
		}
		b.WriteString(groups[n])
		s = s[width:]
	}
}

// group reads the longest number at the start of s that is below n.
func group(s string, n int) (number, width int) {
	for i := 1; i <= len(s) && i <= 3 && s[i-1] >= '0' && s[i-1] <= '9'; i++ {
		if v, err := strconv.Atoi(s[:i]); err == nil && v < n {
			number, width = v, i
		}
	}
	return number, width
}

var functions = template.FuncMap{"json": func(v any) (string, error) {
	raw, err := json.Marshal(v)
	return string(raw), err
}}

// pattern reads "/regex/flags"; ok is false for what is a substring.
func pattern(when string) (re *regexp.Regexp, ok bool, err error) {
	end := strings.LastIndexByte(when, '/')
	if !strings.HasPrefix(when, "/") || end == 0 {
		return nil, false, nil
	}
	flags := when[end+1:]
	if i := strings.IndexFunc(flags, func(r rune) bool { return !strings.ContainsRune("ims", r) }); i >= 0 {
		return nil, true, fmt.Errorf("%q has the flag %q; an expression is /regex/ with the flags i, m, s (a text with slashes: write \\/ inside of /…/)", when, flags[i:i+1])
	}
	source := when[1:end]
	if flags != "" {
		source = "(?" + flags + ")" + source
	}
	re, err = regexp.Compile(source)
	if err != nil {
		return nil, true, fmt.Errorf("%q is no regular expression (RE2): %w", when, err)
	}
	return re, true, nil
}
