package model_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
)

// "a model param `context` such as "256k" overrides it"
func TestWindow_Param(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value any
		want  int
	}{
		{"256k", 256_000}, {"1m", 1_000_000}, {"1.5K", 1500}, {" 200000 ", 200_000}, {float64(8192), 8192}, {4096, 4096}, {json.Number("12000"), 12_000},
		{"", 0}, {"much", 0}, {"-5k", 0}, {"0", 0}, {"1.5", 0}, {"2g", 0}, {"1e30", 0}, {nil, 0}, {"nan", 0}, {true, 0},
	} {
		params := map[string]any{model.ParamContext: tt.value}
		got, err := model.Window(params, 7), model.CheckWindow(params)
		switch {
		case tt.want > 0 && (got != tt.want || err != nil):
			t.Errorf("%v: got %d, %v", tt.value, got, err)
		case tt.want == 0 && (got != 7 || err == nil || !strings.Contains(err.Error(), "such as 200000, 256k or 1m")):
			t.Errorf("%v: got %d, %v; it is no window", tt.value, got, err)
		}
	}
	if model.Window(nil, 7) != 7 || model.CheckWindow(nil) != nil {
		t.Error("no param is no window")
	}
}

// Every model of the price list has a window, and a dated name has that of its model.
func TestListWindow(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"openai/gpt-5": 272_000, "openai/gpt-4.1-2025-04-14": 1_047_576, "anthropic/claude-haiku-4-5": 200_000, "openai/unheard-of": 0, "": 0} {
		if got := model.ListWindow(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// "counting a token per four bytes rounded up"
func TestRequest_Tokens(t *testing.T) {
	t.Parallel()
	r := &model.Request{
		System: "12345", Tools: []model.Tool{{Name: "t", Description: "dd", Schema: json.RawMessage(`{}`)}},
		Messages: []model.Message{
			{Role: model.RoleUser, Text: "hi"},
			{Role: model.RoleAssistant, Text: "x", Calls: []model.Call{{Name: "t", Args: json.RawMessage(`{"n":1}`)}}},
			{Role: model.RoleTool, Output: json.RawMessage(`"ok"`)},
		},
	}
	if got := r.Tokens(); got != 7 { // 5 + 5 + 2 + 9 + 4 = 25 bytes
		t.Errorf("got %d", got)
	}
	if got := (&model.Request{}).Tokens(); got != 0 {
		t.Errorf("nothing has %d tokens", got)
	}
}
