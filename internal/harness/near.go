package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/gobdk/bdk/internal/near"
	"github.com/gobdk/bdk/internal/workspace"
)

// maxNear is how many near names an error lists.
const maxNear = 3

// explain says why a path cannot be opened, in words for the model. doing is what was
// tried, such as "reading".
func (v *view) explain(doing, p string, err error) error {
	var refused *workspace.PathError
	var failed *fs.PathError
	switch {
	case errors.As(err, &refused) && v.isDir(p):
		return fmt.Errorf("%s %q: it is a folder; ls lists it", doing, p)
	case errors.As(err, &refused):
		return fmt.Errorf("%s %q: it %s", doing, p, refused.Reason)
	case doing == "writing" && errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s %q: a part of the path is a file", doing, p)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return v.missing(doing, p)
	case errors.As(err, &failed) && strings.Contains(failed.Err.Error(), "escapes"):
		return fmt.Errorf("%s %q: it is, or lies behind, a link that leads out of the workspace", doing, p)
	case errors.As(err, &failed):
		return fmt.Errorf("%s %q: %w", doing, p, failed.Err)
	}
	return fmt.Errorf("%s %q: %w", doing, p, err)
}

// missing says that there is no such path, and which names come near. None of them is
// opened in its place.
func (v *view) missing(doing, p string) error {
	dir, name := path.Dir(p), path.Base(p)
	for dir != "." && !v.isDir(dir) {
		dir, name = path.Dir(dir), path.Base(dir)
	}
	if dir == "." {
		dir = ""
	}
	near := v.near(dir, name)
	if len(near) == 0 {
		return fmt.Errorf("%s %q: there is no such file or folder", doing, p)
	}
	return fmt.Errorf("%s %q: there is no such file or folder; did you mean %s?", doing, p, strings.Join(near, " or "))
}

// near gives the names of a folder that could be meant by another, quoted so that
// what cannot be seen shows.
func (v *view) near(dir, name string) []string {
	entries, err := v.entries(dir)
	if err != nil {
		return nil
	}
	type candidate struct {
		name string
		away int
	}
	var found []candidate
	want := workspace.Fold(name)
	for _, e := range entries {
		if away := apart(want, workspace.Fold(e.name)); away <= 1+len(want)/4 {
			found = append(found, candidate{e.name, away})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.away - b.away })
	var quoted []string
	for _, c := range found[:min(len(found), maxNear)] {
		quoted = append(quoted, fmt.Sprintf("%+q", path.Join(dir, c.name)))
	}
	return quoted
}

// maxCompared bounds the names that are compared: a longer one is near to nothing.
const maxCompared = 200

func apart(a, b string) int {
	switch {
	case a == b:
		return 0
	case utf8.RuneCountInString(a) > maxCompared || utf8.RuneCountInString(b) > maxCompared:
		return maxCompared
	}
	return near.Distance(a, b)
}
