package project

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/script"
)

// kindForm is what a kind of artifacts may be called.
var kindForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// artifactsFile takes in what artifacts.ts exports.
func (l *loader) artifactsFile(m script.Loaded, src *source) {
	if m.Kind != "artifacts" {
		l.wrongExport(m, src, `defineArtifacts({kinds: {...}}) from "@cursor/bdk/artifacts"`)
		return
	}
	before := l.report.errors()
	s := newSpec(l.report, src, ruleArtifactsOption, m.Spec)
	s.unknown(ruleArtifactsUnknown, []string{"kinds", "agentTool", "max"})
	rules := &agent.ArtifactRules{AgentTool: s.flag("agentTool"), Max: int(s.count("max", maxArtifacts)), Kinds: map[string]agent.ArtifactKind{}}
	if rules.Max == 0 {
		rules.Max = agent.DefaultMaxArtifacts
	}
	kinds := s.object("kinds")
	for _, name := range kinds.names() {
		rules.Kinds[name] = l.kind(m.ID, kinds, name)
	}
	if l.report.errors() == before {
		l.agent.Artifacts = rules
	}
}

// maxArtifacts bounds what max may be.
const maxArtifacts = 1_000_000

// kind reads {description, schema?}.
func (l *loader) kind(module string, kinds *spec, name string) (k agent.ArtifactKind) {
	if strings.Contains(name, "__") || !kindForm.MatchString(name) {
		l.report.add(ruleArtifactsKind, kinds.at(name), quote(name)+" cannot be a kind of artifacts", "call it by letters, digits, \"-\", \"_\" and \".\", without \"__\", at most 64 in all")
		return k
	}
	if raw := kinds.fields[name]; isSchema(raw) {
		l.report.add(ruleArtifactsKind, kinds.at(name), quote(name)+" is a schema", "write {description: \"...\", schema} around it")
		return k
	}
	s := kinds.object(name)
	if s.fields == nil {
		return k // no object, and said so
	}
	s.unknown(ruleArtifactsUnknown, []string{"description", "schema"})
	if k.Description = s.text("description"); !s.has("description") {
		l.report.add(ruleArtifactsKind, kinds.at(name), quote(name)+" has no description", "say in a sentence what such an artifact is")
	}
	if s.has("schema") {
		l.kindSchema(&k, module, s, name)
	}
	return k
}

func isSchema(raw json.RawMessage) bool {
	var w wrappedSchema
	return bytes.HasPrefix(raw, []byte("{")) && json.Unmarshal(raw, &w) == nil && w.Vendor != "" && (len(w.Schema) > 0 || w.Error != "")
}

// kindSchema gives a kind its schema and what checks data by it.
func (l *loader) kindSchema(k *agent.ArtifactKind, module string, s *spec, name string) {
	doc, plain, fault := readSchema(s.fields["schema"])
	if fault != "" {
		l.report.add(ruleArtifactsSchema, s.at("schema"), "the schema of "+quote(name)+" "+fault, "make it a Zod schema or a JSON Schema object, or leave it out")
		return
	}
	runtime := l.runtime
	k.Schema = doc
	k.Parse = func(ctx context.Context, data json.RawMessage) (json.RawMessage, error) {
		if plain == nil {
			return runtime.ParseValue(ctx, module, []string{"kinds", name, "schema"}, data, &agent.Call{})
		}
		if found := plain.Validate(data); len(found) > 0 {
			return nil, inputError(found)
		}
		return data, nil
	}
}
