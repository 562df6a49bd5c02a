package eval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// FileReporters gives what makes the observers of the reporters that a suite names: JUnit
// reports with these options, and artifacts. Paths count from dir.
func FileReporters(dir string, o *JUnitOptions) func(r Reporter) (Observer, error) {
	return func(r Reporter) (Observer, error) {
		switch r.Kind {
		case ReporterJUnit:
			with := *o
			with.SuiteName = r.SuiteName
			return NewJUnit(below(dir, r.FilePath), &with), nil
		case ReporterArtifacts:
			return NewFolder(below(dir, r.Dir)), nil
		}
		return nil, fmt.Errorf("there is no reporter %q", r.Kind)
	}
}

// below makes a path of a reporter absolute.
func below(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// A JUnitFile is an Observer that writes a JUnit report into a file.
type JUnitFile struct {
	Silent
	file    string
	options JUnitOptions
}

var _ Observer = (*JUnitFile)(nil)

// NewJUnit gives the observer that writes into an absolute file. The file says from the
// start of the run that the run has not ended, so that one of an earlier run stands for
// nothing when this one is killed; a reader never sees a part of it.
func NewJUnit(file string, o *JUnitOptions) *JUnitFile { return &JUnitFile{file: file, options: *o} }

// String names the reporter and its file.
func (f *JUnitFile) String() string { return "JUnit(" + f.file + ")" }

// RunStarted writes a report with an error: the run has not ended.
func (f *JUnitFile) RunStarted(r *Run) error { return f.write(r) }

// RunEnded writes the report.
func (f *JUnitFile) RunEnded(r *Run) error { return f.write(r) }

func (f *JUnitFile) write(r *Run) error {
	report, err := JUnit(r, &f.options)
	if err != nil {
		return err
	}
	return writeReport(f.file, report)
}

// writeReport gives a file a new content, with the folders above it; who reads it sees
// the old or the new one, whole.
func writeReport(file string, content []byte) (err error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("writing %s: it is a folder: name a file, such as %s", file, filepath.Join(file, "junit.xml"))
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of %s: %w", file, err)
	}
	tmp, err := os.CreateTemp(dir, "."+strings.TrimLeft(filepath.Base(file), ".")+"-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("writing %s: %w", file, err), os.Remove(tmp.Name()))
		}
	}()
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
