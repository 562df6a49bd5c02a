package transport

import (
	"iter"
	"slices"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// pastChunk is how many lines are read back at once, where they are short.
const pastChunk = 64

// back yields the lines before an index, the newest first. Where lines are long it
// reads fewer at once, so that what it holds stays small.
func back(j *journal.Journal, session string, index uint64) iter.Seq2[journal.Line, error] {
	return func(yield func(journal.Line, error) bool) {
		for n := uint64(pastChunk); index > 0; {
			n = min(n, index)
			lines, err := j.ReadSome(session, index-n, index)
			if err != nil {
				yield(journal.Line{}, err)
				return
			}
			if uint64(len(lines)) < n {
				if n /= 2; n == 0 {
					return // the log is shorter than its reader thinks
				}
				continue
			}
			for _, l := range slices.Backward(lines) {
				if !yield(l, nil) {
					return
				}
			}
			index, n = index-n, min(2*n, pastChunk)
		}
	}
}

// restBefore gives the rest of a session as of the lines before an index. It goes
// back to where nothing was open, not to the beginning, and folds from there on.
func restBefore(j *journal.Journal, session string, index uint64) (rest, error) {
	var r rest
	from, err := idleBefore(j, session, index)
	for from < index && err == nil {
		var lines []journal.Line
		if lines, err = j.ReadSome(session, from, index); len(lines) == 0 {
			break
		}
		for _, l := range lines {
			r.apply(l.Data)
		}
		from += uint64(len(lines))
	}
	return r, err
}

// idleBefore gives the place of the last line before an index at which nothing
// was open; 0 when there is none.
func idleBefore(j *journal.Journal, session string, index uint64) (uint64, error) {
	for l, err := range back(j, session, index) {
		if err != nil {
			return 0, err
		}
		index--
		if isEnd(events.TypeOf(l.Data)) {
			return index, nil
		}
	}
	return 0, nil
}

func isEnd(eventType string) bool {
	switch eventType {
	case "session.waiting", "session.completed", "session.failed", "session.deleted":
		return true
	}
	return false
}

// endedBefore says whether the lines before an index hold a session's end. What
// may follow an end belongs to no turn, so the search stops at a line of a turn.
func endedBefore(j *journal.Journal, session string, index uint64) (bool, error) {
	for l, err := range back(j, session, index) {
		if err != nil {
			return false, err
		}
		if t := events.TypeOf(l.Data); isEnd(t) {
			return t != "session.waiting", nil
		} else if strings.HasPrefix(t, "turn.") || turnOf(l.Data) != "" {
			return false, nil
		}
	}
	return false, nil
}
