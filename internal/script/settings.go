package script

import (
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/internal/schema"
)

// settingsOps hold the settings of an extension against plain JSON Schema.
func settingsOps(o *ops) {
	o.sync("settings.issues", func(_ *vm, a args) (any, error) {
		s, err := schema.Compile(json.RawMessage(a.text(0)))
		if err != nil {
			return nil, fmt.Errorf("config is no JSON Schema: %w", err)
		}
		found := s.Validate(json.RawMessage(a.text(1)))
		if len(found) == 0 {
			return "", nil
		}
		issues := make([]settingsIssue, len(found))
		for i, f := range found {
			issues[i].Message = f.Message
			if f.Path != "" {
				issues[i].Path = []string{f.Path}
			}
		}
		return asJSON(issues)
	})
}

// A settingsIssue has the shape of those of schema libraries; its path is one part.
type settingsIssue struct {
	Path    []string `json:"path"`
	Message string   `json:"message"`
}
