package project

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gobdk/bdk/internal/eval"
)

// reporterOptions are those of the ready reporters; the first one is required.
var reporterOptions = map[string][]string{
	eval.ReporterJUnit:     {"filePath", "suiteName"},
	eval.ReporterArtifacts: {"dir"},
	eval.ReporterCustom:    {eval.OnRunStart, eval.OnEvalComplete, eval.OnRunComplete},
}

// reporterCalls are how the ready ones are written.
var reporterCalls = map[string]string{eval.ReporterJUnit: "JUnit", eval.ReporterArtifacts: "Artifacts"}

// readReporters reads the reporters of a definition, or of the config.
func readReporters(s *spec, of eval.Ref) []eval.Reporter {
	raw, ok := s.fields["reporters"]
	if !ok {
		return nil
	}
	var items []json.RawMessage
	if !bytes.HasPrefix(raw, []byte("[")) || json.Unmarshal(raw, &items) != nil {
		s.wrong("reporters", "an array, such as [JUnit({ filePath: \"junit.xml\" })]")
		return nil
	}
	var list []eval.Reporter
	for i, item := range items {
		r := readReporter(s, fmt.Sprintf("%sreporters[%d]", s.owner, i), item)
		r.Ref, r.Index = of, i
		list = append(list, r)
	}
	return list
}

// readReporter reads one, whose name in messages is given.
func readReporter(s *spec, name string, raw json.RawMessage) (r eval.Reporter) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // what is no object has none
	_ = json.Unmarshal(fields["reporter"], &r.Kind)
	known, ok := reporterOptions[r.Kind]
	if !ok {
		s.report.add(ruleEvalReporter, s.at("reporters"), name+" is "+describe(raw)+", which is no reporter",
			"write JUnit({ filePath }), Artifacts({ dir }), or an object with a function onRunStart, onEvalComplete or onRunComplete")
		return r
	}
	delete(fields, "reporter")
	in := &spec{report: s.report, source: s.source, rule: ruleEvalReporter, fields: fields, owner: name + "."}
	if r.Kind == eval.ReporterCustom {
		in.checkReporter(name, known)
		return r
	}
	if !in.has(known[0]) {
		in.report.add(ruleEvalReporter, s.at("reporters"), fmt.Sprintf("%s is %s without %s", name, reporterCalls[r.Kind], known[0]),
			fmt.Sprintf("write %s({ %s: \"...\" })", reporterCalls[r.Kind], known[0]))
	}
	in.unknown(ruleEvalUnknown, known)
	r.FilePath, r.SuiteName, r.Dir = in.text("filePath"), in.text("suiteName"), in.text("dir")
	return r
}

// checkReporter holds that an object of the author's can be told something.
func (s *spec) checkReporter(name string, methods []string) {
	if !slices.ContainsFunc(methods, s.has) {
		s.report.add(ruleEvalReporter, s.at("reporters"), name+" has none of the methods that are called", "give it a function onRunStart, onEvalComplete or onRunComplete")
	}
	for _, m := range methods {
		if s.has(m) && !isFunction(s.fields[m]) {
			s.wrong(m, "a function")
		}
	}
}
