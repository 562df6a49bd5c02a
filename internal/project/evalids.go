package project

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gobdk/bdk/internal/eval"
)

// A draft is a case whose id may turn out to be another's too.
type draft struct {
	*eval.Case
	// under are the ids of its file, of itself and of what lies between.
	under []string
}

// A claim says what has an id, and the source whose beginning is its place.
type claim struct {
	what string
	src  *source
}

// claim notes the owner of an id. Of an id with two nobody can tell which is meant, so
// that neither runs.
func (l *evalLoader) claim(id string, c claim) {
	first, ok := l.claims[id]
	if !ok {
		l.claims[id] = c
		return
	}
	l.taken[id] = true
	l.hold(id, func() {
		l.report.add(ruleEvalIDTaken, c.src.export(), quote(id)+" is the id of "+first.what+" too, so neither runs", "rename one of the two")
	})
}

// maxSegment is how long one segment of an id may be, in bytes: it names a file.
const maxSegment = 200

// noSegment says why a text cannot be one segment of an id; empty: it can.
func noSegment(s string) string {
	switch {
	case s == "":
		return "is empty"
	case s == "." || s == "..":
		return "leads out of its folder"
	case strings.ContainsAny(s, `/\`):
		return "is more than one segment of a path"
	case strings.TrimSpace(s) != s:
		return "begins or ends with white space"
	case len(s) > maxSegment:
		return fmt.Sprintf("is longer than %d bytes", maxSegment)
	case strings.ContainsFunc(s, unicode.IsControl):
		return "has a character that cannot be shown"
	}
	return ""
}

// expand makes the cases of one test: one, or one for each iteration.
func (l *evalLoader) expand(c eval.Case, iterations int, under []string, src *source) {
	c.Iteration, c.Iterations = 1, max(iterations, 1)
	if c.Iterations == 1 {
		l.drafts = append(l.drafts, draft{&c, under})
		return
	}
	for i := 1; i <= c.Iterations; i++ {
		one := c
		one.ID, one.Iteration = fmt.Sprintf("%s/%d", c.ID, i), i
		l.claim(one.ID, claim{fmt.Sprintf("iteration %d of %q", i, c.ID), src})
		l.drafts = append(l.drafts, draft{&one, append(under[:len(under):len(under)], one.ID)})
	}
}
