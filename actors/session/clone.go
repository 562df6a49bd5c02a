package session

import (
	"encoding/json"
	"iter"
)

// Clone gives a state that shares nothing with this one, and how many bytes it is written in.
func (s *State) Clone() (out State, size int) {
	b, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		panic(err) // it is also the snapshot
	}
	return out, len(b)
}

// OpenCalls goes over the calls that have no result, each with its turn: those of the
// turn's own line, of its subagents, and then direct ones, which have none.
func (s *State) OpenCalls() iter.Seq2[string, *Call] {
	return func(yield func(string, *Call) bool) {
		if s.Turn != nil {
			for c := range s.Turn.calls() {
				if c.Status != CallDone && !yield(s.Turn.ID, c) {
					return
				}
			}
		}
		for i := range s.Direct {
			if !yield("", &s.Direct[i]) {
				return
			}
		}
	}
}
