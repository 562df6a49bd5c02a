package transport

import (
	"slices"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// pastChunk is how many lines are read back at once.
const pastChunk = 64

// restBefore gives the rest of a session as of the lines before an index. It
// reads back to where nothing was open, not to the beginning, and from there on.
func restBefore(j *journal.Journal, session string, index uint64) (rest, error) {
	var r rest
	from, err := idleBefore(j, session, index)
	for from < index && err == nil {
		var lines []journal.Line
		if lines, err = j.Read(session, from, min(from+pastChunk, index)); len(lines) == 0 {
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
	for index > 0 {
		from := index - min(pastChunk, index)
		lines, err := j.Read(session, from, index)
		if err != nil {
			return 0, err
		}
		if at := lastIdle(lines); at >= 0 {
			return from + uint64(at), nil
		}
		index = from
	}
	return 0, nil
}

// lastIdle gives the place of the last line at which nothing is open; -1 for none.
func lastIdle(lines []journal.Line) int {
	for i, l := range slices.Backward(lines) {
		if isEnd(events.TypeOf(l.Data)) {
			return i
		}
	}
	return -1
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
	for index > 0 {
		from := index - min(pastChunk, index)
		lines, err := j.Read(session, from, index)
		if err != nil {
			return false, err
		}
		index = from
		for _, l := range slices.Backward(lines) {
			if t := events.TypeOf(l.Data); isEnd(t) {
				return t != "session.waiting", nil
			} else if strings.HasPrefix(t, "turn.") || turnOf(l.Data) != "" {
				return false, nil
			}
		}
	}
	return false, nil
}
