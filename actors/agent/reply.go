package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ParseReply gives the JSON of a reply, compact: the whole text, or what stands in
// its last fenced block that is JSON, a block marked as json before one without a
// mark. The error says what is wrong in words for the model.
func ParseReply(text string) (json.RawMessage, error) {
	meant := text // what the error is about
	if raw, ok := jsonOf(text); ok {
		return raw, nil
	}
	blocks := fenced(text)
	for _, marked := range []bool{true, false} {
		for _, b := range blocks {
			if b.marked != marked {
				continue
			}
			if raw, ok := jsonOf(b.inside); ok {
				return raw, nil
			}
			if meant == text {
				meant = b.inside
			}
		}
	}
	return nil, replyError(strings.TrimSpace(meant))
}

func jsonOf(text string) (json.RawMessage, bool) {
	var out bytes.Buffer
	err := json.Compact(&out, []byte(text))
	return out.Bytes(), err == nil
}

func replyError(text string) error {
	if text == "" {
		return errors.New("the reply is empty")
	}
	var raw json.RawMessage
	err := json.Unmarshal([]byte(text), &raw)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("the reply is not JSON: %w at byte %d", syntax, syntax.Offset)
	}
	return fmt.Errorf("the reply is not JSON: %w", err)
}

// maxShownSchema is how much of a schema a rejection shows.
const maxShownSchema = 4 << 10

// JudgeReply is the verdict of a rule with a schema alone: the reply's JSON, as
// validate gives it back, or a reason to try again that names what does not fit.
// schema is shown to the model with the reason; it may be nil.
func JudgeReply(text string, schema json.RawMessage, validate func(json.RawMessage) (json.RawMessage, []Issue)) Verdict {
	raw, err := ParseReply(text)
	if err != nil {
		return Verdict{Retry: err.Error(), Advice: adviceOf(schema)}
	}
	value, issues := validate(raw)
	if len(issues) > 0 {
		return Verdict{Retry: "the reply does not fit the schema: " + joinIssues(issues), Advice: adviceOf(schema)}
	}
	return Verdict{Result: value}
}

func adviceOf(schema json.RawMessage) string {
	const advice = "Reply with JSON alone, or in one ```json block"
	if len(schema) == 0 || len(schema) > maxShownSchema {
		return advice + "."
	}
	return advice + ", that fits this schema: " + string(schema)
}
