package workspace

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
)

// A Scratch is what a session has beside its workspace: folders that its programs may
// write to, and one that is the host's. All are absolute paths.
type Scratch struct {
	// Home and Tmp are for programs.
	Home, Tmp string
	// Notes is for what the host's own tools must remember over a crash.
	Notes string
}

// scratch holds the scratch folders of all sessions; its name is no session's id.
const scratch = ".scratch"

// Scratch gives a session's scratch folders, made on first need.
func (w *Workspaces) Scratch(sessionID string) (Scratch, error) {
	if err := checkID(sessionID); err != nil {
		return Scratch{}, err
	}
	names := map[string]string{}
	for _, name := range []string{"home", "tmp", "notes"} {
		p := path.Join(scratch, sessionID, name)
		if err := w.root.MkdirAll(p, 0o700); err != nil {
			return Scratch{}, fmt.Errorf("making scratch folders of %s: %w", sessionID, err)
		}
		names[name] = filepath.Join(w.dir, filepath.FromSlash(p))
	}
	return Scratch{Home: names["home"], Tmp: names["tmp"], Notes: names["notes"]}, nil
}

// Remove deletes a session's folder and its scratch folders. A folder of the user's
// that the session worked in is not among them.
func (w *Workspaces) Remove(sessionID string) error {
	if err := checkID(sessionID); err != nil {
		return err
	}
	defer w.lock(sessionID)()
	err := errors.Join(w.root.RemoveAll(sessionID), w.root.RemoveAll(path.Join(scratch, sessionID)))
	if err != nil {
		return fmt.Errorf("removing workspace of %s: %w", sessionID, err)
	}
	return nil
}
