package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxDepth bounds how deep a file nests.
const maxDepth = 500

// JSON reads one JSON value. A key that is there twice is a fault, and so is a number
// that JavaScript would change.
func JSON(name, text string) (*Set, error) {
	if at := check(text); at != nil {
		return nil, fault(name, text, at.offset, at.message)
	}
	return &Set{JSON: []byte(text)}, nil
}

// JSONL reads one JSON value a line, as a list. Blank lines are passed over; a line ends
// with \n, \r\n or \r.
func JSONL(name, text string) (*Set, error) {
	var out strings.Builder
	out.WriteByte('[')
	for i, line := range strings.Split(lines.Replace(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if at := check(line); at != nil {
			f := fault(name, line, at.offset, at.message)
			f.Line = i + 1
			return nil, f
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.WriteString(line)
	}
	out.WriteByte(']')
	return &Set{JSON: []byte(out.String())}, nil
}

// Check says what keeps a text from being exactly one JSON value that JavaScript carries
// as it is, with no key twice; empty: nothing does.
func Check(text string) string {
	if at := check(text); at != nil {
		return at.message
	}
	return ""
}

// A flaw is a message at a byte.
type flaw struct {
	offset  int
	message string
}

func check(text string) *flaw {
	if strings.TrimSpace(text) == "" {
		return &flaw{0, "is empty, and a JSON value is needed"}
	}
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		return syntax(text, err)
	}
	w := walk{text: text, json: json.NewDecoder(strings.NewReader(text))}
	w.json.UseNumber()
	return w.value(0)
}

// syntax finds where the text stops being JSON.
func syntax(text string, err error) *flaw {
	var at *json.SyntaxError
	if !errors.As(err, &at) {
		return &flaw{0, "is no JSON: " + err.Error()}
	}
	offset := int(at.Offset)
	if offset > 0 && !strings.HasPrefix(at.Error(), "unexpected end") {
		offset-- // it counts the byte that it stumbled over
	}
	if strings.HasPrefix(text[min(offset, len(text)):], mark) {
		return &flaw{offset, "is no JSON: a byte order mark in the middle of the text"}
	}
	return &flaw{offset, "is no JSON: " + at.Error()}
}

// A walk goes through a text that is JSON.
type walk struct {
	text string
	json *json.Decoder
}

// next reads a token, and where it begins.
func (w *walk) next() (token json.Token, begin int, bad *flaw) {
	begin = int(w.json.InputOffset())
	for begin < len(w.text) && strings.IndexByte(" \t\r\n,:", w.text[begin]) >= 0 {
		begin++
	}
	token, err := w.json.Token()
	if err != nil {
		return nil, begin, &flaw{begin, "is no JSON: " + err.Error()}
	}
	return token, begin, nil
}

func (w *walk) value(depth int) *flaw {
	token, begin, bad := w.next()
	if bad != nil {
		return bad
	}
	if number, ok := token.(json.Number); ok {
		if _, message := carries(number.String()); message != "" {
			return &flaw{begin, message}
		}
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	if depth >= maxDepth {
		return &flaw{begin, fmt.Sprintf("nests more than %d levels deep", maxDepth)}
	}
	keys := map[string]bool{}
	for w.json.More() {
		if open == '{' {
			if bad := w.key(keys); bad != nil {
				return bad
			}
		}
		if bad := w.value(depth + 1); bad != nil {
			return bad
		}
	}
	_, _, bad = w.next() // what closes it
	return bad
}

func (w *walk) key(keys map[string]bool) *flaw {
	token, begin, bad := w.next()
	if bad != nil {
		return bad
	}
	key, _ := token.(string)
	if keys[key] {
		return &flaw{begin, fmt.Sprintf("has the key %q twice in one object", key)}
	}
	keys[key] = true
	return nil
}
