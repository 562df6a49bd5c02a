package project

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// commonEvalFields are those that an eval and its cases have in common.
var commonEvalFields = []string{"description", "tags", "timeoutMs", "iterations", "judge", "reporters", "metadata", "stubs", "replay"}

var (
	evalFieldNames = append([]string{"test", "cases"}, commonEvalFields...)
	caseFieldNames = append([]string{"id", "test"}, commonEvalFields...)
)

// evalFields are what an eval or a case says besides its test. Stubs stay with the program.
type evalFields struct {
	description, replay string
	tags                []string
	timeout             time.Duration
	iterations          int
	judge               json.RawMessage
	reporters           []eval.Reporter
	metadata            map[string]json.RawMessage
}

func readEvalFields(s *spec, ref eval.Ref) evalFields {
	checkStubs(s)
	return evalFields{
		description: readCaption(s),
		tags:        readTags(s),
		timeout:     s.millis("timeoutMs"),
		iterations:  int(s.count("iterations", eval.MaxIterations)),
		judge:       readJudge(s),
		reporters:   readReporters(s, ref),
		metadata:    readMetadata(s),
		replay:      s.text("replay"),
	}
}

// under lays the fields of a case over those of its eval. The metadata of both count,
// and the reporters of both are told; of everything else the case's own holds.
func (f evalFields) under(c evalFields) evalFields {
	if c.tags == nil {
		c.tags = f.tags
	}
	c.reporters = slices.Concat(f.reporters, c.reporters)
	if len(f.metadata) > 0 {
		merged := maps.Clone(f.metadata)
		maps.Copy(merged, c.metadata)
		c.metadata = merged
	}
	if c.description == "" {
		c.description = f.description
	}
	if c.replay == "" {
		c.replay = f.replay
	}
	if c.timeout == 0 {
		c.timeout = f.timeout
	}
	if c.iterations == 0 {
		c.iterations = f.iterations
	}
	if c.judge == nil {
		c.judge = f.judge
	}
	return c
}

func (f evalFields) newCase(id, file string, ref eval.Ref) eval.Case {
	return eval.Case{
		ID: id, File: file, Description: f.description, Tags: f.tags, Timeout: f.timeout, Judge: f.judge,
		Reporters: f.reporters, Metadata: f.metadata, Replay: f.replay, Ref: ref,
	}
}

// readCaption reads a description, which may be empty: it often comes from a data set.
func readCaption(s *spec) (text string) {
	if raw, ok := s.fields["description"]; ok && (json.Unmarshal(raw, &text) != nil || isNull(raw)) {
		s.wrong("description", "a string")
	}
	return strings.TrimSpace(text)
}

// readTags reads texts that have something in them, each once.
func readTags(s *spec) []string {
	tags := s.texts("tags")
	if slices.ContainsFunc(tags, func(t string) bool { return strings.TrimSpace(t) == "" }) {
		s.report.add(s.rule, s.at("tags"), s.owner+"tags has an empty one, which nobody could select", "take it out")
		return nil
	}
	return unique(tags)
}

// unique gives each text once, in the order of the first ones.
func unique(list []string) []string {
	var kept []string
	for _, s := range list {
		if !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// readJudge reads the configuration of a judge; what its settings mean is for its model.
func readJudge(s *spec) json.RawMessage {
	o := s.object("judge")
	if o.fields == nil {
		return nil
	}
	o.text("model")
	for _, name := range o.names() {
		if holdsFunction(o.fields[name]) {
			o.wrong(name, "a value that JSON has")
		}
	}
	return s.fields["judge"]
}

// readMetadata reads an object of data.
func readMetadata(s *spec) map[string]json.RawMessage {
	o := s.object("metadata")
	for _, name := range o.names() {
		if holdsFunction(o.fields[name]) {
			s.report.add(s.rule, o.at(name), o.owner+o.prefix+name+" has a function in it, and metadata are data", "make it a value that JSON has")
		}
	}
	return o.fields
}

func holdsFunction(raw json.RawMessage) bool { return bytes.Contains(raw, []byte(`{"$fn":true}`)) }

// checkStubs holds that stubs are an object by the names of tools.
func checkStubs(s *spec) {
	o := s.object("stubs")
	for _, name := range o.names() {
		if strings.TrimSpace(name) == "" {
			s.report.add(s.rule, s.at("stubs"), s.owner+"stubs has an entry without a name", "write the name of the tool that it answers for")
		}
	}
}
