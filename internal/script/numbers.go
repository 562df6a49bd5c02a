package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script/dataset"
)

// maxNumberIssues bounds how many numbers one error names.
const maxNumberIssues = 20

// CheckNumbers refuses arguments that hold a number which JavaScript cannot
// carry: a whole number that it would round, or one that is too large for it. The
// error is an *agent.InputError with the paths. What is no JSON passes.
func CheckNumbers(args json.RawMessage) error {
	if !suspicious(args) {
		return nil
	}
	w := numberWalk{json: json.NewDecoder(bytes.NewReader(args))}
	w.json.UseNumber()
	w.value("")
	if len(w.issues) == 0 {
		return nil
	}
	return &agent.InputError{Issues: w.issues}
}

// suspicious finds, fast, what may hold such a number: 16 digits in a row, or an exponent.
func suspicious(raw []byte) bool {
	run := 0
	for _, c := range raw {
		switch {
		case c >= '0' && c <= '9':
			if run++; run > 15 {
				return true
			}
		case run > 0 && (c == 'e' || c == 'E'):
			return true
		default:
			run = 0
		}
	}
	return false
}

type numberWalk struct {
	json   *json.Decoder
	issues []agent.Issue
}

// value reads one value and all in it; false at the end, or where the JSON is broken.
func (w *numberWalk) value(path string) bool {
	token, err := w.json.Token()
	if err != nil {
		return false
	}
	switch t := token.(type) {
	case json.Number:
		w.number(path, t.String())
	case json.Delim:
		for i := 0; w.json.More(); i++ {
			next := fmt.Sprintf("%s[%d]", path, i)
			if t == '{' {
				key, err := w.json.Token()
				if err != nil {
					return false
				}
				next = strings.TrimPrefix(fmt.Sprintf("%s.%v", path, key), ".")
			}
			if !w.value(next) {
				return false
			}
		}
		_, err := w.json.Token()
		return err == nil
	}
	return true
}

func (w *numberWalk) number(path, text string) {
	message := ""
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		message = "is a number too large for JavaScript; send it as a string"
	case !dataset.KeepsDigits(text, n):
		message = fmt.Sprintf("is a whole number that JavaScript would round to %s; send it as a string", strconv.FormatFloat(n, 'f', -1, 64))
	default:
		return
	}
	if len(w.issues) < maxNumberIssues {
		w.issues = append(w.issues, agent.Issue{Path: path, Message: message})
	}
}
