package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// sleeps measures a host over many sleeping sessions: how soon it is ready, what it
// keeps in memory, what a session takes on disk; beside the same host with none.
func sleeps(s *settings, dir string, tmpl *template, out io.Writer) error {
	t := newTable(out, "sleeping sessions", "sessions", "ready ms", "resident MiB", "KiB/session on disk", "fold s")
	for _, n := range []int{0, s.sleeping} {
		root := filepath.Join(dir, fmt.Sprintf("sleep-%d", n))
		fold, err := fillAndFold(root, tmpl, n)
		if err != nil {
			return err
		}
		var ready, resident []float64
		for range s.rounds {
			ms, mib, err := startOver(root)
			if err != nil {
				return err
			}
			ready, resident = append(ready, ms), append(resident, mib)
		}
		size, err := sizeOf(root)
		if err != nil {
			return err
		}
		t.row(n, median(ready), median(resident), float64(size)/1024/float64(max(n, 1)), fold)
	}
	return t.flush()
}

// fillAndFold writes n sessions and lets the views fold them once; it says how long
// the folding took.
func fillAndFold(root string, tmpl *template, n int) (seconds float64, err error) {
	var f filled
	if err := ask(&f, "fill", root, tmpl.file, strconv.Itoa(n)); err != nil {
		return 0, err
	}
	p, err := start("product", root)
	if err != nil {
		return 0, err
	}
	var position uint64
	before, err1 := p.usage()
	err2 := p.ask("/folded", &position)
	after, err3 := p.usage()
	return after.CPU - before.CPU, errors.Join(err1, err2, err3, p.stop())
}

// startOver starts a host and reads its memory when the first request was answered.
func startOver(root string) (ms, mib float64, err error) {
	p, err := start("product", root)
	if err != nil {
		return 0, 0, err
	}
	_, err1 := newClient(p.url).do("GET", "/v1/health", "", 200)
	u, err2 := p.usage()
	return p.ready.Seconds() * 1e3, float64(u.RSS) / (1 << 20), errors.Join(err1, err2, p.stop())
}

func sizeOf(root string) (size int64, err error) {
	err = filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// ask runs a child to its end and reads the JSON that it says.
func ask(into any, role string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append([]string{"child", role}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", role, err)
	}
	return json.NewDecoder(bytes.NewReader(out)).Decode(into)
}

// say is how a child that runs to its end answers.
func say(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }
