// Package scripted is a language model that plays a script: rules on the newest
// user text, each with steps that say text and call tools. It needs no network
// and no key, so that demos, tests and first tries run offline.
//
// The next step of a rule follows from the conversation alone: it is the number
// of assistant messages since the newest user message. So a Model holds no state
// of a session, and a restart changes nothing.
package scripted

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// A Model plays one script. It is safe for concurrent use.
type Model struct {
	rules []rule
}

var _ model.Model = (*Model)(nil)

// New gives the model of a script; nil is the one without rules, which says what
// it heard. Whatever the rules are, a text "/call <tool> {json}" calls that tool
// (several such lines call several), and the next step says the outputs as JSON.
func New(s *Script) *Model {
	if s == nil {
		return &Model{}
	}
	return &Model{rules: s.rules}
}

// Stream plays the step that follows from r's messages. Text comes word by word.
// It retries nothing: an error of the script is the step's error. A request with
// more tokens than DefaultWindow, or than its param "context" says, is one that
// overflows.
func (m *Model) Stream(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
	if err := fits(r); err != nil {
		return nil, err
	}
	at := locate(r.Messages)
	s, err := m.answer(r, at)
	if err != nil {
		return nil, err
	}
	if err := wait(ctx, s.delay); err != nil {
		return nil, stopped(err, false)
	}
	text, cut := limit(s.say, r.MaxOutputTokens)
	said := false
	for _, part := range []model.Delta{{Text: s.reasoning, Reasoning: true}, {Text: text}} {
		for word := range words(part.Text) {
			if ctx.Err() != nil {
				return nil, stopped(ctx.Err(), said)
			}
			emit(model.Delta{Text: word, Reasoning: part.Reasoning})
			said = true
		}
	}
	if s.fail != nil {
		return nil, &model.Error{Message: s.fail.message, Status: s.fail.status, Code: events.FailModel, Broken: said}
	}
	return s.response(at, text, cut)
}

// A played step is a step with its texts filled in.
type played struct {
	say, reasoning string
	calls          []model.RequestedCall
	delay          time.Duration
	fail           *failure
	usage          *events.Usage
}

func (s *played) response(at place, text string, cut bool) (*model.Response, error) {
	resp := &model.Response{Text: text, Reasoning: s.reasoning, FinishReason: events.FinishStop, Usage: s.usage}
	switch {
	case cut:
		resp.FinishReason = events.FinishLength
	case len(s.calls) > 0:
		resp.FinishReason, resp.Calls = events.FinishToolCalls, s.calls
	case text == "":
		return nil, &model.Error{Message: "the scripted model said nothing", Code: events.FailModel, Broken: s.reasoning != ""}
	}
	if resp.Usage == nil {
		resp.Usage = &events.Usage{InputTokens: tokens(at.text), OutputTokens: tokens(text)}
	}
	return resp, nil
}

func (m *Model) answer(r *model.Request, at place) (*played, error) {
	if r.Purpose == model.PurposeSummary {
		return m.summary()
	}
	return m.step(at)
}

// step finds what comes next.
func (m *Model) step(at place) (*played, error) {
	if calls := commands(at.text); calls != nil {
		if at.index == 0 {
			return &played{calls: calls}, nil
		}
		return &played{say: at.echo()}, nil
	}
	for i := range m.rules {
		if groups, ok := m.rules[i].match(at.text); ok {
			return m.rules[i].play(at, groups)
		}
	}
	return &played{say: at.echo()}, nil
}

// A place is where a conversation stands.
type place struct {
	// text is the newest user text.
	text string
	// index counts the assistant messages since then.
	index int
	// outputs are of the tool messages since the newest assistant message.
	outputs []json.RawMessage
}

func locate(messages []model.Message) place {
	var at place
	for _, m := range messages {
		switch m.Role {
		case model.RoleUser:
			at = place{text: m.Text}
		case model.RoleAssistant:
			at.index++
			at.outputs = nil
		case model.RoleTool:
			at.outputs = append(at.outputs, m.Output)
		}
	}
	return at
}

// echo says the outputs as JSON, one a line, or what was heard where there are none.
func (at place) echo() string {
	if len(at.outputs) == 0 {
		return "I heard: " + at.text
	}
	lines := make([]string, len(at.outputs))
	for i, o := range at.outputs {
		lines[i] = string(o)
	}
	return strings.Join(lines, "\n")
}

func stopped(err error, said bool) error {
	return &model.Error{Message: "the step was stopped", Code: events.FailModel, Broken: said, Err: err}
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
