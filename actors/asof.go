package actors

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// checkInstants holds the input fields that carry instants against asOf: each
// must be there, absolute with a zone, and not later. It gives the fault, or "".
func checkInstants(fields []string, input json.RawMessage, asOf time.Time) string {
	for _, field := range fields {
		text, ok := stringAt(input, strings.Split(field, "."))
		if !ok {
			return fmt.Sprintf("%s must be given as an absolute instant, such as %s, in a session with asOf", field, asOf.Format(time.RFC3339))
		}
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return fmt.Sprintf("%s is %q: it must be an absolute ISO-8601 instant with a zone, such as %s, in a session with asOf", field, preview(text), asOf.Format(time.RFC3339))
		}
		if at.After(asOf) {
			return fmt.Sprintf("%s is %s, later than the session's asOf %s", field, text, asOf.Format(time.RFC3339))
		}
	}
	return ""
}

// stringAt finds the text at a path inside a JSON object.
func stringAt(doc json.RawMessage, path []string) (string, bool) {
	for _, key := range path {
		var object map[string]json.RawMessage
		if json.Unmarshal(doc, &object) != nil {
			return "", false
		}
		var ok bool
		if doc, ok = object[key]; !ok {
			return "", false
		}
	}
	var text string
	return text, json.Unmarshal(doc, &text) == nil
}
