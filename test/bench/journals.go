package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobdk/bdk/events/journal"
)

// journaled is what the journal child says; rates are per second.
type journaled struct {
	Appends, Syncs, Replay float64
	CPU                    float64 // µs per append
}

// journals measures the journal alone: appends of the template's first batch by many
// writers, each waiting for the disk, and a replay of a long log.
func journals(s *settings, dir string, tmpl *template, out io.Writer) error {
	writers := []int{1, 64, 1024}
	got := map[int][]journaled{}
	var http []float64
	for round := range s.rounds {
		for _, n := range writers {
			var r journaled
			root := filepath.Join(dir, fmt.Sprintf("journal-%d-%d", round, n))
			if err := ask(&r, "journal", root, tmpl.file, strconv.Itoa(n), s.duration.String(), strconv.Itoa(s.long)); err != nil {
				return err
			}
			got[n] = append(got[n], r)
		}
		perSecond, err := replayHTTP(s, filepath.Join(dir, fmt.Sprintf("replay-%d", round)), tmpl)
		if err != nil {
			return err
		}
		http = append(http, perSecond)
	}
	t := newTable(out, "the journal alone; each append waits for the disk", "writers", "appends/s", "syncs/s", "CPU µs/append", "replayed events/s")
	for _, n := range writers {
		pick := func(f func(journaled) float64) float64 {
			var xs []float64
			for _, r := range got[n] {
				xs = append(xs, f(r))
			}
			return median(xs)
		}
		t.row(n, pick(func(r journaled) float64 { return r.Appends }), pick(func(r journaled) float64 { return r.Syncs }),
			pick(func(r journaled) float64 { return r.CPU }), pick(func(r journaled) float64 { return r.Replay }))
	}
	if err := t.flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "replay of %d events to one reader over HTTP: %s events/s\n", s.long, digits(median(http)))
	return nil
}

// journalChild: args are the state root, the template, writers, a time, a log's length.
func journalChild(args []string) error {
	tmpl, err := readTemplate(args[1])
	if err != nil {
		return err
	}
	writers, err1 := strconv.Atoi(args[2])
	d, err2 := time.ParseDuration(args[3])
	long, err3 := strconv.Atoi(args[4])
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	j, err := journal.Open(args[0], nil)
	if err != nil {
		return err
	}
	r, err := appendFlatOut(j, tmpl, writers, d)
	if err != nil {
		return err
	}
	if r.Replay, err = replayRate(j, tmpl, long); err != nil {
		return err
	}
	if err := j.Close(); err != nil {
		return err
	}
	return say(r)
}

func appendFlatOut(j *journal.Journal, tmpl *template, writers int, d time.Duration) (journaled, error) {
	before, ownBefore := j.Metrics(), ownUsage()
	began := time.Now()
	end := began.Add(d)
	var n atomic.Int64
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for time.Now().Before(end) && errs[i] == nil {
				errs[i] = appendTurn(j, tmpl, &n)
			}
		})
	}
	wg.Wait()
	seconds := time.Since(began).Seconds()
	after, own := j.Metrics(), ownUsage()
	return journaled{
		Appends: float64(n.Load()) / seconds,
		Syncs:   float64(after.Syncs-before.Syncs) / seconds,
		CPU:     (own.CPU - ownBefore.CPU) * 1e6 / float64(n.Load()),
	}, errors.Join(errs...)
}

func appendTurn(j *journal.Journal, tmpl *template, n *atomic.Int64) error {
	as, err := tmpl.appendsFor(newID())
	if err != nil {
		return err
	}
	for _, a := range as {
		if _, err := j.Append(context.Background(), a); err != nil {
			return err
		}
		n.Add(1)
	}
	return nil
}

func replayRate(j *journal.Journal, tmpl *template, long int) (float64, error) {
	f := newFiller(j, tmpl)
	id, err := f.long(long)
	if err = errors.Join(err, f.wait()); err != nil {
		return 0, err
	}
	began := time.Now()
	n, err := replay(j, id)
	return float64(n) / time.Since(began).Seconds(), err
}

// replayHTTP reads a long session's events from the host.
func replayHTTP(s *settings, root string, tmpl *template) (float64, error) {
	id, err := fillLong(root, tmpl, s.long)
	if err != nil {
		return 0, err
	}
	p, err := start("product", root)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	n, err := countLines(p.url + "/v1/session/" + id + "/stream?follow=false")
	elapsed := time.Since(began).Seconds()
	return float64(n) / elapsed, errors.Join(err, p.stop())
}

// fillLong writes one long session into a state root that nobody has open.
func fillLong(root string, tmpl *template, n int) (id string, err error) {
	j, err := journal.Open(root, nil)
	if err != nil {
		return "", err
	}
	f := newFiller(j, tmpl)
	id, err = f.long(n)
	return id, errors.Join(err, f.wait(), j.Close())
}

func countLines(url string) (int, error) {
	res, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s: %s", url, res.Status)
	}
	n, buf := 0, make([]byte, 1<<16)
	for {
		k, err := res.Body.Read(buf)
		for _, c := range buf[:k] {
			if c == '\n' {
				n++
			}
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
