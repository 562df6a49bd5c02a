package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gobdk/bdk/internal/eval/record"
	"github.com/gobdk/bdk/internal/plainfile"
)

// evalsConfig is written where a project has none.
const evalsConfig = `import { defineEvalConfig } from "@cursor/bdk/evals";

export default defineEvalConfig({
  maxConcurrency: 20,
});
`

// newEval makes the eval of a session for the project of a folder. A recording of it
// that another eval has stays as it is, so that the new one has another name.
func newEval(dir string, lines [][]byte, o *record.Options) (*record.Files, error) {
	for n := 1; ; n++ {
		f, err := record.Session(lines, o)
		if err != nil {
			return nil, err
		}
		for _, name := range sameID(f) {
			if isThere(dir, name) {
				return nil, usagef("%s is there already: choose another id with --name", name)
			}
		}
		old, err := plainfile.Read(filepath.Join(dir, filepath.FromSlash(f.Recording)))
		if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(old, f.Events) {
			return f, nil
		}
		o.Version = n + 1
	}
}

// sameID are the files that an eval of that id can be in.
func sameID(f *record.Files) []string {
	var names []string
	for _, end := range []string{".eval.ts", ".eval.js"} {
		names = append(names, "evals/"+f.ID()+end, "evals/"+f.ID()+"/index"+end)
	}
	return names
}

// writeEval writes the files of an eval into a project. With flags, bdk eval runs it.
func (a *app) writeEval(dir string, f *record.Files, flags string) error {
	files := []struct{ name, content string }{{f.Recording, string(f.Events)}, {f.Eval, string(f.Source)}}
	if !isThere(dir, "evals/evals.config.ts") && !isThere(dir, "evals/evals.config.js") {
		files = append(files, struct{ name, content string }{"evals/evals.config.ts", evalsConfig})
	}
	for _, file := range files {
		err := writeNew(filepath.Join(dir, filepath.FromSlash(file.name)), file.content)
		if err != nil && !(file.name == f.Recording && errors.Is(err, fs.ErrExist)) { // which is the same
			return &coded{ExitFailed, err}
		}
	}
	if len(files) > 2 {
		a.say("made evals/evals.config.ts, without which no eval runs")
	}
	for _, note := range f.Notes {
		a.say("%s", note)
	}
	a.say("%s and %s: run it without a model with bdk eval %s %s", plural(f.Turns, "turn"), plural(f.Calls, "tool call"), f.ID(), flags)
	return a.print("%s\n%s\n", f.Eval, f.Recording)
}

// isThere says whether a project has something of a name.
func isThere(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}
