package cli

import (
	"bytes"
	"encoding/json"

	"github.com/gobdk/bdk/internal/eval"
)

// A toldRun is what eval --json prints.
type toldRun struct {
	*eval.Run
	// Results are there also when there are none.
	Results []*eval.Result `json:"results"`
	// Compare is there with --compare alone.
	Compare *eval.Comparison `json:"compare,omitempty"`
}

// printRedacted prints a value as JSON, its texts without secrets.
func (a *app) printRedacted(v any) error {
	var b bytes.Buffer
	if err := encodeJSON(&b, v); err != nil {
		return err
	}
	return a.print("%s", a.redactedJSON(b.Bytes()))
}

// redactedJSON takes out of the strings of a JSON text what is known as a secret here.
func (a *app) redactedJSON(text []byte) []byte { return redactJSON(text, a.redactor.Text) }

// redactJSON takes secrets out of the strings of a JSON text, and leaves all else as it is.
func redactJSON(text []byte, redact func(string) string) []byte {
	var out []byte
	for i := 0; i < len(text); {
		if text[i] != '"' {
			out = append(out, text[i])
			i++
			continue
		}
		end := i + 1
		for text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		out = append(out, redactString(text[i:end+1], redact)...)
		i = end + 1
	}
	return out
}

// redactString does so with one string in its quotes.
func redactString(quoted []byte, redact func(string) string) []byte {
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return quoted
	}
	clean := redact(s)
	if clean == s {
		return quoted
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(clean); err != nil {
		return quoted
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
