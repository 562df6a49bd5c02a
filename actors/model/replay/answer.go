package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// A departure says where a session does not do what was recorded.
type departure string

func (d departure) Error() string { return string(d) }

func departs(format string, a ...any) error { return departure(fmt.Sprintf(format, a...)) }

// answer gives what the recording has for a request of a session, whose log is live.
func (t *tape) answer(r *model.Request, live *tape) (*model.Response, error) {
	if r.Purpose == model.PurposeSummary {
		return t.summary(live), nil
	}
	p, err := t.place(r, live)
	if err != nil {
		return nil, err
	}
	s := p.recorded.step(p.line, r.Step)
	if s == nil {
		return nil, p.beyond(r.Step)
	}
	return s.response(p.recorded.failed), nil
}

// noSummary stands where a summary is asked for and none was recorded: what the model
// is told changes nothing in what it gives back.
const noSummary = "(This is a replay, and no summary was recorded here.)"

// summary gives the recorded one that follows those that the session has already.
func (t *tape) summary(live *tape) *model.Response {
	res := &model.Response{Text: noSummary, FinishReason: events.FinishStop, Usage: &events.Usage{}}
	if n := len(live.summaries); n < len(t.summaries) {
		if d := t.summaries[n]; d.Usage != nil {
			res.Usage = d.Usage
		}
		if text := t.summaries[n].Summary; strings.TrimSpace(text) != "" {
			res.Text = text
		}
	}
	return res
}

// response is the step as a model gave it. A reply that was cut inside of a call, twice,
// ended its turn, and is cut again.
func (s *step) response(failed *events.TurnFailed) *model.Response {
	res := &model.Response{Text: s.text, Reasoning: s.reasoning, Calls: slices.Clone(s.calls), FinishReason: s.finish, Usage: s.usage}
	if s.finish == events.FinishLength && len(s.calls) == 0 && failed != nil && failed.Code == events.FailMaxOutput {
		res.Calls = []model.RequestedCall{{Name: "cut", Args: "{"}}
	}
	return res
}

// A place is where a session stands in its recording.
type place struct {
	number   int // of the turn, from 1
	line     string
	recorded *turn
	now      *turn // the same turn of the session
}

// place finds the turn and the line of work that a request is of, and holds what
// came before against the recording.
func (t *tape) place(r *model.Request, live *tape) (*place, error) {
	ours, theirs := live.whole(), t.whole()
	i := slices.IndexFunc(ours, func(u *turn) bool { return u.id == r.TurnID })
	if r.TurnID == "" || i < 0 {
		return nil, departs("only the steps of a session's turns are replayed, and its log has no turn %q", r.TurnID)
	}
	p := &place{number: i + 1, line: live.line(r.ParentCallID), now: ours[i]}
	if i > 0 {
		if err := short(i, theirs[:min(i, len(theirs))], ours[i-1]); err != nil {
			return nil, err
		}
	}
	if i >= len(theirs) {
		return nil, departs("it holds %s, and this session asks for a turn %d, with %s", count(len(theirs), "turn"), p.number, quote(p.now.text))
	}
	p.recorded = theirs[i]
	if normal(p.now.text) != normal(p.recorded.text) {
		return nil, departs("turn %d was asked %s, and this session asks %s", p.number, quote(p.recorded.text), quote(p.now.text))
	}
	return p, p.results(r)
}

// short refuses to go on behind a turn that had fewer steps than the recorded one.
func short(number int, theirs []*turn, before *turn) error {
	if len(theirs) < number {
		return nil
	}
	was, is := len(theirs[number-1].steps[""]), len(before.steps[""])
	if is >= was {
		return nil
	}
	why := "it was answered"
	if before.failed != nil {
		why = before.failed.Message
	}
	return departs("turn %d has %s, and this session's ended after %d: %s", number, count(was, "step"), is, why)
}

// results holds that each call of the step before has a result, whatever it says.
func (p *place) results(r *model.Request) error {
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Role == model.RoleTool && len(m.Output) == 0 {
			return departs("turn %d, step %d: the call of %s has no result", p.number, r.Step, m.ToolName)
		}
	}
	return nil
}

// beyond is the error for a step that was not recorded: how the recorded model failed
// there, or that the session departs.
func (p *place) beyond(number int) error {
	steps := p.recorded.steps[p.line]
	next := len(steps) == 0 || number == steps[len(steps)-1].number+1
	if p.line != "" {
		if failed := p.recorded.broken[p.line]; failed != nil && next {
			again := *failed
			return &again
		}
		return departs("turn %d: the subagent has %s, and this session's asks for a step %d", p.number, count(len(steps), "step"), number)
	}
	if f := p.recorded.failed; f != nil && next && ofModel(f.Code) {
		return &model.Error{Message: f.Message, Code: f.Code}
	}
	return departs("turn %d has %s, and this session asks for a step %d: %s", p.number, count(len(steps), "step"), number, p.recorded.end())
}

// ofModel says whether a turn failed by what its model answered.
func ofModel(code string) bool {
	return code == events.FailModel || code == events.FailContextOverflow || code == events.FailContentFilter
}

// end says how a recorded turn ended.
func (u *turn) end() string {
	switch {
	case u.failed != nil:
		return fmt.Sprintf("the recorded turn failed there (%s): %s", u.failed.Code, u.failed.Message)
	case u.ended:
		return "the recorded turn ended there with " + quote(u.reply)
	}
	return "the recording ends there"
}

// normal is a message as it is compared: line ends and the space around do not count.
func normal(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}

// quoted is how many characters of a message a sentence shows.
const quoted = 120

// quote shows a message in one line.
func quote(text string) string {
	runes := []rune(normal(text))
	if len(runes) > quoted {
		return fmt.Sprintf("%q", string(runes[:quoted])+"…")
	}
	return fmt.Sprintf("%q", string(runes))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
