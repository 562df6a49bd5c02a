package project

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
)

// matterSchedule are the fields of the front matter of schedules/<id>.md.
var matterSchedule = scheduleFields[:4]

// markdownSchedule makes a schedule of schedules/<id>.md: when in the front matter, and
// the prompt below it.
func (l *loader) markdownSchedule(it item) {
	text, ok := l.text(it.file, ruleScheduleEncoding)
	if !ok {
		return
	}
	m, fault := parseFrontMatter(text)
	if fault != nil {
		l.report.add(ruleScheduleMatter, place{File: it.file, Line: fault.line}, fault.message, `write each field on a line, with cron in quotes: cron: "*/5 * * * *"`)
		return
	}
	before := l.report.errors()
	r := &matterReader{l: l, file: it.file, matter: m, lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	r.unknown()
	sched := &agent.Schedule{
		ID: it.name, Source: sourceProject, Cron: r.text("cron"), TimeZone: r.text("timeZone"), Overlap: r.oneOf("overlap", agent.OverlapSkip, agent.OverlapAllow),
		CatchUp: r.flag("catchUp"), Markdown: strings.TrimSpace(m.body),
	}
	if sched.Markdown == "" {
		l.report.add(ruleScheduleAction, place{File: it.file, Line: m.line}, "the schedule has no text, so there is nothing to ask", "write the prompt of the session that a firing opens below the front matter")
	}
	_, has := m.fields["cron"]
	l.checkWhen(sched, !has, func(column int) place { return r.at("cron", column) }, r.at("timeZone", 0))
	if l.report.errors() == before {
		l.agent.Schedules = append(l.agent.Schedules, sched)
	}
}

// A matterReader reads fields of front matter, and reports those of the wrong kind.
type matterReader struct {
	l      *loader
	file   string
	matter *frontMatter
	lines  []string // of the file
}

// at is the place of a column of a field's value, from 1; 0 is the field.
func (r *matterReader) at(name string, column int) place {
	form := regexp.MustCompile(`^(["']?` + regexp.QuoteMeta(name) + `["']?\s*:\s*)(["']?)`)
	for i, line := range r.lines {
		if m := form.FindStringSubmatch(line); m != nil {
			p := place{File: r.file, Line: i + 1, Column: 1}
			if column > 0 {
				p.Column = utf8.RuneCountInString(m[0]) + column
			}
			return p
		}
		if i > 0 && fence(line) {
			break
		}
	}
	return top(r.file)
}

func (r *matterReader) wrong(name, want string) {
	r.l.report.add(ruleScheduleOption, r.at(name, 0), name+" is "+shownMatter(r.matter.fields[name]), "make it "+want)
}

// shownMatter shows a value of front matter; texts have quotes, since "true" is not true.
func shownMatter(v any) string {
	switch v := v.(type) {
	case nil:
		return "empty"
	case string:
		if v == "" {
			return "empty"
		}
		return quote(v)
	}
	return fmt.Sprint(v)
}

func (r *matterReader) text(name string) string {
	text, fits := r.matter.text(name)
	if v, has := r.matter.fields[name]; has && (!fits || text == "" || v == nil) {
		r.wrong(name, "a text, in quotes")
		return ""
	}
	return text
}

func (r *matterReader) oneOf(name string, values ...string) string {
	text := r.text(name)
	if text != "" && !slices.Contains(values, text) {
		r.wrong(name, strings.Join(values, " or "))
		return ""
	}
	return text
}

func (r *matterReader) flag(name string) bool {
	v, has := r.matter.fields[name]
	b, fits := v.(bool)
	if has && !fits {
		r.wrong(name, "true or false, without quotes")
	}
	return b
}

// unknown warns of fields that say nothing here.
func (r *matterReader) unknown() {
	for _, name := range slices.Sorted(maps.Keys(r.matter.fields)) {
		if slices.Contains(matterSchedule, name) {
			continue
		}
		fix := "remove it; the fields are " + strings.Join(matterSchedule, ", ")
		if near, ok := nearest(name, matterSchedule); ok {
			fix = "did you mean " + near + "?"
		}
		r.l.report.add(ruleScheduleUnknown, r.at(name, 0), quote(name)+" of the front matter is not a field that is known here, so it does nothing", fix)
	}
}
