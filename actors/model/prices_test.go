package model_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// C65: "100 full + 900 cached"; known answers in units of 1e-12 dollars.
func TestPrice_KnownAnswers(t *testing.T) {
	t.Parallel()
	table, err := model.ListPrices().With([]byte(`{"acme/one": {"input": 1, "cacheRead": 0.1, "output": 2}, "acme/tiny": {"input": 0.000001, "output": 0}}`))
	if err != nil {
		t.Fatal(err)
	}
	cached := events.Usage{InputTokens: 100, CacheReadTokens: 900, OutputTokens: 50, ReasoningTokens: 20}
	for _, tt := range []struct {
		name  string
		usage events.Usage
		want  int64
	}{
		{"acme/one", cached, 100*1_000_000 + 900*100_000 + 50*2_000_000},
		{"acme/one", events.Usage{CacheWriteTokens: 7}, 7_000_000}, // cacheWrite defaults to input
		{"acme/tiny", events.Usage{InputTokens: 3, OutputTokens: 9}, 3},
		{"openai/gpt-5", cached, 100*1_250_000 + 900*125_000 + 50*10_000_000},
		{"openai/gpt-5-2025-08-07", cached, 100*1_250_000 + 900*125_000 + 50*10_000_000},
		{"openai/gpt-4o-mini", events.Usage{InputTokens: 1_000_000}, 150_000_000_000}, // 0.15 dollars
		{"anthropic/claude-haiku-4-5", events.Usage{InputTokens: 100, CacheReadTokens: 900, CacheWriteTokens: 10}, 100*1_000_000 + 900*100_000 + 10*1_250_000},
		{"scripted", cached, 0},
		{"openai/gpt-5", events.Usage{}, 0},
	} {
		if got, ok := table.Price(tt.name, tt.usage); !ok || got != tt.want {
			t.Errorf("%s %+v: got %d, %t, want %d", tt.name, tt.usage, got, ok, tt.want)
		}
	}
}

// C67: "cost absent/unknown flag; … no negative numbers"
func TestPrice_Unknown(t *testing.T) {
	t.Parallel()
	table := model.ListPrices()
	for name, u := range map[string]events.Usage{
		"openai/brand-new-9": {InputTokens: 1},
		"gpt-5":              {InputTokens: 1},
		"openai/gpt-5":       {InputTokens: -1},
		"openai/o1":          {InputTokens: math.MaxInt64},
		"openai/o3":          {InputTokens: math.MaxInt64 / 2_000_000, OutputTokens: math.MaxInt64 / 8_000_000},
	} {
		if got, ok := table.Price(name, u); ok || got != 0 {
			t.Errorf("%s %+v: got %d, %t", name, u, got, ok)
		}
	}
}

func TestListPrices_AreSensible(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openai/gpt-5", "openai/gpt-5-nano", "openai/o4-mini", "anthropic/claude-opus-4-5"} {
		full, _ := model.ListPrices().Price(name, events.Usage{InputTokens: 1000})
		read, _ := model.ListPrices().Price(name, events.Usage{CacheReadTokens: 1000})
		out, ok := model.ListPrices().Price(name, events.Usage{OutputTokens: 1000})
		if !ok || read <= 0 || read >= full || full >= out || full%1000 != 0 {
			t.Errorf("%s: input %d, cached %d, output %d", name, full, read, out)
		}
	}
}

// "`bdk.prices.json` at the project root overrides or adds"
func TestLoadPrices_File(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if table, err := model.LoadPrices(dir); err != nil || table == nil {
		t.Fatalf("without a file: %v", err)
	}
	file := filepath.Join(dir, model.PricesFile)
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"openai/gpt-5": {"input": 3, "output": 4.5}}`)
	table, err := model.LoadPrices(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := table.Price("openai/gpt-5", events.Usage{CacheReadTokens: 1, OutputTokens: 1}); !ok || got != 7_500_000 {
		t.Errorf("overridden: %d, %t", got, ok)
	}
	if _, ok := table.Price("openai/o3", events.Usage{}); !ok {
		t.Error("the list price of another model is gone")
	}
	for text, want := range map[string]string{
		``:                               "must be an object of models",
		`[]`:                             "must be an object of models",
		`{} {}`:                          "something stands behind it",
		`{"m": {}, "m": {}}`:             `"m" stands there twice`,
		`{"m": 5}`:                       "m: must be an object with input",
		`{"m": null}`:                    "m: must be an object with input",
		`{"m": {"input": 1}}`:            "m: output is missing",
		`{"m": {"output": 1}}`:           "m: input is missing",
		`{"m": {"Input": 1}}`:            `m: unknown field "Input"`,
		`{"m": {"input": "x"}}`:          `m: input: "x" is no plain number`,
		`{"m": {"input": "1"}}`:          `m: input: "1" is no plain number`,
		`{"m": {"input": null}}`:         "m: input: null is no plain number",
		`{"m": {"input": -1}}`:           "m: input: -1 is negative",
		`{"m": {"input": 0.0000001}}`:    "m: input: 0.0000001 has more than six decimals",
		`{"m": {"input": 1e3}}`:          "m: input: 1e3 is no plain number",
		`{"m": {"output": 99999999999}}`: "is more than a million dollars",
		`{"m": {"input": 1, "input": 2, "output": 3}}`: "m: must be an object with input",
	} {
		write(text)
		if _, err := model.LoadPrices(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), model.PricesFile) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
