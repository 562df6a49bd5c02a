package eval

import (
	"slices"
	"strings"

	"github.com/gobdk/bdk/internal/near"
)

// Near gives up to three ids of the suite that are a few slips away from one that nothing
// matches, or contain it, nearest first.
func (s *Suite) Near(id string) []string {
	return near.Names(strings.Trim(id, "/"), s.ids())
}

// ids are those that a selection may name: of cases without their iterations, and of the
// folders and files above them.
func (s *Suite) ids() []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range s.Cases {
		for id := c.base(); id != ""; id = id[:max(strings.LastIndexByte(id, '/'), 0)] {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// tags are those of all cases, each once.
func (s *Suite) tags() []string {
	var out []string
	for _, c := range s.Cases {
		for _, t := range c.Tags {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}
