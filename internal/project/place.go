package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNoProject says that a folder is no project and holds none.
var ErrNoProject = errors.New("no such project")

// A Place is where a project lies.
type Place struct {
	// Dir is the absolute path of the project's folder.
	Dir string
	// Root is the folder in it that has the slots: "bot", or "agent" in an older project.
	Root string
	// Slug is the folder's name. It may be one that no agent can have: Load says so.
	Slug string
}

// roots are the folders that may hold the slots, the first one preferred.
var roots = []string{"bot", "agent"}

// Find says where the projects of dir are: dir itself when it is one, else each
// direct sub-folder that is one, sorted by name. It reads folders, no files. Its
// error is ErrNoProject with a message of its own.
func Find(dir string) ([]Place, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("finding the project: %w", err)
	}
	info, err := os.Stat(abs)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s does not exist", ErrNoProject, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoProject, err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%w: %s is a file; give the folder that has bot/ in it", ErrNoProject, dir)
	}
	if p, ok := placeAt(abs); ok {
		return []Place{p}, nil
	}
	places, err := placesUnder(abs)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoProject, err)
	}
	if len(places) == 0 {
		return nil, noProject(dir, abs)
	}
	return places, nil
}

func placesUnder(dir string) ([]Place, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var places []Place
	for _, e := range entries {
		if skipped(e.Name()) {
			continue
		}
		if p, ok := placeAt(filepath.Join(dir, e.Name())); ok {
			places = append(places, p)
		}
	}
	return places, nil
}

// placeAt says whether the folder is a project: one of the roots is there and
// has something in a slot.
func placeAt(dir string) (Place, bool) {
	for _, root := range roots {
		if l := discover(dir, root, nil); !l.empty() {
			return Place{Dir: dir, Root: root, Slug: filepath.Base(dir)}, true
		}
	}
	return Place{}, false
}

func noProject(given, abs string) error {
	base := filepath.Base(abs)
	if (base == roots[0] || base == roots[1]) && !discover(filepath.Dir(abs), base, nil).empty() {
		return fmt.Errorf("%w: %s is the inside of one; give the folder above it, %s", ErrNoProject, given, filepath.Dir(abs))
	}
	return fmt.Errorf("%w in %s: a project has a folder bot/ with instructions.md in it; \"bdk init <dir>\" writes one", ErrNoProject, given)
}
