package project

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/script"
)

// evalModule takes in what an eval file exports.
func (l *evalLoader) evalModule(f evalFile, m script.Loaded) {
	src := openSource(l.place.Dir, f.file)
	var items []json.RawMessage
	good := l.hold(f.id, func() {
		switch {
		case m.Err != nil:
			l.loadFault(f.file, m.Err)
		case m.Kind == "eval":
		case m.Kind == "evals", m.Kind == "value" && string(m.Spec) == "[]":
			if json.Unmarshal(m.Spec, &items) != nil || len(items) == 0 {
				l.report.add(ruleEvalEmpty, src.export(), "the array has no evals, so there is nothing to run", "fill the data set that it is made of, or remove the file")
			}
		case m.Kind == "value" && bytes.HasPrefix(m.Spec, []byte("[")):
			l.report.add(ruleExport, src.export(), "the default export is an array of which not every item is made by defineEval", `wrap each item: defineEval({ test }) from "@cursor/bdk/evals"`)
		default:
			l.wrongExport(m, src, `defineEval({test}) from "@cursor/bdk/evals", or an array of such`)
		}
	})
	switch {
	case !good:
	case m.Kind == "eval":
		l.definition(f, f.id, eval.Ref{Module: f.file, Index: -1, Case: -1}, "", src, m.Spec)
	default:
		parts := src.elements("", len(items))
		for i, item := range items {
			l.item(f, i, src.part(parts, i), item)
		}
	}
}

// item takes in one eval of an array. Its id keeps its form however long the array is.
func (l *evalLoader) item(f evalFile, i int, src *source, raw json.RawMessage) {
	number := fmt.Sprintf("%04d", i)
	id := f.id + "/" + number
	l.claim(id, claim{fmt.Sprintf("item %s of %s", number, f.file), src})
	l.definition(f, id, eval.Ref{Module: f.file, Index: i, Case: -1}, "item "+number+": ", src, raw)
}

// definition takes in what one call of defineEval made.
func (l *evalLoader) definition(f evalFile, id string, ref eval.Ref, owner string, src *source, raw json.RawMessage) {
	var d evalFields
	var cases []json.RawMessage
	s := newSpec(nil, src, ruleEvalOption, raw)
	s.owner = owner
	if s.has("cases") {
		s.source = src.without("cases")
	}
	good := l.hold(id, func() {
		s.report = l.report
		s.unknown(ruleEvalUnknown, evalFieldNames)
		d = readEvalFields(s, ref)
		cases = l.testOrCases(s)
	})
	if !good {
		return
	}
	under := []string{f.id}
	if id != f.id {
		under = append(under, id)
	}
	if cases == nil {
		l.expand(d.newCase(id, f.file, ref), d.iterations, under, src)
		return
	}
	parts := src.elements("cases", len(cases))
	for i, c := range cases {
		ref.Case = i
		l.evalCase(caseOf{f, id, ref, owner, d, under}, src.part(parts, i), c)
	}
}

// testOrCases holds that there is one of the two, and gives the cases.
func (l *evalLoader) testOrCases(s *spec) (cases []json.RawMessage) {
	raw := s.fields["cases"]
	switch tests, several := s.has("test"), s.has("cases"); {
	case tests && several:
		l.report.add(ruleEvalTest, s.at("test"), s.owner+"the eval has both test and cases", "keep one of the two: a test alone, or cases with a test each")
	case !tests && !several:
		l.report.add(ruleEvalTest, s.source.export(), s.owner+"the eval has neither test nor cases, so there is nothing to run", "write async test(t) {...}, or cases: [{ id, async test(t) {...} }]")
	case tests:
		l.checkTest(s)
	case !bytes.HasPrefix(raw, []byte("[")) || json.Unmarshal(raw, &cases) != nil:
		s.wrong("cases", "an array of { id, test }")
	case len(cases) == 0:
		l.report.add(ruleEvalEmpty, s.at("cases"), s.owner+"cases is empty, so there is nothing to run", "add a case, or remove the file")
	}
	return cases
}

func (l *evalLoader) checkTest(s *spec) {
	if raw := s.fields["test"]; !isFunction(raw) {
		l.report.add(ruleEvalTest, s.at("test"), s.owner+"test is "+describe(raw), "write async test(t) {...}")
	}
}

// caseOf is what a case stands in.
type caseOf struct {
	file  evalFile
	id    string
	ref   eval.Ref
	owner string
	// over are the fields of the eval.
	over  evalFields
	under []string
}

// evalCase takes in one of an eval's cases.
func (l *evalLoader) evalCase(in caseOf, src *source, raw json.RawMessage) {
	s := newSpec(nil, src, ruleEvalOption, raw)
	s.owner = in.owner + fmt.Sprintf("cases[%d]: ", in.ref.Case)
	var name string
	if !l.hold(in.id, func() { s.report = l.report; name = l.caseID(s, raw) }) {
		return
	}
	id := in.id + "/" + name
	s.owner = in.owner + "case " + quote(name) + ": "
	l.claim(id, claim{"case " + quote(name) + " of " + in.file.file, src})
	var d evalFields
	good := l.hold(id, func() {
		s.report = l.report
		s.unknown(ruleEvalUnknown, caseFieldNames)
		d = readEvalFields(s, in.ref)
		if s.has("test") {
			l.checkTest(s)
		} else {
			l.report.add(ruleEvalTest, src.export(), s.owner+"the case has no test, so there is nothing to run", "write async test(t) {...}")
		}
	})
	if good {
		d = in.over.under(d)
		l.expand(d.newCase(id, in.file.file, in.ref), d.iterations, append(in.under[:len(in.under):len(in.under)], id), src)
	}
}

// caseID reads the id of a case.
func (l *evalLoader) caseID(s *spec, raw json.RawMessage) string {
	const fix = `give the case an id that is one segment of a path and stands once in the eval, such as id: "checkout"`
	if !bytes.HasPrefix(raw, []byte("{")) || isFunction(raw) {
		l.report.add(ruleEvalCaseID, s.source.export(), s.owner+"the case is "+describe(raw), "make it { id, async test(t) {...} }")
		return ""
	}
	var id string
	given, ok := s.fields["id"]
	switch why := ""; {
	case !ok:
		l.report.add(ruleEvalCaseID, s.source.export(), s.owner+"the case has no id", fix)
	case json.Unmarshal(given, &id) != nil || isNull(given):
		l.report.add(ruleEvalCaseID, s.at("id"), s.owner+"id is "+describe(given), fix)
	default:
		if why = noSegment(id); why != "" {
			l.report.add(ruleEvalCaseID, s.at("id"), fmt.Sprintf("%sid is %q, which %s", s.owner, id, why), fix)
		}
	}
	return id
}
