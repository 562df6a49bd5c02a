package project

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/script"
)

// HasEvals says whether a project has a folder evals/, whatever lies in it.
func HasEvals(p Place) bool {
	info, err := os.Stat(filepath.Join(p.Dir, evalsFolder))
	return err == nil && info.IsDir()
}

// LoadEvals loads what lies in evals/ of the project. Of the place it reads Dir alone. The
// error is that of ctx; whatever else is wrong is among the suite's diagnostics, and a file
// at fault among its broken ones. A project without evals/ gives a suite without cases.
//
// Loading runs the module scope of the eval files, in a VM of their own that is not the
// agent's. With CheckOnly the suite has no program. Else the caller closes it.
func LoadEvals(ctx context.Context, p Place, o *Options) (*eval.Suite, error) {
	if o == nil {
		o = &Options{}
	}
	l := &evalLoader{
		loader: &loader{place: p, options: o, report: &report{}},
		suite:  &eval.Suite{Dir: p.Dir}, broken: map[string]int{},
		claims: map[string]claim{}, taken: map[string]bool{},
	}
	l.env = environment(nil, p.Dir, o) // what is wrong with it was said of the agent
	if HasEvals(p) {
		l.walk(evalsFolder)
	}
	slices.SortFunc(l.files, func(a, b evalFile) int { return cmp.Or(compareNames(a.id, b.id), compareNames(a.file, b.file)) })
	if err := l.load(ctx); err != nil {
		return nil, err
	}
	l.keepUnique()
	l.suite.Diagnostics = l.report.sorted()
	return l.suite, l.finish()
}

// An evalLoader makes the suite of one project.
type evalLoader struct {
	*loader
	suite *eval.Suite
	// files are the eval files, config that of the configuration; empty: there is none.
	files  []evalFile
	config string
	// drafts are the cases as they were read, before their ids were compared.
	drafts []draft
	// broken counts the reasons of each of suite.Broken.
	broken map[string]int
	// claims are the first owners of ids, taken the ids with more than one.
	claims map[string]claim
	taken  map[string]bool
	// said counts the findings of the file in hand.
	said int
}

// An evalFile is one eval file. Its path is the id of its module.
type evalFile struct{ id, file string }

// load runs the files and reads what they export.
func (l *evalLoader) load(ctx context.Context) error {
	if len(l.files) > 0 && l.config == "" {
		l.report.add(ruleEvalNoConfig, place{File: evalsFolder}, "there is no "+evalsFolder+"/"+evalsConfigFile+", so no eval can run",
			`add it, with export default defineEvalConfig({ maxConcurrency: 4 }) from "@cursor/bdk/evals"`)
	}
	modules := l.evalModules()
	if len(modules) == 0 {
		return ctx.Err()
	}
	o := l.scriptOptions(modules)
	o.Workers, o.KeepWorn = 1, true // the cases of a suite share their modules, as in one process
	rt, err := script.Load(ctx, o)
	if ctx.Err() != nil {
		if rt != nil {
			_ = rt.Close()
		}
		return ctx.Err()
	}
	if err != nil {
		l.unloaded(err)
		return nil
	}
	l.runtime = rt
	found := map[string]script.Loaded{}
	for _, m := range rt.Loaded() {
		found[m.ID] = m
	}
	if l.config != "" {
		l.configModule(found[l.config])
	}
	for _, f := range l.files {
		l.said = 0
		l.claim(f.id, claim{f.file, &source{file: f.file}})
		l.evalModule(f, found[f.file])
	}
	return nil
}

func (l *evalLoader) evalModules() []script.Module {
	var list []script.Module
	for _, f := range l.files {
		list = append(list, script.Module{ID: f.file, File: l.absolute(f.file)})
	}
	if l.config != "" {
		list = append(list, script.Module{ID: l.config, File: l.absolute(l.config)})
	}
	return list
}

// unloaded is a suite of which nothing could be run.
func (l *evalLoader) unloaded(err error) {
	message := "none of the evals could be loaded: " + err.Error()
	l.report.add(ruleModuleLoad, place{File: evalsFolder}, message, "mend what the message names")
	for _, f := range l.files {
		l.breaks(f.id, message)
	}
}

// finish leaves the runtime to the suite, or closes it where only the check was wanted.
func (l *evalLoader) finish() error {
	switch {
	case l.runtime == nil:
		return nil
	case l.options.CheckOnly:
		return l.runtime.Close()
	}
	l.suite.Program = &evalProgram{l.runtime}
	return nil
}

// hold reads something of the suite; what is wrong with it breaks the id.
func (l *evalLoader) hold(id string, read func()) (good bool) {
	outer := l.report
	l.report = &report{}
	read()
	inner := l.report
	l.report = outer
	for _, d := range inner.found {
		if l.said++; l.said <= maxSaid {
			l.report.add(d.Rule, place{d.File, d.Line, d.Column}, d.Message, d.Fix)
		} else if l.said == maxSaid+1 {
			l.report.add(d.Rule, place{d.File, d.Line, d.Column}, d.Message+"; more of the file are not listed", d.Fix)
		}
		if d.Severity == agent.SeverityError {
			l.breaks(id, placed(d))
		}
	}
	return inner.faults == 0
}

// maxSaid is how many findings of one file are listed, but for one: the items of a large
// array have the same faults.
const maxSaid = 20

// breaks notes why what has an id does not run. After a few reasons it says that there are more.
func (l *evalLoader) breaks(id, message string) {
	const reasons = 3
	l.broken[id]++
	n := l.broken[id]
	if n == 1 {
		l.suite.Broken = append(l.suite.Broken, eval.Broken{ID: id, Message: message})
		return
	}
	at := slices.IndexFunc(l.suite.Broken, func(b eval.Broken) bool { return b.ID == id })
	switch {
	case n <= reasons:
		l.suite.Broken[at].Message += "; " + message
	case n == reasons+1:
		l.suite.Broken[at].Message += "; and more, see bdk validate"
	}
}

// keepUnique makes the drafts the cases of the suite, but for those whose id, or that of
// what they are part of, something else has too.
func (l *evalLoader) keepUnique() {
	for _, d := range l.drafts {
		if !slices.ContainsFunc(d.under, func(id string) bool { return l.taken[id] }) {
			l.suite.Cases = append(l.suite.Cases, d.Case)
		}
	}
}
