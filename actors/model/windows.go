package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParamContext is the model param that says how many tokens the context holds, such
// as "256k". It is the host's own, for every provider, and is not sent.
const ParamContext = "context"

// ListWindowsDate is when the table of windows was written.
const ListWindowsDate = "2026-11-30"

// listWindows are how many tokens of input the models take, as their providers
// publish it; where a window is for input and output together, all of it. A model
// that is not here has an unknown window.
var listWindows = map[string]int{
	"openai/gpt-5":        272_000,
	"openai/gpt-5-mini":   272_000,
	"openai/gpt-5-nano":   272_000,
	"openai/gpt-5.1":      272_000,
	"openai/gpt-5.2":      272_000,
	"openai/gpt-4.1":      1_047_576,
	"openai/gpt-4.1-mini": 1_047_576,
	"openai/gpt-4.1-nano": 1_047_576,
	"openai/gpt-4o":       128_000,
	"openai/gpt-4o-mini":  128_000,
	"openai/o1":           200_000,
	"openai/o3":           200_000,
	"openai/o3-mini":      200_000,
	"openai/o4-mini":      200_000,

	"anthropic/claude-opus-4-1":  200_000,
	"anthropic/claude-opus-4-5":  200_000,
	"anthropic/claude-haiku-4-5": 200_000,
}

// ListWindow is how many tokens the context of a model holds, by its full id and as
// of ListWindowsDate; 0 where that is unknown.
func ListWindow(name string) int {
	if n := listWindows[name]; n > 0 {
		return n
	}
	return listWindows[dated.ReplaceAllString(name, "")]
}

// Window is what the param ParamContext says, or else known. A value that says
// nothing counts as absent; CheckWindow has said so.
func Window(params map[string]any, known int) int {
	if v, ok := params[ParamContext]; ok {
		if n, err := parseWindow(v); err == nil {
			return n
		}
	}
	return known
}

// CheckWindow says what is wrong with the param ParamContext, if it is there.
func CheckWindow(params map[string]any) error {
	if v, ok := params[ParamContext]; ok {
		if _, err := parseWindow(v); err != nil {
			return fmt.Errorf("model param %q %w", ParamContext, err)
		}
	}
	return nil
}

// maxWindow is far above every model's.
const maxWindow = 1_000_000_000

// parseWindow reads a number, or a text such as "200000", "256k" or "1m".
func parseWindow(v any) (int, error) {
	text, unit := strings.ToLower(strings.TrimSpace(fmt.Sprint(v))), 1.0
	if rest, ok := strings.CutSuffix(text, "k"); ok {
		text, unit = rest, 1e3
	} else if rest, ok := strings.CutSuffix(text, "m"); ok {
		text, unit = rest, 1e6
	}
	f, err := strconv.ParseFloat(text, 64)
	if n := f * unit; err == nil && n >= 1 && n <= maxWindow && n == math.Trunc(n) {
		return int(n), nil
	}
	return 0, fmt.Errorf("must be a number of tokens such as 200000, 256k or 1m, not %v", v)
}
