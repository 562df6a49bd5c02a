package replay

import (
	"iter"
	"strings"

	"github.com/gobdk/bdk/actors/model"
)

// piece is about how many bytes a delta has.
const piece = 48

// deltas gives the reasoning of a step and then its text, in pieces of a few words.
func deltas(res *model.Response) iter.Seq[model.Delta] {
	return func(yield func(model.Delta) bool) {
		for _, part := range []model.Delta{{Text: res.Reasoning, Reasoning: true}, {Text: res.Text}} {
			for text := part.Text; text != ""; {
				n := cut(text)
				if !yield(model.Delta{Text: text[:n], Reasoning: part.Reasoning}) {
					return
				}
				text = text[n:]
			}
		}
	}
}

// cut is where the next piece ends: at the first space or line end behind its length,
// and with the text where there is none.
func cut(text string) int {
	if len(text) <= piece {
		return len(text)
	}
	if i := strings.IndexAny(text[piece:], " \n"); i >= 0 {
		return piece + i + 1
	}
	return len(text)
}
