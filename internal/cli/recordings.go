package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"sync"
	"sync/atomic"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/client"
)

// recordings are where replays find the logs of sessions: in the journal of the host
// of this process, and where that has no such session, behind it.
type recordings struct {
	own atomic.Pointer[journal.Journal]
	// behind gives the lines of a session elsewhere; nil: there is nothing else.
	behind func(ctx context.Context, id string) ([][]byte, error)
}

// lines gives a session's log up to where it is now.
func (r *recordings) lines(ctx context.Context, id string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if j := r.own.Load(); j != nil {
			head, err := j.Head(id)
			if err != nil {
				yield(nil, err)
				return
			}
			if head > 0 {
				journalLines(ctx, j, id, 0, yield)
				return
			}
		}
		if r.behind == nil {
			yield(nil, noSession(id))
			return
		}
		lines, err := r.behind(ctx, id)
		for _, line := range lines {
			if !yield(line, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// journalLines yields a log from an index to its end.
func journalLines(ctx context.Context, j *journal.Journal, id string, from uint64, yield func([]byte, error) bool) {
	for {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		lines, err := j.ReadSome(id, from, math.MaxUint64)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, l := range lines {
			if !yield(l.Data, nil) {
				return
			}
		}
		if len(lines) == 0 {
			return
		}
		from += uint64(len(lines))
	}
}

// replaysFrom makes sessions of another state root than the host's known to replays:
// that of the project, through the host that serves it or from the disk. It is called
// before the host of this process starts.
func (a *app) replaysFrom(f *seatFlags) {
	var mu sync.Mutex // one at a time may hold the state root
	a.recordings.behind = func(ctx context.Context, id string) ([][]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		return a.readSession(ctx, f, id)
	}
}

// readSession reads the log of a session as it is now, wherever it is.
func (a *app) readSession(ctx context.Context, f *seatFlags, id string) ([][]byte, error) {
	if !events.IsSessionID(id) {
		return nil, noSession(id)
	}
	clients, served, err := a.served(ctx, f)
	if err != nil {
		return nil, err
	}
	if served {
		return readServed(ctx, clients, id)
	}
	root := f.root.directory(a, a.path(f.project.dir))
	if _, err := os.Stat(root); errors.Is(err, os.ErrNotExist) {
		return nil, noSession(id)
	}
	j, err := a.openJournal(root)
	if err != nil {
		return nil, err
	}
	var lines [][]byte
	journalLines(ctx, j, id, 0, func(line []byte, failed error) bool {
		lines, err = append(lines, line), failed
		return failed == nil
	})
	if err = errors.Join(err, j.Close()); err == nil && len(lines) == 0 {
		err = noSession(id)
	}
	return lines, err
}

// readServed asks the agents of a host for a session.
func readServed(ctx context.Context, clients []*client.Client, id string) ([][]byte, error) {
	var lines [][]byte
	for line, err := range hostArchive(clients).events(ctx, id, 0, false) {
		if errors.Is(err, errNoSession) {
			return nil, noSession(id)
		}
		if err != nil {
			return nil, fmt.Errorf("reading session %s: %w", id, err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}
