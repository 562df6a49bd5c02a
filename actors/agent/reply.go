package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ParseReply gives the JSON of a reply, compact: the whole text, or what stands in
// its last fence that is marked as json, or else in its last fence without a mark.
// The error says what is wrong in words for the model.
func ParseReply(text string) (json.RawMessage, error) {
	found := strings.TrimSpace(text)
	whole := json.Valid([]byte(found))
	if !whole {
		if inside, ok := lastFence(text); ok {
			found = strings.TrimSpace(inside)
		}
	}
	var raw json.RawMessage
	if err := json.Unmarshal([]byte(found), &raw); err != nil {
		return nil, replyError(found, err)
	}
	var out bytes.Buffer
	err := json.Compact(&out, raw)
	return out.Bytes(), err
}

func replyError(found string, err error) error {
	if found == "" {
		return errors.New("the reply is empty")
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("the reply is not JSON: %w at byte %d", syntax, syntax.Offset)
	}
	return fmt.Errorf("the reply is not JSON: %w", err)
}

// lastFence finds the block that a reply means as its result.
func lastFence(text string) (inside string, ok bool) {
	var body []string
	mark, open, marked := "", "", false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case open == "" && strings.HasPrefix(trimmed, "```"):
			open = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
			mark, body = strings.ToLower(strings.TrimSpace(trimmed[len(open):])), nil
		case open != "" && trimmed == open:
			open = ""
			if mark == "json" || mark == "" && !marked {
				inside, ok, marked = strings.Join(body, ""), true, mark == "json"
			}
		case open != "":
			body = append(body, line)
		}
	}
	return inside, ok
}

// maxShownSchema is how much of a schema a rejection shows.
const maxShownSchema = 4 << 10

// JudgeReply is the verdict of a rule with a schema alone: the reply's JSON, as
// validate gives it back, or a reason to try again that names what does not fit.
// schema is shown to the model with the reason; it may be nil.
func JudgeReply(text string, schema json.RawMessage, validate func(json.RawMessage) (json.RawMessage, []Issue)) Verdict {
	raw, err := ParseReply(text)
	if err != nil {
		return Verdict{Retry: withSchema(err.Error(), schema)}
	}
	value, issues := validate(raw)
	if len(issues) > 0 {
		return Verdict{Retry: withSchema("the reply does not fit the schema: "+joinIssues(issues), schema)}
	}
	return Verdict{Result: value}
}

func withSchema(reason string, schema json.RawMessage) string {
	reason += ". Reply with JSON alone, or in one ```json block"
	if len(schema) == 0 || len(schema) > maxShownSchema {
		return reason + "."
	}
	return reason + ", that fits this schema: " + string(schema)
}
