package actors

import (
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// summaryNote stands in front of a summary, where the messages stood.
const summaryNote = "(The conversation before this point was summed up to save space. What is left of it:)\n\n"

// summarized puts a summary in the place of the messages up to its index. The
// message that the running turn answers stays.
func (t *transcript) summarized(d *events.ContextCompacted) {
	if d.ParentCallID != "" {
		return
	}
	kept := transcript{current: -1}
	kept.say(d.ThroughIndex, model.Message{Role: model.RoleUser, Text: summaryNote + d.Summary})
	results := map[string]int{}
	for i := range t.messages {
		if i != t.current && t.at[i] <= d.ThroughIndex {
			continue
		}
		if i == t.current {
			kept.current = len(kept.messages)
		}
		if place, open := t.results[t.messages[i].CallID]; open && place == i {
			results[t.messages[i].CallID] = len(kept.messages)
		}
		kept.say(t.at[i], t.messages[i])
	}
	t.messages, t.at, t.current, t.summed, t.results = kept.messages, kept.at, kept.current, true, results
}

// A cut says what of a transcript is summed up: what lies before keep, but for the
// message of the turn that runs.
type cut struct {
	keep    int
	through uint64
	// before and after are the tokens of all messages and of those that stay.
	before, after int64
}

// minGain is how many tokens must be there to be summed up.
const minGain = 100

// cut finds what to sum up, so that what stays is far below the limit; ok is false
// when that would gain nothing. Where no turn runs all is summed up; a turn is left
// whole if it is small enough, and else the newest of its steps are.
func (t *transcript) cut(limit int64) (c cut, ok bool) {
	sizes := make([]int64, len(t.messages)+1) // of the messages from each on
	for i := len(t.messages) - 1; i >= 0; i-- {
		sizes[i] = sizes[i+1] + tokensOf(&t.messages[i])
	}
	c = cut{keep: len(t.messages), through: t.next - 1, before: sizes[0]}
	cur, said := t.current, 0 // the first message that is no summary
	if t.summed {
		said = 1
	}
	if cur >= 0 {
		if c.keep = cur; cur == said || sizes[cur] > limit/2 || c.before-sizes[cur] < minGain {
			c.keep = t.cutInside(sizes, limit/3)
		}
	}
	if c.keep < len(t.messages) {
		c.through = t.at[c.keep] - 1
	}
	if c.after = sizes[c.keep]; cur >= 0 && cur < c.keep {
		c.after += sizes[cur] - sizes[cur+1]
	}
	some := c.keep == cur && cur > said || c.keep > max(said, cur+1)
	return c, some && c.before-c.after >= minGain
}

// cutInside finds the first step of the running turn from which on the messages have
// at most so many tokens; a user's message at the end stays in any case.
func (t *transcript) cutInside(sizes []int64, most int64) int {
	most -= sizes[t.current] - sizes[t.current+1]
	end := len(t.messages)
	if last := t.messages[end-1]; last.Role == model.RoleUser {
		end--
	}
	for k := t.current + 1; k < end; k++ {
		if t.messages[k].Role != model.RoleTool && sizes[k] <= most {
			return k
		}
	}
	return max(end, t.current)
}

// tokensOf estimates a message as the session does.
func tokensOf(m *model.Message) int64 { return model.TokensOf(m.Bytes()) + 4 }
