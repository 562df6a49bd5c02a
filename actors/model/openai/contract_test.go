package openai_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/fakemodel"
	"github.com/gobdk/bdk/actors/model/modeltest"
	"github.com/gobdk/bdk/actors/model/openai"
)

func TestModel_Contract(t *testing.T) {
	t.Parallel()
	modeltest.Run(t, func(t testing.TB, s modeltest.Step) (model.Model, *model.Request) {
		_, url := fakemodel.Run(t, script(s))
		return openai.New(&openai.Options{BaseURL: url, APIKey: "k"}), says("go")
	})
}

func says(text string) *model.Request {
	return &model.Request{Model: "m", Messages: []model.Message{{Role: model.RoleUser, Text: text}}}
}

// script writes a step as a fake model's answer, in pieces of a few bytes.
func script(s modeltest.Step) string {
	var b strings.Builder
	if s.Status != 0 {
		return fmt.Sprintf("status %d\nbody {\"error\":{\"message\":\"no\"}}", s.Status)
	}
	pieces(&b, "reasoning", s.Reasoning)
	pieces(&b, "delta", s.Text)
	switch {
	case s.Break:
		return b.String() + "cut"
	case s.Stall:
		return b.String() + "stall"
	}
	finish := "stop"
	for i, c := range s.Calls {
		half := len(c.Args) / 2
		fmt.Fprintf(&b, "chunk %s\nchunk %s\n",
			callChunk(i, fmt.Sprintf("id_%d", i), c.Name, c.Args[:half]), callChunk(i, "", "", c.Args[half:]))
		finish = "tool_calls"
	}
	if u := s.Usage; u != nil {
		fmt.Fprintf(&b, "usage prompt=%d cached=%d completion=%d reasoning=%d\n",
			u.InputTokens+u.CacheReadTokens, u.CacheReadTokens, u.OutputTokens, u.ReasoningTokens)
	}
	return b.String() + "finish " + finish + "\ndone"
}

func pieces(b *strings.Builder, action, text string) {
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(7, len(runes))
		if len(runes) > 1000 {
			n = 500
		}
		fmt.Fprintf(b, "%s %s\n", action, strconv.Quote(string(runes[:n])))
		runes = runes[n:]
	}
}

func callChunk(index int, id, name, args string) string {
	f := map[string]any{"index": index, "function": map[string]any{"name": name, "arguments": args}}
	if id != "" {
		f["id"] = id
	}
	raw, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"tool_calls": []any{f}}}}})
	return string(raw)
}
