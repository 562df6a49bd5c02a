package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/workspace"
)

// A note says which content a call gives a file, and then that it did. The first is
// written before the file and the second before another call may change it, so that
// the call can run again after a crash and finds whether it was done.
type note struct {
	root string // the folder of notes
	name string
}

// doneEnding is what the name of a note ends with when its call was done.
const doneEnding = ".done"

// note gives the note of a call.
func (h *tools) note(c *agent.Call) (*note, error) {
	s, err := h.Scratch(c.Session.ID)
	if err != nil {
		return nil, err
	}
	return &note{root: s.Notes, name: "edit-" + c.ID}, nil
}

// isDone holds when the call was done.
func (n *note) isDone() bool {
	root, err := os.OpenRoot(n.root)
	if err != nil {
		return false
	}
	defer root.Close()
	_, err = root.Lstat(n.name + doneEnding)
	return err == nil
}

// done turns the note into one that says so.
func (n *note) done() error {
	root, err := os.OpenRoot(n.root)
	if err != nil {
		return fmt.Errorf("noting an edit: %w", err)
	}
	defer root.Close()
	if err := root.Rename(n.name, n.name+doneEnding); err != nil {
		return fmt.Errorf("noting an edit: %w", err)
	}
	return workspace.SyncDir(root, ".")
}

// says holds when the call gave a file this content.
func (n *note) says(content []byte) bool {
	root, err := os.OpenRoot(n.root)
	if err != nil {
		return false
	}
	defer root.Close()
	was, err := root.ReadFile(n.name)
	return err == nil && string(was) == hashOf(content)
}

// maxNotes is how many notes are kept: more than calls that run side by side.
const maxNotes = 100

// write makes the note, on disk when it returns, and drops old ones.
func (n *note) write(content []byte) error {
	root, err := os.OpenRoot(n.root)
	if err != nil {
		return fmt.Errorf("noting an edit: %w", err)
	}
	defer root.Close()
	n.dropOld(root)
	f, err := root.OpenFile(n.name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("noting an edit: %w", err)
	}
	_, err = f.WriteString(hashOf(content))
	if err = errors.Join(err, f.Sync(), f.Close(), workspace.SyncDir(root, ".")); err != nil {
		return fmt.Errorf("noting an edit: %w", err)
	}
	return nil
}

// dropOld removes the older half when there are too many. What cannot be removed
// stays, which harms nobody.
func (n *note) dropOld(root *os.Root) {
	list, err := fs.ReadDir(root.FS(), ".")
	if err != nil || len(list) < maxNotes {
		return
	}
	age := func(d fs.DirEntry) int64 {
		if info, err := d.Info(); err == nil {
			return info.ModTime().UnixNano()
		}
		return 0
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return int(min(1, max(-1, age(a)-age(b)))) })
	for _, d := range list[:len(list)/2] {
		_ = root.Remove(d.Name())
	}
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
