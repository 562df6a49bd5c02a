package harness

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/gobdk/bdk/internal/workspace"
)

// maxWalked is how many names one search looks at.
const maxWalked = 200_000

// errWalked ends a walk that has looked at enough.
var errWalked = errors.New("walked enough")

// unsearched are folders that a search passes by unless it names them: nobody's own
// work lies there, and much else does.
var unsearched = []string{".git", "node_modules"}

// walk visits what lies below a folder, in the order of the names of each folder, and
// follows no links. Folders that cannot be read, or named, are passed by. visit ends the walk by
// an error, which is given back; wanted are names of folders to look into although
// they are among unsearched.
func (v *view) walk(ctx context.Context, dir, wanted string, visit func(p string, e entry) error) error {
	left := maxWalked
	var down func(dir string) error
	down = func(dir string) error {
		entries, err := v.entries(dir)
		if err != nil {
			return nil
		}
		for _, e := range entries {
			if left--; left < 0 {
				return errWalked
			}
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			p := path.Join(dir, e.name)
			if err := visit(p, e); err != nil {
				return err
			}
			if e.dir && len(p) < workspace.MaxPath && (!slices.Contains(unsearched, e.name) || strings.Contains(wanted, e.name)) {
				if err := down(p); err != nil {
					return err
				}
			}
		}
		if len(entries) >= maxEntries {
			return errWalked // there are more
		}
		return nil
	}
	return down(dir)
}
