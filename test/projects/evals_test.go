package projects

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/cli"
)

// TestSamples_PassTheirEvals runs the evals of each sample that has some, offline.
func TestSamples_PassTheirEvals(t *testing.T) {
	t.Parallel()
	with := 0
	for _, s := range samples {
		if _, err := os.Stat(filepath.Join(s.dir, "evals")); err != nil {
			continue
		}
		with++
		t.Run(s.dir, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.Abs(".")
			if err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			p := &cli.Process{
				Args: []string{"eval", "--dir", s.dir, "--model", "scripted", "--strict", "--no-artifacts"},
				Dir:  dir, Environ: s.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
			}
			if code := cli.Main(p); code != cli.ExitOK {
				t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
			}
		})
	}
	if with == 0 {
		t.Error("no sample has evals")
	}
}
