package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
)

// A Seed is what a new workspace holds. Files come after the instructions, in order;
// where two have one path the later one stays.
type Seed struct {
	// Instructions become AGENTS.md; without any there is no such file.
	Instructions string
	Files        []File
}

// A File is a file of a Seed: by the hash of its content in the content store or,
// where that is empty, with its content.
type File struct {
	Path, SHA256 string
	Content      []byte
}

// Workspaces makes and finds session folders. It is safe for concurrent use by one
// process.
type Workspaces struct {
	dir     string
	root    *os.Root
	content *Content

	mu sync.Mutex
	// filling maps a session's id to the lock that its first callers share.
	filling map[string]*filling
}

type filling struct {
	sync.Mutex
	callers int // guarded by Workspaces.mu
}

// Folders beside the sessions' own. Their names are no session ids.
const (
	unfinished = ".unfinished"
	temporary  = ".temporary"
)

// instructionsFile is where instructions lie in a workspace.
const instructionsFile = "AGENTS.md"

// New opens or makes the folder of all workspaces. What a crash left half filled,
// and the temporary folders of calls, are removed.
func New(dir string, content *Content) (*Workspaces, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening workspaces: %w", err)
	}
	root, err := openDir(dir)
	if err != nil {
		return nil, fmt.Errorf("opening workspaces: %w", err)
	}
	if err := errors.Join(emptyDir(root, unfinished), emptyDir(root, temporary)); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("opening workspaces: %w", err)
	}
	return &Workspaces{dir: dir, root: root, content: content, filling: map[string]*filling{}}, nil
}

// Close lets go of the folder.
func (w *Workspaces) Close() error { return w.root.Close() }

// Dir gives the absolute path of a session's folder, made and filled on first need:
// seed is asked only then, on the caller's goroutine. A folder is there whole or not
// at all, so that a crash in the middle is made good by the next call.
func (w *Workspaces) Dir(sessionID string, seed func() (Seed, error)) (string, error) {
	if err := checkID(sessionID); err != nil {
		return "", err
	}
	defer w.lock(sessionID)()
	if there, err := w.isDir(sessionID); err != nil || there {
		return filepath.Join(w.dir, sessionID), err
	}
	if err := w.make(sessionID, sessionID, seed); err != nil {
		return "", fmt.Errorf("making workspace of %s: %w", sessionID, err)
	}
	return filepath.Join(w.dir, sessionID), nil
}

// Temporary makes a folder for one call outside a session; remove deletes it, as
// does the next New.
func (w *Workspaces) Temporary(callID string, seed func() (Seed, error)) (dir string, remove func(), err error) {
	if err := checkID(callID); err != nil {
		return "", nil, err
	}
	name := path.Join(temporary, callID+"-"+rand.Text()[:8])
	if err := w.make(path.Base(name), name, seed); err != nil {
		return "", nil, fmt.Errorf("making temporary workspace: %w", err)
	}
	return filepath.Join(w.dir, filepath.FromSlash(name)), func() { _ = w.root.RemoveAll(name) }, nil
}

// lock gives one caller at a time the right to make a session's folder.
func (w *Workspaces) lock(id string) (unlock func()) {
	w.mu.Lock()
	f := w.filling[id]
	if f == nil {
		f = &filling{}
		w.filling[id] = f
	}
	f.callers++
	w.mu.Unlock()
	f.Lock()
	return func() {
		f.Unlock()
		w.mu.Lock()
		defer w.mu.Unlock()
		if f.callers--; f.callers == 0 {
			delete(w.filling, id)
		}
	}
}

// isDir refuses whatever else stands in the folder's place.
func (w *Workspaces) isDir(name string) (bool, error) {
	info, err := w.root.Lstat(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("finding workspace: %w", err)
	}
	if !info.IsDir() {
		return false, fmt.Errorf("finding workspace: %s is not a folder", filepath.Join(w.dir, name))
	}
	return true, nil
}

// make fills a folder aside and moves it to its place when it is whole.
func (w *Workspaces) make(id, place string, seed func() (Seed, error)) error {
	s, err := seed()
	if err != nil {
		return err
	}
	aside := path.Join(unfinished, id)
	if err := emptyDir(w.root, aside); err != nil {
		return err
	}
	if err := w.fill(aside, s); err != nil {
		_ = w.root.RemoveAll(aside)
		return err
	}
	if err := w.root.Rename(aside, place); err != nil {
		_ = w.root.RemoveAll(aside)
		return err
	}
	return SyncDir(w.root, path.Dir(place))
}

// fill writes a seed into an empty folder, through a root of its own.
func (w *Workspaces) fill(dir string, s Seed) error {
	root, err := w.root.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	folders := map[string]bool{".": true}
	if s.Instructions != "" {
		if err := writeSynced(root, instructionsFile, []byte(s.Instructions)); err != nil {
			return err
		}
	}
	for _, f := range s.Files {
		if err := w.put(root, f); err != nil {
			return err
		}
		folders[path.Dir(f.Path)] = true
	}
	for folder := range folders {
		if err := SyncDir(root, folder); err != nil && !gone(err) { // a later file may stand there
			return err
		}
	}
	return nil
}

// put replaces what an earlier part of the seed wrote at the same path, or where this
// one needs a folder.
func (w *Workspaces) put(root *os.Root, f File) error {
	if err := CheckPath(f.Path); err != nil {
		return err
	}
	b, err := f.Content, error(nil)
	if f.SHA256 != "" {
		if b, err = w.content.Get(f.SHA256); err != nil {
			return err
		}
	}
	err = clear(root, f.Path)
	if err == nil {
		err = MakeDir(root, path.Dir(f.Path))
	}
	if err == nil {
		err = writeSynced(root, f.Path, b)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.Path, err)
	}
	return nil
}

// clear removes what stands at a path, and a file that stands where it needs a folder.
func clear(root *os.Root, name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := root.Lstat(dir); err == nil && !info.IsDir() {
			return root.Remove(dir)
		}
	}
	return root.RemoveAll(name)
}

func gone(err error) bool { return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

var idForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

// checkID keeps ids from being paths.
func checkID(id string) error {
	if !idForm.MatchString(id) {
		return fmt.Errorf("making workspace: %.80q is not an id", id)
	}
	return nil
}
