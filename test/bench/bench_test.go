package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain plays the children too, since they are this binary.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		os.Exit(report(child(os.Args[2], os.Args[3:])))
	}
	os.Exit(m.Run())
}

// Everything runs, on the smallest settings; the figures mean nothing.
func TestRun_Small(t *testing.T) {
	t.Parallel()
	s := &settings{
		rounds: 1, duration: 50 * time.Millisecond, clients: []int{1, 4},
		sleeping: 50, long: 200, cases: 3, dir: t.TempDir(), only: "turns,journal,wake,sleep,script,eval",
	}
	var out bytes.Buffer
	if err := run(s, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"over HTTP", "ratio", "the journal alone", "waking a session", "sleeping sessions", "a call of a TypeScript tool", "bdk eval on the scripted model"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if left, err := os.ReadDir(s.dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestParse_Refuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-clients", "0"}, {"-clients", "x"}, {"-rounds", "0"}, {"-cases", "0"}, {"-nope"}, {"-d", "0s"}} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%v was taken", args)
		}
	}
}

func TestMedian_Values(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		xs   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(c.xs); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.xs, got, c.want)
		}
	}
}
