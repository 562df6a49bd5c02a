package store

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/workspace"
)

// Folders below the store's own: one for each session, one for the deployment, and
// two that belong to nobody's files.
const (
	sessionsDir   = "sessions"
	deploymentDir = "deployment"
	filesTmp      = "tmp"
	intentsDir    = "appends"
)

// files keeps files below one os.Root, so that no name and no link leads out.
type files struct {
	root *os.Root

	// tree keeps folders from being removed while a file is on its way into one:
	// who removes files holds it, who only adds holds it for reading.
	tree sync.RWMutex
	// lanes are by hash of the place; one at a time is held, after tree.
	lanes [16]lane
}

var (
	_ agent.Files = (*files)(nil)
	_ io.Closer   = (*files)(nil)
)

// NewFiles keeps files below dir, a folder of its own, which is made when needed.
// What a crash left unfinished is made good first. It is safe for concurrent use;
// there must be one per folder.
func NewFiles(dir string) (agent.Files, error) {
	f, err := openFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("opening file store: %w", err)
	}
	return f, nil
}

func openFiles(dir string) (*files, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &files{root: root}
	if err := f.prepare(); err != nil {
		_ = root.Close()
		return nil, err
	}
	return f, nil
}

// Close lets go of the folder; callers find it by asking for an io.Closer.
func (s *files) Close() error { return s.root.Close() }

func (s *files) prepare() error {
	if err := s.root.RemoveAll(filesTmp); err != nil {
		return err
	}
	for _, dir := range []string{filesTmp, intentsDir, deploymentDir, sessionsDir} {
		if err := workspace.MakeDir(s.root, dir); err != nil {
			return err
		}
	}
	for i := range s.lanes {
		s.lanes[i] = lane{root: s.root, intent: fmt.Sprintf("%s/%02d", intentsDir, i)}
		if err := s.lanes[i].recover(); err != nil {
			return fmt.Errorf("making an append good: %w", err)
		}
	}
	return nil
}

func (s *files) lane(place string) *lane {
	h := fnv.New32a()
	_, _ = h.Write([]byte(place))
	return &s.lanes[h.Sum32()%uint32(len(s.lanes))]
}

// Write replaces the file whole.
func (s *files) Write(ctx context.Context, scope agent.FileScope, name string, content []byte) error {
	place, err := locate(ctx, scope, name)
	if err != nil {
		return err
	}
	s.tree.RLock()
	defer s.tree.RUnlock()
	l := s.lane(place)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.forget(place); err != nil {
		return told("writing", name, err)
	}
	return told("writing", name, workspace.WriteFile(s.root, filesTmp, place, content))
}

// Append adds text at the end of the file, which it makes when needed.
func (s *files) Append(ctx context.Context, scope agent.FileScope, name string, text []byte) error {
	place, err := locate(ctx, scope, name)
	if err != nil {
		return err
	}
	s.tree.RLock()
	defer s.tree.RUnlock()
	l := s.lane(place)
	l.mu.Lock()
	defer l.mu.Unlock()
	return told("appending to", name, l.append(place, text))
}

// Read gives the whole file, the caller's to keep.
func (s *files) Read(ctx context.Context, scope agent.FileScope, name string) ([]byte, error) {
	place, err := locate(ctx, scope, name)
	if err != nil {
		return nil, err
	}
	l := s.lane(place)
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.broken {
		return nil, told("reading", name, errBroken)
	}
	b, err := workspace.ReadFile(s.root, place)
	if errors.Is(err, syscall.ENOTDIR) {
		err = fs.ErrNotExist
	}
	return b, told("reading", name, err)
}

// Exists says whether there is a file (not a folder) of that name.
func (s *files) Exists(ctx context.Context, scope agent.FileScope, name string) (bool, error) {
	place, err := locate(ctx, scope, name)
	if err != nil {
		return false, err
	}
	there, err := s.exists(place)
	return there, told("finding", name, err)
}

func (s *files) exists(place string) (bool, error) {
	info, err := s.root.Lstat(place)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	return err == nil && info.Mode().IsRegular(), err
}

// Delete removes a file and the folders that it leaves empty; it says whether there was one.
func (s *files) Delete(ctx context.Context, scope agent.FileScope, name string) (bool, error) {
	place, err := locate(ctx, scope, name)
	if err != nil {
		return false, err
	}
	s.tree.Lock()
	defer s.tree.Unlock()
	l := s.lane(place)
	l.mu.Lock()
	defer l.mu.Unlock()
	there, err := s.exists(place)
	if err != nil || !there {
		return false, told("deleting", name, err)
	}
	return true, told("deleting", name, s.remove(l, place, scopeDir(scope)))
}

func (s *files) remove(l *lane, place, top string) error {
	if err := l.forget(place); err != nil {
		return err
	}
	if err := s.root.Remove(place); err != nil {
		return err
	}
	dir := path.Dir(place)
	for dir != top && s.root.Remove(dir) == nil {
		dir = path.Dir(dir)
	}
	return workspace.SyncDir(s.root, dir)
}

// List gives the paths that begin with prefix, which need not be a whole name.
func (s *files) List(ctx context.Context, scope agent.FileScope, prefix string) ([]string, error) {
	if err := checkScope(ctx, scope); err != nil {
		return nil, err
	}
	top := scopeDir(scope)
	names := []string{}
	err := fs.WalkDir(s.root.FS(), top, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // no file was ever written, or it was deleted meanwhile
		}
		if err != nil {
			return err
		}
		if name := strings.TrimPrefix(p, top+"/"); d.Type().IsRegular() && strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
		return ctx.Err()
	})
	slices.Sort(names)
	return names, told("listing", prefix, err)
}

func scopeDir(scope agent.FileScope) string {
	if scope.Session == "" {
		return deploymentDir
	}
	return sessionsDir + "/" + scope.Session
}

// locate turns a name of a scope into a path below the root.
func locate(ctx context.Context, scope agent.FileScope, name string) (string, error) {
	if err := checkScope(ctx, scope); err != nil {
		return "", err
	}
	if err := workspace.CheckPath(name); err != nil {
		return "", fmt.Errorf("files: %w", err)
	}
	return path.Join(scopeDir(scope), name), nil
}

var sessionForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

func checkScope(ctx context.Context, scope agent.FileScope) error {
	if scope.Session != "" && !sessionForm.MatchString(scope.Session) {
		return fmt.Errorf("files: %.80q is not a session's id", scope.Session)
	}
	return ctx.Err()
}

// told says what was done to which file, in the caller's words; nil stays nil.
func told(doing, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("files: %s %q: %w", doing, name, fs.ErrNotExist)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("files: %s %q: a part of the path is a file: %w", doing, name, err)
	case errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.EEXIST), errors.Is(err, syscall.ENOTEMPTY):
		return fmt.Errorf("files: %s %q: there is a folder of that name: %w", doing, name, err)
	}
	return fmt.Errorf("files: %s %q: %w", doing, name, err)
}
