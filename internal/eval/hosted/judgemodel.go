package hosted

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
)

// A judgeModel is what the configuration of a judge says.
type judgeModel struct {
	id     string
	params map[string]any
}

const noModel = `no model is set for the judge: write judge: { model: "<id>" } in evals.config.ts, the eval, the case or the call`

// judgeOf reads the configuration of a judge.
func judgeOf(config json.RawMessage) (m judgeModel, err error) {
	var settings map[string]json.RawMessage
	if len(config) > 0 && json.Unmarshal(config, &settings) != nil {
		return m, errors.New("the configuration of the judge is not an object of settings")
	}
	if err := m.read(settings["model"]); err != nil {
		return m, err
	}
	if strings.TrimSpace(m.id) == "" {
		return m, errors.New(noModel)
	}
	for name, value := range settings {
		if name == "model" {
			continue
		}
		var v any
		if err := json.Unmarshal(value, &v); err != nil {
			return m, err
		}
		if err := m.set(name, v); err != nil {
			return m, err
		}
	}
	return m, nil
}

// read reads an id, or {id, params}; nothing where nothing is said.
func (m *judgeModel) read(raw json.RawMessage) error {
	if len(raw) == 0 || json.Unmarshal(raw, &m.id) == nil {
		return nil
	}
	var full agent.Model
	if json.Unmarshal(raw, &full) != nil {
		return fmt.Errorf("the judge's model is %s; it must be an id, or {id, params: [{id, value}]}", raw)
	}
	m.id = full.ID
	for _, p := range full.Params {
		if err := m.set(p.ID, p.Value); err != nil {
			return err
		}
	}
	return nil
}

func (m *judgeModel) set(name string, value any) error {
	switch value.(type) {
	case string, float64, bool:
	default:
		return fmt.Errorf("the judge's setting %q must be a text, a number, true or false", name)
	}
	if m.params == nil {
		m.params = map[string]any{}
	}
	m.params[name] = value
	return nil
}

// A paramsChecker is a Resolver that knows which params its models take.
type paramsChecker interface {
	UnknownParams(ref model.Ref, params map[string]any) []string
	CheckParams(ref model.Ref, params map[string]any) error
}

// check refuses settings that the model would not see.
func (m *judgeModel) check(models model.Resolver, ref model.Ref) error {
	if err := model.CheckWindow(m.params); err != nil {
		return err
	}
	knows, ok := models.(paramsChecker)
	if !ok {
		return nil
	}
	if unknown := knows.UnknownParams(ref, m.params); len(unknown) > 0 {
		return fmt.Errorf("it has no setting %s", strings.Join(unknown, ", "))
	}
	return knows.CheckParams(ref, m.params)
}
