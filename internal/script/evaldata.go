package script

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/internal/schema"
	"github.com/gobdk/bdk/internal/script/dataset"
)

var dataFormats = map[string]dataset.Format{"json": dataset.JSON, "jsonl": dataset.JSONL, "yaml": dataset.YAML}

// evalDataOps read the data of evals, and hold values against JSON Schema.
func evalDataOps(o *ops) {
	o.async("eval.load", func(v *vm, a args) (work, error) {
		name, format, path := a.text(1), dataFormats[a.text(2)], a.text(3)
		root, log := v.o.Dir, v.log()
		return func(context.Context) (any, error) {
			set, err := dataset.Load(root, path, format)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, w := range set.Warnings {
				log.Warn().Msg(name + ": " + w)
			}
			return asJSON(struct {
				JSON string `json:"json"`
				NaN  string `json:"nan,omitempty"`
			}{string(set.JSON), set.NaN})
		}, nil
	})
	o.sync("eval.json", func(_ *vm, a args) (any, error) { return dataset.Check(a.text(0)), nil })
	o.sync("eval.schema", func(_ *vm, a args) (any, error) {
		_, err := compileSchema(a.text(0))
		return nil, err
	})
	o.sync("eval.fits", func(_ *vm, a args) (any, error) {
		s, err := compileSchema(a.text(0))
		if err != nil {
			return nil, err
		}
		return issuesLine(s.Validate(json.RawMessage(a.text(1)))), nil
	})
}

func compileSchema(text string) (*schema.Schema, error) {
	s, err := schema.Compile(json.RawMessage(text))
	if err != nil {
		return nil, typeError("matches was given no JSON Schema: %v", err)
	}
	return s, nil
}

func issuesLine(issues []schema.Issue) string {
	parts := make([]string, len(issues))
	for i, issue := range issues {
		parts[i] = strings.TrimPrefix(issue.Path+": "+issue.Message, ": ")
	}
	return strings.Join(parts, "; ")
}
