package actors

import (
	"context"
	"errors"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// A runCompact asks a turn's child to sum up its transcript.
type runCompact struct {
	f     *session.Compact
	fresh fresh
	// model is the turn's; empty where no turn waits.
	model string
}

// compact gives the work to the turn's child, which has the transcript, or to a
// child of its own.
func (a *sessionActor) compact(f *session.Compact) {
	m := &runCompact{f: f}
	var c *turnChild
	if f.TurnID == "" {
		a.compaction = a.newTurn("")
		c, m.fresh = a.compaction, fresh{from: a.next, to: a.next}
	} else {
		c, m.fresh, m.model = a.turnOf(f.TurnID), a.takeFresh(), a.core.Turn.Model
	}
	a.give(c, m)
}

// endCompact ends a compaction that no turn waits for, and answers those who do.
func (a *sessionActor) endCompact(f *session.EndCompact) {
	if a.compaction != nil {
		a.compaction.end()
		a.compaction = nil
	}
	r := reply{position: a.position, compacted: f}
	if f.Busy {
		r = reply{err: session.ErrBusy}
	}
	for _, c := range a.compacts {
		c.answer(r)
	}
	a.compacts = nil
}

// compact sums up the child's transcript.
func (c *turnChild) compact(m *runCompact) {
	done := &session.CompactDone{TurnID: m.f.TurnID, N: m.f.N}
	d, err := c.summarize(m)
	if err != nil {
		done.Message = err.Error()
		if !errors.Is(err, errNothingToSum) {
			c.h.o.Logger.Warn().Str("session", c.job.info.ID).Err(err).Msg("a context was not summed up")
		}
	} else {
		done.Compacted = d
	}
	c.report(done)
}

var errNothingToSum = errors.New("there is nothing to sum up")

func (c *turnChild) summarize(m *runCompact) (*events.ContextCompacted, error) {
	if err := c.listen(&m.fresh); err != nil {
		return nil, err
	}
	r := c.job.agent
	found, err := c.job.resolve()
	if err != nil {
		return nil, err
	}
	limit := int64(r.window(&found))
	before := c.talk.size()
	if limit == 0 { // unknown: what was refused, or what a person finds too long
		limit = before + r.base
	}
	what, ok := c.talk.cut(limit)
	if !ok {
		return nil, errNothingToSum
	}
	s := &summary{child: c, found: &found, limit: limit, messages: c.talk.messages[:what.keep]}
	res, err := s.ask()
	if err != nil {
		return nil, err
	}
	d := &events.ContextCompacted{Summary: res.Text, ThroughIndex: what.through, Usage: res.Usage, TokensBefore: max(before, m.f.Tokens)}
	after := what.after + tokensOf(&model.Message{Text: summaryNote + res.Text})
	d.TokensAfter = after * d.TokensBefore / max(before, 1) // as the provider counts
	if found.Name != m.model {
		d.Model = found.Name
	}
	return d, nil
}

// size estimates all messages.
func (t *transcript) size() (n int64) {
	for i := range t.messages {
		n += tokensOf(&t.messages[i])
	}
	return n
}

// window is how many tokens the context of the agent's model holds; 0: unknown.
func (r *agentRuntime) window(found *model.Resolved) int {
	return model.Window(r.params, found.Window)
}

// defaultThreshold is the percentage of the window at which contexts are summed up.
const defaultThreshold = 90

// compactAt is how many tokens a step may be told; 0: no bound is known.
func (r *agentRuntime) compactAt(found *model.Resolved) int64 {
	percent := r.Compaction.ThresholdPercent
	if percent == 0 {
		percent = defaultThreshold
	}
	return int64(r.window(found)) * int64(percent) / 100
}

// A Compacted says what became of a session's context.
type Compacted struct {
	// Compacted is false when the context stays as it is; Message says why.
	Compacted bool
	Message   string
	// TokensBefore and TokensAfter are estimates; 0 when nothing was compacted.
	TokensBefore, TokensAfter int64
	Position                  uint64
}

// Compact sums up the context of an idle session, and returns when that is on disk.
// One with an open turn, or whose context is being summed up, is ErrSessionBusy, and
// so is one that takes a message meanwhile: that goes first.
func (h *Host) Compact(ctx context.Context, sessionID string) (Compacted, error) {
	if err := h.Admit(); err != nil {
		return Compacted{}, err
	}
	r, err := h.ask(ctx, &command{id: sessionID, inputs: []session.Input{&session.CompactNow{}}, compacts: true})
	if err != nil {
		return Compacted{}, err
	}
	out := Compacted{Message: r.compacted.Message, Position: r.position}
	if d := r.compacted.Compacted; d != nil {
		out.Compacted, out.TokensBefore, out.TokensAfter = true, d.TokensBefore, d.TokensAfter
	}
	return out, nil
}
