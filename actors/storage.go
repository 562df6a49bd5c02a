package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/store"
	"github.com/gobdk/bdk/internal/workspace"
)

// A storage is what lies beside the log in the state root: contents, workspaces,
// files. Each is opened on first need.
type storage struct {
	root string

	mu         sync.Mutex
	content    *workspace.Content
	workspaces *workspace.Workspaces
	files      []agent.Files // those that were opened
}

// workspacesDir is the folder of all workspaces below the state root.
const workspacesDir = "workspaces"

func newStorage(o *Options) *storage {
	root, err := filepath.Abs(o.Journal.Dir())
	if err != nil {
		root = o.Journal.Dir()
	}
	return &storage{root: root}
}

func (s *storage) open() (*workspace.Content, *workspace.Workspaces, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workspaces != nil {
		return s.content, s.workspaces, nil
	}
	content, err := workspace.OpenContent(filepath.Join(s.root, "content"))
	if err != nil {
		return nil, nil, err
	}
	ws, err := workspace.New(filepath.Join(s.root, workspacesDir), content)
	if err != nil {
		return nil, nil, errors.Join(err, content.Close())
	}
	s.content, s.workspaces = content, ws
	return content, ws, nil
}

// close lets go of the folders.
func (s *storage) close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workspaces != nil {
		err = errors.Join(s.workspaces.Close(), s.content.Close())
	}
	for _, f := range s.files {
		if c, ok := f.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}
	s.content, s.workspaces, s.files = nil, nil, nil
	return err
}

// keep checks the files that a caller sent, all or nothing, and puts their
// contents where they survive: both before the session exists.
func (s *storage) keep(files []File) ([]events.WorkspaceFile, error) {
	if len(files) == 0 {
		return nil, nil
	}
	sent := make([]workspace.NewFile, len(files))
	for i, f := range files {
		sent[i] = workspace.NewFile(f)
	}
	if err := workspace.CheckFiles(sent); err != nil {
		var bad *workspace.PathError
		if errors.As(err, &bad) {
			return nil, &PathError{Path: bad.Path, Reason: bad.Reason}
		}
		return nil, err
	}
	content, _, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	out := make([]events.WorkspaceFile, len(files))
	for i, f := range files {
		sum, err := content.Put(f.Content)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrWorkspace, err)
		}
		out[i] = events.WorkspaceFile{Path: f.Path, SHA256: sum, Size: int64(len(f.Content))}
	}
	return out, nil
}

// filesOf gives an agent's file storage, whose folder is made on first use.
func (s *storage) filesOf(slug string) agent.Files {
	return &lazyFiles{open: sync.OnceValues(func() (agent.Files, error) {
		f, err := store.NewFiles(filepath.Join(s.root, "files", slug))
		if err == nil {
			s.mu.Lock()
			s.files = append(s.files, f)
			s.mu.Unlock()
		}
		return f, err
	})}
}

// lazyFiles opens an agent's files when they are first used.
type lazyFiles struct {
	open func() (agent.Files, error)
}

func withFiles[T any](l *lazyFiles, f func(agent.Files) (T, error)) (out T, err error) {
	files, err := l.open()
	if err != nil {
		return out, err
	}
	return f(files)
}

// Write is agent.Files'.
func (l *lazyFiles) Write(ctx context.Context, scope agent.FileScope, path string, content []byte) error {
	_, err := withFiles(l, func(f agent.Files) (struct{}, error) { return struct{}{}, f.Write(ctx, scope, path, content) })
	return err
}

// Append is agent.Files'.
func (l *lazyFiles) Append(ctx context.Context, scope agent.FileScope, path string, text []byte) error {
	_, err := withFiles(l, func(f agent.Files) (struct{}, error) { return struct{}{}, f.Append(ctx, scope, path, text) })
	return err
}

// Read is agent.Files'.
func (l *lazyFiles) Read(ctx context.Context, scope agent.FileScope, path string) ([]byte, error) {
	return withFiles(l, func(f agent.Files) ([]byte, error) { return f.Read(ctx, scope, path) })
}

// Exists is agent.Files'.
func (l *lazyFiles) Exists(ctx context.Context, scope agent.FileScope, path string) (bool, error) {
	return withFiles(l, func(f agent.Files) (bool, error) { return f.Exists(ctx, scope, path) })
}

// Delete is agent.Files'.
func (l *lazyFiles) Delete(ctx context.Context, scope agent.FileScope, path string) (bool, error) {
	return withFiles(l, func(f agent.Files) (bool, error) { return f.Delete(ctx, scope, path) })
}

// List is agent.Files'.
func (l *lazyFiles) List(ctx context.Context, scope agent.FileScope, prefix string) ([]string, error) {
	return withFiles(l, func(f agent.Files) ([]string, error) { return f.List(ctx, scope, prefix) })
}
