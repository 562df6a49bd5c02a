package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

var (
	errNoEnd   = errors.New("the answer ended before its end")
	errGarbage = errors.New("the answer holds something that is no chunk")
	errEmpty   = errors.New("the answer is empty")
	errFailed  = errors.New("the provider broke off the answer")
)

// An errorFrame is an error that came inside a stream.
type errorFrame struct {
	body apiError
}

func (e *errorFrame) Error() string { return e.body.Message }

// An input reads one stream.
type input struct {
	emit func(model.Delta)

	text, reasoning strings.Builder
	calls           calls
	finish          string
	refused         bool
	done            bool // [DONE] came
	usage           *events.Usage
	emitted         bool
}

// read takes events until [DONE]; a stream that ends without is an error.
func (in *input) read(d ssestream.Decoder) error {
	for d.Next() {
		data := bytes.TrimSpace(d.Event().Data)
		if string(data) == "[DONE]" {
			in.done = true
			break
		}
		if err := in.chunk(data); err != nil {
			return err
		}
	}
	if err := d.Err(); err != nil && !in.done {
		return err
	}
	if !in.done || in.finish == "" {
		return errNoEnd
	}
	return nil
}

func (in *input) chunk(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	var frame struct {
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(data, &frame); err != nil {
		return errGarbage
	}
	if len(frame.Error) > 0 && string(frame.Error) != "null" {
		return &errorFrame{parseError(frame.Error)}
	}
	var c sdk.ChatCompletionChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return errGarbage
	}
	if u := usage(c.Usage); u != nil {
		in.usage = u
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		if err := in.choice(choice); err != nil {
			return err
		}
	}
	return nil
}

func (in *input) choice(c sdk.ChatCompletionChunkChoice) error {
	for _, field := range []string{"reasoning_content", "reasoning"} {
		var s string
		if f, ok := c.Delta.JSON.ExtraFields[field]; ok && json.Unmarshal([]byte(f.Raw()), &s) == nil && s != "" {
			in.say(&in.reasoning, model.Delta{Text: s, Reasoning: true})
			break
		}
	}
	in.say(&in.text, model.Delta{Text: c.Delta.Content})
	if c.Delta.Refusal != "" {
		in.refused = true
		in.say(&in.text, model.Delta{Text: c.Delta.Refusal})
	}
	for _, f := range c.Delta.ToolCalls {
		in.calls.add(f)
		if len(in.calls.list) > maxCalls {
			return errManyCalls
		}
	}
	if c.FinishReason != "" {
		in.finish = c.FinishReason
	}
	return nil
}

func (in *input) say(into *strings.Builder, d model.Delta) {
	if d.Text == "" {
		return
	}
	d.Text = clean(d.Text)
	into.WriteString(d.Text)
	in.emitted = true
	in.emit(d)
}

// response makes the finished step of what was read, or says why it is none.
func (in *input) response() (*model.Response, error) {
	if in.finish == "error" {
		return nil, errFailed
	}
	requested, err := in.calls.requested()
	if err != nil && in.finish != "length" {
		return nil, err
	}
	resp := &model.Response{
		Text: in.text.String(), Reasoning: in.reasoning.String(), Calls: requested,
		FinishReason: in.reason(len(requested) > 0), Usage: in.usage,
	}
	if resp.Text == "" && len(resp.Calls) == 0 &&
		(resp.FinishReason == events.FinishStop || resp.FinishReason == events.FinishToolCalls) {
		return nil, errEmpty
	}
	return resp, nil
}

// reason turns the protocol's word, and those of servers that have their own, into ours.
func (in *input) reason(called bool) string {
	switch in.finish {
	case "length", "max_tokens", "model_length":
		return events.FinishLength
	case "content_filter":
		return events.FinishContentFilter
	}
	switch {
	case in.refused && !called:
		return events.FinishContentFilter
	case called:
		return events.FinishToolCalls
	}
	return events.FinishStop
}

// usage counts in our way: the protocol counts cached tokens as prompt tokens too.
// It is nil where the server said nothing.
func usage(u sdk.CompletionUsage) *events.Usage {
	if u.PromptTokens <= 0 && u.CompletionTokens <= 0 {
		return nil
	}
	read := clamp(u.PromptTokensDetails.CachedTokens, u.PromptTokens)
	if read == 0 { // DeepSeek's older name
		if f, ok := u.JSON.ExtraFields["prompt_cache_hit_tokens"]; ok {
			var hit int64
			_, _ = fmt.Sscan(f.Raw(), &hit)
			read = clamp(hit, u.PromptTokens)
		}
	}
	written := clamp(u.PromptTokensDetails.CacheWriteTokens, u.PromptTokens-read)
	reasoning := max(0, u.CompletionTokensDetails.ReasoningTokens)
	output := max(0, u.CompletionTokens)
	// xAI counts reasoning beside the completion: then only the three make the total.
	if reasoning > 0 && u.TotalTokens == u.PromptTokens+output+reasoning {
		output += reasoning
	}
	return &events.Usage{
		InputTokens: max(0, u.PromptTokens) - read - written, CacheReadTokens: read, CacheWriteTokens: written,
		OutputTokens: output, ReasoningTokens: clamp(reasoning, output),
	}
}

// clamp keeps n within 0 and most, which may be negative too.
func clamp(n, most int64) int64 { return max(0, min(n, most)) }
