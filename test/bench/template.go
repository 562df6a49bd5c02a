package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// message is what every client says.
const message = "why did build 42 fail?"

// A template is one turn as the host recorded it: its lines, and which of them end an
// append. The floor writes it again and again, under ids of its own.
type template struct {
	SessionID string
	Lines     [][]byte
	Last      []bool
	// file is where children find it.
	file string

	decode sync.Once
	events []events.Event
	failed error
}

// newTemplate lets the host play one turn.
func newTemplate(dir string) (*template, error) {
	root := filepath.Join(dir, "template")
	p, err := start("product", root)
	if err != nil {
		return nil, err
	}
	id, err := newClient(p.url).turn()
	t := &template{file: filepath.Join(dir, "template.json")}
	if err == nil {
		err = p.ask("/template?session="+id, t)
	}
	if stopped := p.stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	return t, os.WriteFile(t.file, b, 0o600)
}

func readTemplate(file string) (*template, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t := &template{file: file}
	return t, json.Unmarshal(b, t)
}

// templateOf reads a session's turn from its log.
func templateOf(j *journal.Journal, id string) (*template, error) {
	head, err := j.Head(id)
	if err != nil {
		return nil, err
	}
	lines, err := j.Read(id, 0, head)
	if err != nil {
		return nil, err
	}
	t := &template{SessionID: id}
	for _, l := range lines {
		t.Lines = append(t.Lines, l.Data)
		t.Last = append(t.Last, l.Last)
	}
	return t, nil
}

func (t *template) appends() int {
	n := 0
	for _, last := range t.Last {
		if last {
			n++
		}
	}
	return n
}

func (t *template) size() int {
	n := 0
	for _, l := range t.Lines {
		n += len(l)
	}
	return n
}

// batches gives the lines of each append, under another id of the same length.
func (t *template) batches(id string) [][][]byte {
	var all [][][]byte
	var batch [][]byte
	for i, l := range t.Lines {
		batch = append(batch, bytes.ReplaceAll(l, []byte(t.SessionID), []byte(id)))
		if t.Last[i] {
			all = append(all, batch)
			batch = nil
		}
	}
	return all
}

// appendsFor gives the same turn as appends for a journal. Payloads are shared.
func (t *template) appendsFor(id string) ([]journal.Append, error) {
	t.decode.Do(t.decodeLines)
	if t.failed != nil {
		return nil, t.failed
	}
	var all []journal.Append
	next := journal.Append{Stream: id}
	for i := range t.events {
		e := &t.events[i]
		next.Events = append(next.Events, events.New(e.TurnID, e.At, e.Data))
		if t.Last[i] {
			all = append(all, next)
			next = journal.Append{Stream: id, Expect: uint64(i + 1)}
		}
	}
	return all, nil
}

func (t *template) decodeLines() {
	for _, l := range t.Lines {
		e, err := events.Decode(l)
		if err != nil {
			t.failed = err
			return
		}
		t.events = append(t.events, *e)
	}
}

func newID() string {
	id, err := events.NewID("ses_", time.Now(), rand.Reader)
	if err != nil {
		panic(fmt.Sprintf("bench: no random bytes: %v", err))
	}
	return id
}

// machine says what the figures stand on: a synced write of 4 KiB on this disk.
func machine(dir string, out io.Writer) error {
	f, err := os.Create(filepath.Join(dir, "probe"))
	if err != nil {
		return err
	}
	defer f.Close()
	var times []float64
	for range 50 {
		began := time.Now()
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
		times = append(times, time.Since(began).Seconds()*1e3)
	}
	fmt.Fprintf(out, "disk: a write of 4 KiB with fsync takes %.2f ms (median of %d)\n", median(times), len(times))
	return nil
}
