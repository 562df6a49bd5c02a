package record

import (
	"slices"
	"strings"

	"github.com/gobdk/bdk/events"
)

// decide writes the decisions of people.
func (w *writer) decide(u *turn) {
	if len(u.decisions) > 0 {
		w.line("turn.parked();")
	}
	for _, c := range u.decisions {
		id := ""
		if u.several() {
			id = "t.requireInputRequest({ data: " + literal(w.request(c), "    ", lineLength/2) + " }).data.callId"
		}
		switch d := c.decided; {
		case d.Decision == events.DecisionApprove:
			w.line("turn = await t.approve(%s);", id)
		case d.Decision == events.DecisionExpired:
			w.line("// Nobody decided in time; no eval waits that long.")
			w.deny("the approval expired", id)
		default:
			w.deny(w.o.Redactor.Text(d.Reason), id)
		}
	}
}

func (w *writer) deny(reason, id string) {
	args := text(reason)
	switch {
	case id != "" && reason == "":
		args = "undefined, " + id
	case id != "":
		args += ", " + id
	case reason == "":
		args = ""
	}
	w.line("turn = await t.deny(%s);", args)
}

// several says whether it has to be said which call a decision is about: more than one
// of the turn asked.
func (u *turn) several() bool {
	asked := 0
	for _, c := range u.calls {
		if c.asks {
			asked++
		}
	}
	return asked > 1
}

// request is what finds the request of a call.
func (w *writer) request(c *call) object {
	o := object{{"toolName", c.ToolName}}
	if input := inputOf(clean(w.o.Redactor, "args", c.Args)); input != nil {
		o = append(o, field{"args", input})
	}
	return o
}

// outcome writes what is asserted of a turn that has ended, or is parked.
func (w *writer) outcome(u *turn) {
	switch {
	case u.failed != nil:
		w.line("turn.event(\"turn.failed\", %s);", literal(object{{"data", object{{"code", u.failed.Code}}}}, "    ", 0))
	case u.completed:
		w.line("turn.succeeded();")
	default:
		w.line("turn.parked();")
	}
	if len(u.calls) == 0 {
		w.line("turn.usedNoTools();")
	}
	w.calls(u)
	w.order(u)
	for _, name := range w.madeBy(u.skills, "The skill %s was opened by a tool that is stubbed.") {
		w.line("turn.loadedSkill(%s);", text(name))
	}
	w.subagents(u)
	for _, kind := range w.madeBy(u.tagged, "An artifact of the kind %s was tagged by a tool that is stubbed.") {
		w.line("turn.taggedArtifact(%s);", text(kind))
	}
	w.reply(u)
}

// An expectation is what is asserted of calls that look alike.
type expectation struct {
	tool   string
	input  object // nil: anything
	status string // empty: any
	count  int
}

// calls writes an assertion for each call; those that look alike share one.
func (w *writer) calls(u *turn) {
	var done []expectation
	for _, c := range u.calls {
		if c.ToolName == taskTool && u.delegated(c) {
			continue
		}
		e := expectation{tool: c.ToolName, status: c.status(), input: inputOf(clean(w.o.Redactor, "args", c.Args))}
		if b := w.stubOf(c.ToolName); b != nil && b.mixed() {
			e.status = ""
		}
		e.count = w.fitting(u, &e)
		if !slices.ContainsFunc(done, func(d expectation) bool { return d.alike(&e) }) {
			done = append(done, e)
			w.line("turn.calledTool(%s, %s);", text(e.tool), literal(e.matcher(), "    ", len(e.tool)+22))
		}
	}
}

// fitting counts the calls of a turn that an expectation takes.
func (w *writer) fitting(u *turn, e *expectation) (n int) {
	for _, c := range u.calls {
		if c.ToolName != e.tool || e.status != "" && c.status() != e.status {
			continue
		}
		if e.input == nil || fits(e.input, clean(w.o.Redactor, "args", c.Args)) {
			n++
		}
	}
	return n
}

func (e *expectation) alike(o *expectation) bool {
	return e.tool == o.tool && e.status == o.status && literal(e.input, "", 0) == literal(o.input, "", 0)
}

func (e *expectation) matcher() object {
	var o object
	if e.input != nil {
		o = append(o, field{"input", e.input})
	}
	if e.status != "" {
		o = append(o, field{"status", e.status})
	}
	return append(o, field{"count", number(e.count)})
}

// delegated says whether a subagent began to work for a call.
func (u *turn) delegated(c *call) bool {
	return slices.ContainsFunc(u.subs, func(s *sub) bool { return s.callID == c.CallID })
}

// order writes the order of the calls of the turn's own; those of subagents come
// between as they like.
func (w *writer) order(u *turn) {
	var names []any
	for _, c := range u.calls {
		if c.ParentCallID == "" {
			names = append(names, c.ToolName)
		}
	}
	if len(names) > 1 {
		w.line("turn.toolOrder(%s);", literal(names, "    ", 20))
	}
}

// subagents writes an assertion for each subagent that worked.
func (w *writer) subagents(u *turn) {
	status := func(s *sub) string {
		switch {
		case s.done == nil:
			return "pending"
		case s.done.IsError:
			return "failed"
		}
		return "completed"
	}
	var done []expectation
	for _, s := range u.subs {
		e := expectation{tool: s.name, status: status(s)}
		for _, other := range u.subs {
			if other.name == s.name && status(other) == e.status {
				e.count++
			}
		}
		if !slices.ContainsFunc(done, func(d expectation) bool { return d.alike(&e) }) {
			done = append(done, e)
			w.line("turn.calledSubagent(%s, %s);", text(e.tool), literal(e.matcher(), "    ", 0))
		}
	}
}

// madeBy gives the names of what a turn made, each once, without what a stub takes away,
// which is noted.
func (w *writer) madeBy(all []*made, lost string) []string {
	var names []string
	for _, m := range all {
		if w.stubbed(m) {
			w.note(lost, m.name)
			continue
		}
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// shortReply is how much of a reply is asserted.
const shortReply = 80

// reply writes how the reply begins. It fails nothing, so that a model may say it in
// other words.
func (w *writer) reply(u *turn) {
	first, _, _ := strings.Cut(strings.TrimSpace(w.o.Redactor.Text(u.reply)), "\n") // before it is cut, and half a secret is none
	first = strings.TrimSpace(strings.TrimSuffix(cutText(first, shortReply), "…"))
	if !u.completed || first == "" || strings.Contains(first, "[redact") {
		return
	}
	w.includes = true
	w.line("t.check(turn.message, includes(%s)).soft();", text(first))
}

// whole writes what is asserted of the whole session.
func (w *writer) whole() {
	failed := func(u *turn) bool {
		return slices.ContainsFunc(u.calls, func(c *call) bool { return c.status() == "failed" })
	}
	if !slices.ContainsFunc(w.turns, failed) {
		w.b.WriteString("\n")
		w.line("t.noFailedActions();")
	}
}
