package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/gobdk/bdk/actors/model"
)

// messages turns the conversation into the protocol's. All text leaves as valid
// UTF-8, whatever tools and models have said.
func messages(r *model.Request) []sdk.ChatCompletionMessageParamUnion {
	var list []sdk.ChatCompletionMessageParamUnion
	if r.System != "" {
		list = append(list, sdk.SystemMessage(clean(r.System)))
	}
	for _, m := range r.Messages {
		switch m.Role {
		case model.RoleUser:
			list = append(list, sdk.UserMessage(clean(m.Text)))
		case model.RoleAssistant:
			list = append(list, assistant(&m))
		case model.RoleTool:
			list = append(list, sdk.ToolMessage(output(&m), m.CallID))
		}
	}
	return list
}

func assistant(m *model.Message) sdk.ChatCompletionMessageParamUnion {
	var a sdk.ChatCompletionAssistantMessageParam
	if m.Text != "" || len(m.Calls) == 0 {
		a.Content.OfString = sdk.String(clean(m.Text))
	}
	for _, c := range m.Calls {
		args := string(c.Args)
		if strings.TrimSpace(args) == "" {
			args = "{}"
		}
		a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: name(c.Name), Arguments: clean(args)},
			},
		})
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &a}
}

// output is the result as text: a JSON string as what it says, all else as JSON.
// The protocol has no mark for a failure, so the text begins with it.
func output(m *model.Message) string {
	text := string(m.Output)
	var s string
	if json.Unmarshal(m.Output, &s) == nil && text != "null" {
		text = s
	}
	if m.IsError {
		text = "Error: " + text
	}
	if text == "" {
		text = `""`
	}
	return clean(text)
}

func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// name makes what a model once called into a name that providers take back; the
// host has answered such a call with an error, but it stays in the conversation.
func name(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s)
	switch {
	case s == "":
		return "_"
	case len(s) > 64:
		return s[:64]
	}
	return s
}

// definition is a function in the schema's own key order and with its own digits,
// which the SDK's map would not keep.
type definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

func tools(list []model.Tool) []sdk.ChatCompletionToolUnionParam {
	var out []sdk.ChatCompletionToolUnionParam
	for _, t := range list {
		d := definition{Name: t.Name, Description: clean(t.Description), Parameters: parameters(t.Schema)}
		out = append(out, sdk.ChatCompletionFunctionTool(param.Override[shared.FunctionDefinitionParam](d)))
	}
	return out
}

// parameters gives an object schema its properties: OpenAI refuses one without.
func parameters(schema json.RawMessage) json.RawMessage {
	const none = `{"type":"object","properties":{}}`
	var fields map[string]json.RawMessage
	if json.Unmarshal(schema, &fields) != nil {
		return json.RawMessage(none)
	}
	if _, ok := fields["properties"]; ok {
		return schema
	}
	if len(fields) == 0 {
		return json.RawMessage(none)
	}
	body := strings.TrimSpace(string(schema))
	return json.RawMessage(strings.TrimSuffix(body, "}") + `,"properties":{}}`)
}
