package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gobdk/bdk/events/journal"
)

// Sessions that are woken, and how many events each short one has.
const (
	shortSessions = 200
	longSessions  = 3
)

// woken is what the wake child says, in milliseconds: the first wake folds the whole
// log, the second one starts from the snapshot that the first left.
type woken struct {
	Short, Long, FirstLong float64
}

// wakes measures how long a command to a sleeping session takes that changes nothing.
func wakes(s *settings, dir string, tmpl *template, out io.Writer) error {
	var short, long, first []float64
	for round := range s.rounds {
		var r woken
		if err := ask(&r, "wake", filepath.Join(dir, fmt.Sprintf("wake-%d", round)), tmpl.file, strconv.Itoa(s.long)); err != nil {
			return err
		}
		short, long, first = append(short, r.Short), append(long, r.Long), append(first, r.FirstLong)
	}
	t := newTable(out, "waking a session", "events", "ms", "ms without a snapshot")
	t.row(len(tmpl.Lines), median(short), "")
	t.row(s.long, median(long), median(first))
	t.row("ratio", median(long)/median(short), "")
	return t.flush()
}

// wakeChild: args are the state root, the template, the length of a long session.
func wakeChild(args []string) error {
	tmpl, err := readTemplate(args[1])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	short, long, err := fillForWaking(args[0], tmpl, n)
	if err != nil {
		return err
	}
	first, err := wakeAll(args[0], append(long, short...))
	if err != nil {
		return err
	}
	second, err := wakeAll(args[0], append(long, short...))
	if err != nil {
		return err
	}
	return say(woken{
		Short:     median(second[len(long):]),
		Long:      median(second[:len(long)]),
		FirstLong: median(first[:len(long)]),
	})
}

func fillForWaking(root string, tmpl *template, n int) (short, long []string, err error) {
	j, err := journal.Open(root, nil)
	if err != nil {
		return nil, nil, err
	}
	f := newFiller(j, tmpl)
	for range longSessions {
		id, err := f.long(n)
		if err != nil {
			return nil, nil, err
		}
		long = append(long, id)
	}
	for range shortSessions {
		id, err := f.session()
		if err != nil {
			return nil, nil, err
		}
		short = append(short, id)
	}
	return short, long, errors.Join(f.wait(), j.Close())
}

// wakeAll starts a host, wakes each session once, and gives the times in milliseconds.
func wakeAll(root string, ids []string) (ms []float64, err error) {
	h, err := openHost(root)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if err := h.views.WaitFor(context.Background(), h.journal.Position()); err != nil {
		return nil, err
	}
	warm, err := wake(h, ids[len(ids)-1]) // the host's own first steps are not the session's
	if err != nil || warm < 0 {
		return nil, err
	}
	for _, id := range ids {
		t, err := wake(h, id)
		if err != nil {
			return nil, err
		}
		ms = append(ms, t)
	}
	return ms, nil
}

// wake stops an idle session, which wakes it and records nothing.
func wake(h *host, id string) (float64, error) {
	began := time.Now()
	_, err := h.actors.Stop(context.Background(), id)
	return time.Since(began).Seconds() * 1e3, err
}
