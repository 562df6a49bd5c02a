package project

import (
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/script"
)

// evalsConfigFields are the fields of defineEvalConfig.
var evalsConfigFields = []string{"maxConcurrency", "timeoutMs", "judge", "reporters", "maxPlaygroundRuns"}

// maxHistory bounds how many runs a host may be told to remember.
const maxHistory = 10_000

// configModule takes in what evals.config.ts exports. One with a fault is none.
func (l *evalLoader) configModule(m script.Loaded) {
	before := l.report.errors()
	config := l.readEvalsConfig(m)
	if l.report.errors() == before {
		l.suite.Config = config
	}
}

func (l *evalLoader) readEvalsConfig(m script.Loaded) *eval.Config {
	src := openSource(l.place.Dir, l.config)
	switch {
	case m.Err != nil:
		l.loadFault(l.config, m.Err)
		return nil
	case m.Kind != "evalConfig":
		l.wrongExport(m, src, `defineEvalConfig({maxConcurrency}) from "@cursor/bdk/evals"`)
		return nil
	}
	s := newSpec(l.report, src, ruleEvalOption, m.Spec)
	s.unknown(ruleEvalUnknown, evalsConfigFields)
	if !s.has("maxConcurrency") {
		l.report.add(ruleEvalOption, src.export(), "maxConcurrency is missing", "say how many cases may run at once, from 1 to 200, such as maxConcurrency: 4")
	}
	return &eval.Config{
		MaxConcurrency:    int(s.count("maxConcurrency", eval.MaxConcurrency)),
		Timeout:           s.millis("timeoutMs"),
		Judge:             readJudge(s),
		Reporters:         readReporters(s, eval.Ref{Module: l.config, Index: -1, Case: -1}),
		MaxPlaygroundRuns: int(s.count("maxPlaygroundRuns", maxHistory)),
	}
}
