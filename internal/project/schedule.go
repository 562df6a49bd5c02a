package project

import (
	"context"
	"errors"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/cron"
	"github.com/gobdk/bdk/internal/script"
)

// scheduleFields are the fields of defineSchedule; a Markdown file has all but the last two.
var scheduleFields = []string{"cron", "timeZone", "overlap", "catchUp", "markdown", "run"}

// scheduleFile takes in what schedules/<id>.ts exports.
func (l *loader) scheduleFile(it item) func(script.Loaded, *source) {
	return func(m script.Loaded, src *source) {
		own, _ := slotOf(schedulesFolder)
		if m.Kind != own.kind {
			l.wrongExport(m, src, own.want)
			return
		}
		before := l.report.errors()
		s := newSpec(l.report, src, ruleScheduleOption, m.Spec)
		s.unknown(ruleScheduleUnknown, scheduleFields)
		sched := &agent.Schedule{
			ID: it.name, Source: sourceProject, Cron: strings.TrimSpace(s.text("cron")), TimeZone: strings.TrimSpace(s.text("timeZone")),
			Overlap: s.oneOf("overlap", agent.OverlapSkip, agent.OverlapAllow), CatchUp: s.flag("catchUp"), Markdown: strings.TrimSpace(s.text("markdown")),
		}
		l.scheduleRun(sched, s, m.ID)
		l.checkWhen(sched, !s.has("cron"), func(column int) place {
			at := s.at("cron")
			if offset, ok := src.literal("cron", sched.Cron); ok && column > 0 {
				at = src.at(offset + column - 1)
			}
			return at
		}, s.at("timeZone"))
		if l.report.errors() == before {
			l.agent.Schedules = append(l.agent.Schedules, sched)
		}
	}
}

// scheduleRun binds run, and holds that there is one of the two.
func (l *loader) scheduleRun(sched *agent.Schedule, s *spec, module string) {
	raw, runs := s.fields["run"]
	switch {
	case runs && !isFunction(raw):
		s.wrong("run", "a function ({callTool, receive, …}) => {...}")
	case runs && s.has("markdown"):
		l.report.add(ruleScheduleAction, s.at("run"), "the schedule has both markdown and run, and a firing does one thing", "remove one of the two: a run can open a session itself, by receive")
	case !runs && !s.has("markdown"):
		l.report.add(ruleScheduleAction, s.source.export(), "the schedule has neither markdown nor run, so there is nothing to do", "write markdown: \"...\", the prompt of the session that a firing opens, or run({callTool, receive}) {...}")
	case runs:
		runtime := l.runtime
		sched.Run = func(ctx context.Context, c *agent.Call) error { return runtime.CallSchedule(ctx, module, c) }
	}
}

// checkWhen holds the expression and the zone against what fires. at gives the place
// of a column of the expression; 0 is the whole.
func (l *loader) checkWhen(sched *agent.Schedule, missing bool, at func(column int) place, zoneAt place) {
	const form = `five fields, minute, hour, day of month, month and day of week, such as "0 9 * * 1-5"`
	if missing {
		l.report.add(ruleScheduleCron, at(0), "the schedule has no cron, so it never fires", "write cron: "+form)
		return
	}
	if sched.Cron == "" {
		return // it is of the wrong kind, which was said
	}
	_, err := cron.Parse(sched.Cron, sched.TimeZone)
	var zone *cron.ZoneError
	var expr *cron.Error
	switch {
	case errors.As(err, &zone):
		fix := "write a name of the IANA database, such as Europe/Berlin, or leave it out for UTC"
		if zone.Near != "" {
			fix = "did you mean " + zone.Near + "?"
		}
		l.report.add(ruleScheduleZone, zoneAt, "there is no time zone "+quote(zone.Zone), fix)
		sched.TimeZone = ""
		l.checkWhen(sched, false, at, zoneAt)
	case errors.As(err, &expr):
		l.report.add(ruleScheduleCron, at(expr.Column), expr.Message, "write "+form)
	}
}
