package project

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/near"
)

// evalsConfigFile configures all evals of a project.
const evalsConfigFile = "evals.config.ts"

// evalEndings are those of eval files; the first wins over the other.
var evalEndings = []string{".eval.ts", ".eval.js"}

// walk finds the eval files in a folder of the project and below it.
func (l *evalLoader) walk(rel string) {
	list := l.evalEntries(rel)
	for _, e := range list {
		file := path.Join(rel, e.name)
		switch {
		case e.dir:
			l.walk(file)
		case !isEvalFile(e.name) && !isEvalsConfig(file):
			l.unread(rel, e.name)
		case shadowed(e.name, list):
			l.report.add(ruleShadowed, top(file), "the file is not read, since "+strings.TrimSuffix(file, ".js")+".ts has the same name", "keep one of the two, or give one another name")
		case !isEvalFile(e.name):
			l.config = file
		default:
			l.evalFile(file)
		}
	}
}

func isEvalFile(name string) bool {
	return slices.ContainsFunc(evalEndings, func(end string) bool { return strings.HasSuffix(name, end) })
}

func isEvalsConfig(file string) bool {
	return file == evalsFolder+"/"+evalsConfigFile || file == evalsFolder+"/evals.config.js"
}

// shadowed says whether the source of a file that was built lies beside it.
func shadowed(name string, list []entry) bool {
	stem, isBuilt := strings.CutSuffix(name, ".js")
	return isBuilt && slices.ContainsFunc(list, func(e entry) bool { return !e.dir && e.name == stem+".ts" })
}

// evalEntries lists a folder. What cannot be read there may have held cases, unless its
// name says that it is something else.
func (l *evalLoader) evalEntries(rel string) []entry {
	l.said = 0
	d := newDiscovery(l.place.Dir, "", &report{})
	list := d.entries(rel)
	for _, f := range d.report.found {
		if f.File == rel || path.Ext(f.File) == "" || isEvalFile(f.File) || isEvalsConfig(f.File) {
			l.hold(evalID(f.File), func() { l.report.add(f.Rule, place{File: f.File}, f.Message, f.Fix) })
		}
	}
	return list
}

// evalFile takes in a file of cases, under an id that it can have.
func (l *evalLoader) evalFile(file string) {
	f := evalFile{evalID(file), file}
	for segment := range strings.SplitSeq(f.id, "/") {
		if why := noSegment(segment); why != "" {
			l.hold(f.id, func() {
				l.report.add(ruleName, top(file), quote(segment)+" cannot be part of an eval's id: it "+why, "rename it")
			})
			return
		}
	}
	l.files = append(l.files, f)
}

// evalID is the path of a file below evals/ without its ending; an index file has the id
// of its folder.
func evalID(file string) string {
	id := strings.TrimPrefix(file, evalsFolder+"/")
	for _, end := range evalEndings {
		id = strings.TrimSuffix(id, end)
	}
	if dir, base := path.Split(id); base == "index" && dir != "" {
		return strings.TrimSuffix(dir, "/")
	}
	return id
}

// unread warns of a file that was most likely meant to be read.
func (l *evalLoader) unread(rel, name string) {
	file := path.Join(rel, name)
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	if !slices.Contains(meantEndings, ending) {
		return
	}
	switch {
	case stem+".ts" == evalsConfigFile && rel == evalsFolder:
		l.report.add(ruleEvalUnread, top(file), "the file is not read", "rename it: "+evalsFolder+"/"+evalsConfigFile)
	case stem+".ts" == evalsConfigFile:
		l.report.add(ruleEvalUnread, top(file), "the file is not read: a project has one configuration of its evals", "move it to "+evalsFolder+"/"+evalsConfigFile)
	case rel == evalsFolder && near.Distance(stem+".ts", evalsConfigFile) <= 3:
		l.report.add(ruleEvalUnread, top(file), "the file is not read", "did you mean "+evalsFolder+"/"+evalsConfigFile+"?")
	case strings.HasSuffix(stem, ".eval") || strings.HasSuffix(stem, ".evals"):
		l.report.add(ruleEvalUnread, top(file), "the file is not read: an eval file ends in .eval.ts or .eval.js",
			"rename it to "+path.Join(rel, strings.TrimSuffix(strings.TrimSuffix(stem, ".evals"), ".eval")+evalEndings[0]))
	}
}

// placed is a finding as one line.
func placed(d agent.Diagnostic) string {
	at := d.File
	for _, n := range []int{d.Line, d.Column} {
		if n > 0 {
			at += ":" + strconv.Itoa(n)
		}
	}
	return at + ": " + d.Message
}
