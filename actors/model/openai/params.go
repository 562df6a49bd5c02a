package openai

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// setters are the params that the protocol knows, by the name that authors write.
var setters = map[string]func(*sdk.ChatCompletionNewParams, any) error{
	"effort":              setEffort,
	"reasoning_effort":    setEffort,
	"temperature":         number(func(p *sdk.ChatCompletionNewParams) *param.Opt[float64] { return &p.Temperature }),
	"top_p":               number(func(p *sdk.ChatCompletionNewParams) *param.Opt[float64] { return &p.TopP }),
	"frequency_penalty":   number(func(p *sdk.ChatCompletionNewParams) *param.Opt[float64] { return &p.FrequencyPenalty }),
	"presence_penalty":    number(func(p *sdk.ChatCompletionNewParams) *param.Opt[float64] { return &p.PresencePenalty }),
	"max_tokens":          whole(func(p *sdk.ChatCompletionNewParams) *param.Opt[int64] { return &p.MaxTokens }),
	"seed":                whole(func(p *sdk.ChatCompletionNewParams) *param.Opt[int64] { return &p.Seed }),
	"parallel_tool_calls": setParallel,
	"stop":                setStop,
	"service_tier":        setTier,
	"verbosity":           setVerbosity,
	"fast":                setFast,
}

// UnknownParams names those that the protocol does not know, sorted. They are not
// sent; whoever checks a project warns about them.
func UnknownParams(params map[string]any) []string {
	var unknown []string
	for id := range params {
		if setters[id] == nil {
			unknown = append(unknown, id)
		}
	}
	slices.Sort(unknown)
	return unknown
}

// CheckParams says which param has a value of the wrong kind.
func CheckParams(params map[string]any) error {
	return setParams(&sdk.ChatCompletionNewParams{}, params)
}

func setParams(p *sdk.ChatCompletionNewParams, params map[string]any) error {
	ids := make([]string, 0, len(params))
	for id := range params {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		set := setters[id]
		if set == nil || params[id] == nil {
			continue
		}
		if err := set(p, params[id]); err != nil {
			return fmt.Errorf("model param %q %w", id, err)
		}
	}
	return nil
}

func number(field func(*sdk.ChatCompletionNewParams) *param.Opt[float64]) func(*sdk.ChatCompletionNewParams, any) error {
	return func(p *sdk.ChatCompletionNewParams, v any) error {
		f, ok := float(v)
		if !ok {
			return fmt.Errorf("must be a number, not %v", v)
		}
		*field(p) = sdk.Float(f)
		return nil
	}
}

func whole(field func(*sdk.ChatCompletionNewParams) *param.Opt[int64]) func(*sdk.ChatCompletionNewParams, any) error {
	return func(p *sdk.ChatCompletionNewParams, v any) error {
		f, ok := float(v)
		if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return fmt.Errorf("must be a whole number, not %v", v)
		}
		*field(p) = sdk.Int(int64(f))
		return nil
	}
}

// float reads a number as JSON, TypeScript and Go give it.
func float(v any) (float64, bool) {
	var f float64
	switch n := v.(type) {
	case float64:
		f = n
	case int:
		f = float64(n)
	case int64:
		f = float64(n)
	case json.Number:
		return float(n.String())
	case string: // projects write params as texts, too
		var err error
		if f, err = strconv.ParseFloat(n, 64); err != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

func truth(v any) (bool, error) {
	switch v {
	case true, "true":
		return true, nil
	case false, "false":
		return false, nil
	}
	return false, fmt.Errorf("must be true or false, not %v", v)
}

func text(v any) (string, error) {
	s, ok := v.(string)
	if !ok || s == "" {
		return "", fmt.Errorf("must be a text, not %v", v)
	}
	return s, nil
}

func setEffort(p *sdk.ChatCompletionNewParams, v any) error {
	s, err := text(v)
	p.ReasoningEffort = shared.ReasoningEffort(s)
	return err
}

func setTier(p *sdk.ChatCompletionNewParams, v any) error {
	s, err := text(v)
	p.ServiceTier = sdk.ChatCompletionNewParamsServiceTier(s)
	return err
}

func setVerbosity(p *sdk.ChatCompletionNewParams, v any) error {
	s, err := text(v)
	p.Verbosity = sdk.ChatCompletionNewParamsVerbosity(s)
	return err
}

// setFast asks for the tier that answers sooner and costs more.
func setFast(p *sdk.ChatCompletionNewParams, v any) error {
	on, err := truth(v)
	if on {
		p.ServiceTier = sdk.ChatCompletionNewParamsServiceTierPriority
	}
	return err
}

func setParallel(p *sdk.ChatCompletionNewParams, v any) error {
	on, err := truth(v)
	p.ParallelToolCalls = sdk.Bool(on)
	return err
}

func setStop(p *sdk.ChatCompletionNewParams, v any) error {
	switch v := v.(type) {
	case string:
		p.Stop.OfString = sdk.String(v)
		return nil
	case []any:
		for _, e := range v {
			s, err := text(e)
			if err != nil {
				return fmt.Errorf("must be a list of texts, not %v", v)
			}
			p.Stop.OfStringArray = append(p.Stop.OfStringArray, s)
		}
		return nil
	case []string:
		p.Stop.OfStringArray = v
		return nil
	}
	return fmt.Errorf("must be a text or a list of texts, not %v", v)
}
