package fakemodel

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// An Answer is what one request gets.
type Answer struct {
	Status int
	Header http.Header
	// actions are played in order.
	actions []action
}

// An action is one line; arg is what stands behind its name.
type action struct {
	name string
	arg  string
	text string        // of those that take a text
	wait time.Duration // of sleep
}

// Parse reads a script. The actions:
//
//	status <code> [Header=value …]   the status; defaults to 200
//	header <Name>: <value>
//	body <text>                      a whole answer that is no stream
//	delta|reasoning|refusal <text>   a piece of output; a text may be a Go string in quotes
//	call <index> <id|-> <name|-> <fragment>
//	args <index> <fragment>          a further piece of a call's arguments
//	chunk <json>                     one data line
//	frame <json>                     one data line with {"error": json}
//	raw <text>                       bytes as they are
//	comment <text>                   a line that clients skip
//	usage <prompt|cached|written|completion|reasoning>=<n> …
//	finish <reason>
//	done                             data: [DONE]
//	sleep <duration>                 such as 2s
//	stall                            nothing more until the client goes away
//	cut                              the connection ends in the middle
//	reset                            the same, with a TCP reset
//	end                              the answer ends here, cleanly
func Parse(script string) ([]Answer, error) {
	var answers []Answer
	a := newAnswer()
	used := false
	for i, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case line == "---":
			if used {
				answers = append(answers, a)
			}
			a, used = newAnswer(), false
			continue
		}
		used = true
		if err := a.add(line); err != nil {
			return nil, fmt.Errorf("fakemodel: line %d: %w", i+1, err)
		}
	}
	if used {
		answers = append(answers, a)
	}
	if len(answers) == 0 {
		return nil, errNoScript
	}
	return answers, nil
}

func newAnswer() Answer { return Answer{Status: http.StatusOK, Header: http.Header{}} }

func (a *Answer) add(line string) error {
	name, arg, _ := strings.Cut(line, " ")
	act := action{name: name, arg: strings.TrimSpace(arg)}
	var err error
	switch name {
	case "status":
		return a.addStatus(act.arg)
	case "header":
		key, value, ok := strings.Cut(act.arg, ":")
		if !ok {
			return fmt.Errorf("header %q has no colon", act.arg)
		}
		a.Header.Set(key, strings.TrimSpace(value))
		return nil
	case "delta", "reasoning", "refusal", "raw", "body", "comment":
		act.text, err = text(act.arg)
	case "sleep":
		act.wait, err = time.ParseDuration(act.arg)
	case "call", "args":
		_, err = fragment(act)
	case "usage":
		_, err = usage(act.arg)
	case "chunk", "frame", "finish", "done", "stall", "cut", "reset", "end":
	default:
		return fmt.Errorf("unknown action %q", name)
	}
	a.actions = append(a.actions, act)
	return err
}

func (a *Answer) addStatus(arg string) error {
	fields := strings.Fields(arg)
	if len(fields) == 0 {
		return fmt.Errorf("status has no code")
	}
	code, err := strconv.Atoi(fields[0])
	if err != nil || code < 200 || code > 599 {
		return fmt.Errorf("status %q is no status", fields[0])
	}
	a.Status = code
	for _, f := range fields[1:] {
		key, value, _ := strings.Cut(f, "=")
		a.Header.Set(key, value)
	}
	return nil
}

// text reads a Go string in quotes, or takes the words as they are.
func text(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	v, err := strconv.Unquote(s)
	if err != nil {
		return "", fmt.Errorf("%s is no string: %w", s, err)
	}
	return v, nil
}

// fragment is the JSON of one entry of tool_calls.
func fragment(a action) (string, error) {
	index, rest, _ := strings.Cut(a.arg, " ")
	if _, err := strconv.Atoi(index); err != nil {
		return "", fmt.Errorf("%s %s: the index is no number", a.name, a.arg)
	}
	if a.name == "args" {
		return fmt.Sprintf(`{"index":%s,"function":{"arguments":%s}}`, index, quote(rest)), nil
	}
	id, rest, _ := strings.Cut(rest, " ")
	name, args, _ := strings.Cut(rest, " ")
	entry := `{"index":` + index
	if id != "-" {
		entry += `,"id":` + quote(id) + `,"type":"function"`
	}
	entry += `,"function":{`
	if name != "-" {
		entry += `"name":` + quote(name) + `,`
	}
	return entry + `"arguments":` + quote(args) + `}}`, nil
}

// usage is the JSON of a usage object.
func usage(arg string) (string, error) {
	n := map[string]int64{}
	for _, f := range strings.Fields(arg) {
		key, value, _ := strings.Cut(f, "=")
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil || !strings.Contains(" prompt cached written completion reasoning ", " "+key+" ") {
			return "", fmt.Errorf("usage %q is not one of prompt, cached, written, completion, reasoning with a number", f)
		}
		n[key] = v
	}
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,`+
		`"prompt_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"completion_tokens_details":{"reasoning_tokens":%d}}`,
		n["prompt"], n["completion"], n["prompt"]+n["completion"], n["cached"], n["written"], n["reasoning"]), nil
}
