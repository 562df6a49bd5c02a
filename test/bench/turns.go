package main

import (
	"fmt"
	"io"
	"path/filepath"
)

// turns measures a new session with one turn, over HTTP, on the host and on the floor.
func turns(s *settings, dir string, tmpl *template, out io.Writer) error {
	kinds := []string{"floor", "product"}
	got := map[string]map[int][]rate{"floor": {}, "product": {}}
	for round := range s.rounds {
		for i, n := range s.clients {
			for k := range kinds {
				kind := kinds[(k+round+i)%len(kinds)]
				root := filepath.Join(dir, fmt.Sprintf("turns-%d-%d-%s", round, n, kind))
				r, err := one(s, kind, root, tmpl, n)
				if err != nil {
					return fmt.Errorf("%s with %d clients: %w", kind, n, err)
				}
				got[kind][n] = append(got[kind][n], r)
			}
		}
	}
	t := newTable(out, "a session with one turn, over HTTP", "clients", "", "turns/s", "CPU µs/turn", "p50 ms", "p99 ms", "appends/turn", "syncs/turn", "mallocs/turn")
	for _, n := range s.clients {
		f, p := medians(got["floor"][n]), medians(got["product"][n])
		t.row(n, "floor", f.perSecond, f.cpu, f.p50, f.p99, f.appends, f.syncs, f.mallocs)
		t.row(n, "bdk", p.perSecond, p.cpu, p.p50, p.p99, p.appends, p.syncs, p.mallocs)
		t.row(n, "ratio", p.perSecond/f.perSecond, p.cpu/f.cpu, p.p50/f.p50, p.p99/f.p99, p.appends/f.appends, p.syncs/f.syncs, p.mallocs/f.mallocs)
	}
	return t.flush()
}

// one drives one server on a state root of its own.
func one(s *settings, kind, root string, tmpl *template, n int) (r rate, err error) {
	p, err := start(kind, root, tmpl.file)
	if err != nil {
		return r, err
	}
	r, err = drive(p, n, s.duration)
	if stopped := p.stop(); err == nil {
		err = stopped
	}
	return r, err
}

// medians takes the median of each figure on its own.
func medians(rs []rate) rate {
	pick := func(f func(rate) float64) float64 {
		var xs []float64
		for _, r := range rs {
			xs = append(xs, f(r))
		}
		return median(xs)
	}
	return rate{
		perSecond: pick(func(r rate) float64 { return r.perSecond }),
		p50:       pick(func(r rate) float64 { return r.p50 }),
		p99:       pick(func(r rate) float64 { return r.p99 }),
		cpu:       pick(func(r rate) float64 { return r.cpu }),
		appends:   pick(func(r rate) float64 { return r.appends }),
		syncs:     pick(func(r rate) float64 { return r.syncs }),
		mallocs:   pick(func(r rate) float64 { return r.mallocs }),
	}
}
