package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// A filler writes logs as the host would have, without playing them.
type filler struct {
	journal *journal.Journal
	tmpl    *template

	// room bounds what is on its way to the disk.
	room chan struct{}
	wg   sync.WaitGroup
	mu   sync.Mutex
	err  error
}

func newFiller(j *journal.Journal, tmpl *template) *filler {
	return &filler{journal: j, tmpl: tmpl, room: make(chan struct{}, 4096)}
}

func (f *filler) append(a journal.Append) {
	f.room <- struct{}{}
	f.wg.Add(1)
	f.journal.AppendAsync(a, func(_ journal.Appended, err error) {
		if err != nil {
			f.mu.Lock()
			f.err = err
			f.mu.Unlock()
		}
		<-f.room
		f.wg.Done()
	})
}

// wait returns when everything is on disk.
func (f *filler) wait() error {
	f.wg.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// session writes a session with one turn.
func (f *filler) session() (id string, err error) {
	id = newID()
	as, err := f.tmpl.appendsFor(id)
	if err != nil {
		return "", err
	}
	for _, a := range as {
		f.append(a)
	}
	return id, nil
}

// long writes a session of many turns, with n events or a few more.
func (f *filler) long(n int) (id string, err error) {
	id = newID()
	as, err := f.tmpl.appendsFor(id)
	if err != nil {
		return "", err
	}
	var head uint64
	for _, a := range as {
		f.append(a)
		head += uint64(len(a.Events))
	}
	for head < uint64(n) {
		a := journal.Append{Stream: id, Expect: head, Events: again(as)}
		head += uint64(len(a.Events))
		f.append(a)
	}
	return id, nil
}

// again gives the events of another turn like the first one.
func again(as []journal.Append) []events.Event {
	turn, err := events.NewID("turn_", time.Now(), rand.Reader)
	if err != nil {
		panic(fmt.Sprintf("bench: no random bytes: %v", err))
	}
	var evs []events.Event
	for _, a := range as {
		for _, e := range a.Events {
			if e.Type == "session.started" {
				continue
			}
			next := events.Event{Type: e.Type, At: e.At, Data: e.Data}
			if e.TurnID != "" {
				next.TurnID = turn
			}
			evs = append(evs, next)
		}
	}
	return evs
}

// filled is what fillChild says.
type filled struct {
	Seconds float64
	Events  uint64
}

// fillChild writes many sessions: args are the state root, the template, how many.
func fillChild(args []string) error {
	tmpl, err := readTemplate(args[1])
	if err != nil {
		return err
	}
	var n int
	if _, err := fmt.Sscan(args[2], &n); err != nil {
		return err
	}
	j, err := journal.Open(args[0], nil)
	if err != nil {
		return err
	}
	began := time.Now()
	f := newFiller(j, tmpl)
	for range n {
		if _, err := f.session(); err != nil {
			return err
		}
	}
	if err := f.wait(); err != nil {
		return err
	}
	result := filled{time.Since(began).Seconds(), j.Position()}
	if err := j.Close(); err != nil {
		return err
	}
	return say(result)
}

// replay reads a log from its beginning to its head as a reader does that follows it.
func replay(j *journal.Journal, id string) (int, error) {
	head, err := j.Head(id)
	if err != nil {
		return 0, err
	}
	n := 0
	for lines, err := range j.Follow(context.Background(), id, 0) {
		if err != nil {
			return n, err
		}
		if n += len(lines); n >= int(head) {
			break
		}
	}
	return n, nil
}
