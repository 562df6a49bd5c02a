package openai_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/fakemodel"
	"github.com/gobdk/bdk/actors/model/openai"
	"github.com/gobdk/bdk/events"
)

// play gives what a step's answer becomes.
func play(t *testing.T, script string) (*model.Response, error) {
	t.Helper()
	var resp *model.Response
	var err error
	synctest.Test(t, func(t *testing.T) {
		s, perr := fakemodel.New(script, nil)
		if perr != nil {
			t.Fatal(perr)
		}
		m := openai.New(&openai.Options{BaseURL: "http://fake/v1", HTTPClient: &http.Client{Transport: s.Transport()}})
		resp, err = m.Stream(t.Context(), says("go"), func(model.Delta) {})
	})
	return resp, err
}

func entry(list string) string {
	return fmt.Sprintf(`chunk {"choices":[{"index":0,"delta":{"tool_calls":[%s]}}]}`+"\n", list)
}

// C52, C53 and what else servers do with the fragments of calls.
func TestCalls_Fragments(t *testing.T) {
	t.Parallel()
	const end = "finish tool_calls\ndone"
	call := func(name, args string) model.RequestedCall { return model.RequestedCall{Name: name, Args: args} }
	for script, want := range map[string][]model.RequestedCall{
		// two entries with one index in one chunk
		entry(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}},{"index":0,"function":{"arguments":":1}"}}`): {call("f", `{"x":1}`)},
		// all on index 0 without ids
		entry(`{"index":0,"function":{"name":"f","arguments":"{\"u\":\"a\"}"}}`) + entry(`{"index":0,"function":{"name":"f","arguments":"{\"u\":\"b\"}"}}`): {call("f", `{"u":"a"}`), call("f", `{"u":"b"}`)},
		// all on index 0 with ids
		entry(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`) + entry(`{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}`): {call("f", `{}`), call("f", `{}`)},
		// id and name in every fragment
		entry(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}`) + entry(`{"index":0,"id":"a","function":{"name":"f","arguments":"1}"}}`): {call("f", `{"x":1}`)},
		// two calls whose fragments alternate
		"call 0 a f {\"x\"\ncall 1 b g {\"y\"\nargs 0 :1}\nargs 1 :2}\n": {call("f", `{"x":1}`), call("g", `{"y":2}`)},
		// no index at all, no arguments, null arguments
		entry(`{"id":"a","function":{"name":"f"}}`):                                {call("f", "")},
		entry(`{"index":0,"id":"a","function":{"name":"f","arguments":null}}`):     {call("f", "")},
		entry(`{"index":2,"id":"a","function":{"name":"f","arguments":"{\"cut"}}`): {call("f", `{"cut`)},
		// an object behind which the model wrote on is the model's mistake, not a glued one
		entry(`{"index":0,"id":"a","function":{"name":"f","arguments":"{} then"}}`): {call("f", `{} then`)},
	} {
		resp, err := play(t, script+end)
		if err != nil || !slices.Equal(resp.Calls, want) || resp.FinishReason != events.FinishToolCalls {
			t.Errorf("%s\n got %+v, %v\nwant %v", script, resp, err, want)
		}
	}
}

func TestStream_FinishReasons(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]model.Response{
		"delta a\nfinish stop\ndone":           {Text: "a", FinishReason: events.FinishStop},
		"delta a\nfinish length\ndone":         {Text: "a", FinishReason: events.FinishLength},
		"delta a\nfinish model_length\ndone":   {Text: "a", FinishReason: events.FinishLength},
		"reasoning hm\nfinish length\ndone":    {Reasoning: "hm", FinishReason: events.FinishLength},
		"delta a\nfinish eos\ndone":            {Text: "a", FinishReason: events.FinishStop},
		"delta a\nfinish tool_calls\ndone":     {Text: "a", FinishReason: events.FinishStop},
		"call 0 a f {}\nfinish stop\ndone":     {FinishReason: events.FinishToolCalls, Calls: []model.RequestedCall{{Name: "f", Args: "{}"}}},
		"call 0 a f {\"x\nfinish length\ndone": {FinishReason: events.FinishLength, Calls: []model.RequestedCall{{Name: "f", Args: `{"x`}}},
		// C56: a filter's answer is a step with its reason, with and without text, and is not asked for again
		"finish content_filter\ndone":             {FinishReason: events.FinishContentFilter},
		"delta a\nfinish content_filter\ndone":    {Text: "a", FinishReason: events.FinishContentFilter},
		"refusal \"I can't.\"\nfinish stop\ndone": {Text: "I can't.", FinishReason: events.FinishContentFilter},
		// C55: chunks without choices, and a last line without an empty one behind it
		"chunk {\"choices\":null}\nchunk {\"choices\":[]}\nchunk {}\ndelta a\nfinish stop\nraw \"data: [DONE]\"":                                                       {Text: "a", FinishReason: events.FinishStop},
		"raw \"data:{\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"a\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\r\\n\\r\\n\"\ncomment x\ndone": {Text: "a", FinishReason: events.FinishStop},
		"chunk {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}\ndelta a\nfinish stop\ndone":                                                            {Text: "a", FinishReason: events.FinishStop},
		"chunk {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"hm\",\"content\":\"a\"}}]}\nfinish stop\ndone":                                                    {Text: "a", Reasoning: "hm", FinishReason: events.FinishStop},
	} {
		resp, err := play(t, script)
		if err != nil || resp.Text != want.Text || resp.Reasoning != want.Reasoning || resp.FinishReason != want.FinishReason || !slices.Equal(resp.Calls, want.Calls) {
			t.Errorf("%s\n got %+v, %v\nwant %+v", script, resp, err, want)
		}
	}
}

// "`inputTokens` … never counts a cached token … `outputTokens` (includes reasoning)" (C65)
func TestStream_Usage(t *testing.T) {
	t.Parallel()
	raw := func(s string) string { return `chunk {"choices":[],"usage":` + s + "}\n" }
	for line, want := range map[string]*events.Usage{
		"usage prompt=1000 cached=900 completion=50 reasoning=20\n":                                                            {InputTokens: 100, CacheReadTokens: 900, OutputTokens: 50, ReasoningTokens: 20},
		"usage prompt=1000 cached=900 written=60 completion=1\n":                                                               {InputTokens: 40, CacheReadTokens: 900, CacheWriteTokens: 60, OutputTokens: 1},
		raw(`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}`):                                                    {InputTokens: 10, OutputTokens: 5},
		raw(`{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":null,"completion_tokens_details":null}`):        {InputTokens: 10, OutputTokens: 5},
		raw(`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":22,"completion_tokens_details":{"reasoning_tokens":7}}`): {InputTokens: 10, OutputTokens: 12, ReasoningTokens: 7},
		raw(`{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":2}`):             {InputTokens: 2, CacheReadTokens: 8, OutputTokens: 5},
		raw(`{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":99}}`):                         {CacheReadTokens: 10, OutputTokens: 5},
		raw(`{"prompt_tokens":-4,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":-1}}`):                         {OutputTokens: 5},
		raw(`{"prompt_tokens":1,"completion_tokens":1}`) + raw(`{"prompt_tokens":2,"completion_tokens":3}`):                    {InputTokens: 2, OutputTokens: 3},
		raw(`{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`):                                                      nil,
		raw(`null`): nil,
		"":          nil,
	} {
		resp, err := play(t, "delta a\nfinish stop\n"+line+"done")
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if (resp.Usage == nil) != (want == nil) || want != nil && *resp.Usage != *want {
			t.Errorf("%s: got %+v, want %+v", line, resp.Usage, want)
		}
	}
}

// Text is valid UTF-8, whatever came (C46).
func TestStream_BrokenText(t *testing.T) {
	t.Parallel()
	resp, err := play(t, `raw "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\\ud83d\xff\"}}]}\n\n"`+"\nfinish stop\ndone")
	if err != nil || resp.Text != "a\uFFFD\uFFFD" {
		t.Errorf("got %q, %v", resp.Text, err)
	}
}
