package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/schema"
	"github.com/gobdk/bdk/internal/script"
)

// maxRepairs bounds what maxRepairs may be.
const maxRepairs = 100

// A resultRule judges replies by what result.ts exports.
type resultRule struct {
	runtime *script.Runtime
	// resolves says that the project has a function resolve, and schema that it has a schema.
	resolves, schema bool
	// doc is the JSON Schema, where the schema can tell it.
	doc json.RawMessage
	// plain checks a plain JSON Schema; nil where the project's own code checks.
	plain *schema.Schema
}

// resultFile takes in what result.ts exports.
func (l *loader) resultFile(m script.Loaded, src *source) {
	if m.Kind != "result" {
		l.wrongExport(m, src, `defineResult({schema, resolve}) from "@cursor/bdk"`)
		return
	}
	before := l.report.errors()
	s := newSpec(l.report, src, ruleResultOption, m.Spec)
	s.unknown(ruleResultUnknown, []string{"schema", "resolve", "maxRepairs"})
	r := &resultRule{runtime: l.runtime, resolves: s.has("resolve"), schema: s.has("schema")}
	if r.resolves && !isFunction(s.fields["resolve"]) {
		s.wrong("resolve", "a function ({text, turn}, ctx) => {result} | {retry} | {fail}")
	}
	rule := &agent.ResultRule{Schema: readResultSchema(s, r), MaxRepairs: readRepairs(s), Resolve: r.judge}
	if !r.resolves && !r.schema {
		l.report.add(ruleResultOption, src.export(), "the result has neither schema nor resolve", "give it a schema that replies must fit, or a function resolve that judges them")
	}
	if l.report.errors() == before {
		l.agent.Result = rule
	}
}

// readRepairs gives what the agent's rule understands: there 0 is the default.
func readRepairs(s *spec) int {
	raw, ok := s.fields["maxRepairs"]
	var n int
	switch {
	case !ok:
		return agent.DefaultMaxRepairs
	case json.Unmarshal(raw, &n) != nil || isNull(raw) || n < 0 || n > maxRepairs:
		s.wrong("maxRepairs", fmt.Sprintf("a whole number from 0 to %d", maxRepairs))
	case n == 0:
		return -1
	}
	return n
}

func readResultSchema(s *spec, r *resultRule) json.RawMessage {
	if !r.schema {
		return nil
	}
	doc, compiled, fault := readSchema(s.fields["schema"])
	if fault != "" {
		s.report.add(ruleResultSchema, s.at("schema"), "schema "+fault, "make it a Zod schema or a JSON Schema object, or leave it out")
	}
	r.plain, r.doc = compiled, doc
	return doc
}

// judge is the Resolve of the agent's rule. The project's resolve decides where there
// is one, and what it takes for the result must fit the schema; else the schema
// decides about the JSON of the reply. What does not fit goes back to the model.
func (r *resultRule) judge(ctx context.Context, reply *agent.Reply, c *agent.Call) (agent.Verdict, error) {
	if !r.resolves {
		var fault error
		v := agent.JudgeReply(reply.Text, r.doc, func(value json.RawMessage) (parsed json.RawMessage, issues []agent.Issue) {
			parsed, issues, fault = r.fit(ctx, value, c)
			return parsed, issues
		})
		return v, fault
	}
	v, err := r.resolve(ctx, reply, c)
	if err != nil || v.Result == nil || !r.schema {
		return v, err
	}
	value, issues, err := r.fit(ctx, v.Result, c)
	if len(issues) > 0 {
		return agent.Verdict{Retry: "the result does not fit its schema: " + issueText(schemaIssues(issues))}, nil
	}
	return agent.Verdict{Result: value}, err
}

// fit holds a value against the schema, and gives what the schema makes of it.
func (r *resultRule) fit(ctx context.Context, value json.RawMessage, c *agent.Call) (json.RawMessage, []agent.Issue, error) {
	if r.plain != nil {
		if found := r.plain.Validate(value); len(found) > 0 {
			return nil, inputError(found).Issues, nil
		}
		return value, nil, nil
	}
	parsed, err := r.runtime.ParseValue(ctx, resultModule, []string{"schema"}, value, c)
	var input *agent.InputError
	if errors.As(err, &input) {
		return nil, input.Issues, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("checking the result by its schema: %w", err)
	}
	return parsed, nil, nil
}

func schemaIssues(issues []agent.Issue) []schema.Issue {
	list := make([]schema.Issue, len(issues))
	for i, is := range issues {
		list[i] = schema.Issue(is)
	}
	return list
}

// resolve asks the project's own function.
func (r *resultRule) resolve(ctx context.Context, reply *agent.Reply, c *agent.Call) (agent.Verdict, error) {
	args, err := json.Marshal([]any{struct {
		Text string          `json:"text"`
		Turn agent.ReplyTurn `json:"turn"`
	}{reply.Text, reply.Turn}})
	if err != nil {
		return agent.Verdict{}, err
	}
	raw, err := r.runtime.CallFunction(ctx, resultModule, "resolve", args, c)
	if err != nil {
		return agent.Verdict{}, fmt.Errorf("asking resolve of result.ts: %w", err)
	}
	return verdict(raw), nil
}

// verdict reads {result} | {retry: reason} | {fail: reason}; anything else fails.
func verdict(raw json.RawMessage) agent.Verdict {
	var fields map[string]json.RawMessage
	if bytes.HasPrefix(raw, []byte("{")) && json.Unmarshal(raw, &fields) == nil && len(fields) == 1 {
		if result, ok := fields["result"]; ok {
			return agent.Verdict{Result: result}
		}
		var reason string
		if json.Unmarshal(fields["retry"], &reason) == nil && reason != "" {
			return agent.Verdict{Retry: reason}
		}
		if json.Unmarshal(fields["fail"], &reason) == nil && reason != "" {
			return agent.Verdict{Fail: reason}
		}
	}
	if len(raw) > 200 {
		raw = append(bytes.ToValidUTF8(raw[:200], nil), "…"...)
	}
	return agent.Verdict{Fail: "resolve of result.ts gave " + string(raw) + `, where it gives {result}, {retry: "why"} or {fail: "why"}`}
}
