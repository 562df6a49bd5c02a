package harness

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/workspace"
)

// A view is what the file tools see in one call: the workspace, through os.Root, and
// read-only trees beside it.
type view struct {
	dir        string
	root       *os.Root
	call       string // the id of the call
	userFolder bool
	mounts     []*mount
	// host is the path of the host's state root, where it lies in the workspace: it is
	// not shown and cannot be written to. Empty: it lies elsewhere.
	host string
}

// An entry is a name in a folder.
type entry struct {
	name string
	dir  bool
	// link is where a link points to; empty for what is none.
	link string
	// special marks what is neither a file, a folder nor a link.
	special bool
	// size is -1 where it is not known.
	size int64
}

// open gives the view of a call. The caller closes it.
func (h *tools) open(ctx context.Context, c *agent.Call) (*view, error) {
	v := &view{call: c.ID, userFolder: h.userFolder(c), mounts: h.mountsOf(ctx, c)}
	if h.skillsAlone {
		return v, nil
	}
	if c.Workspace == nil {
		return nil, errors.New("this call has no workspace")
	}
	dir, err := c.Workspace()
	if err != nil {
		return nil, err
	}
	v.dir, v.host = dir, inside(dir, c.StateRoot)
	if v.root, err = os.OpenRoot(dir); err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	v.mounts = slices.DeleteFunc(v.mounts, func(m *mount) bool {
		_, err := v.root.Lstat(m.at)
		m.filesAlone = err == nil && m.hidden
		return err == nil && !m.over && !m.hidden // the workspace has the name itself
	})
	return v, nil
}

// inside gives the path of a folder below another one, with slashes; empty where it is
// not there.
func inside(dir, folder string) string {
	if folder == "" {
		return ""
	}
	real := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return r
		}
		return p
	}
	rel, err := filepath.Rel(real(dir), real(folder))
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// ofHost says whether a path is the host's own, in any spelling that some file system
// takes for it.
func (v *view) ofHost(p string) bool {
	if v.host == "" {
		return false
	}
	p, host := workspace.Fold(p), workspace.Fold(v.host)
	return p == host || strings.HasPrefix(p, host+"/")
}

func (v *view) close() {
	if v.root != nil {
		_ = v.root.Close()
	}
}

// mountOf gives the tree that holds a path; nil: the workspace does.
func (v *view) mountOf(p string) *mount {
	for _, m := range v.mounts {
		if m.holds(p) {
			return m
		}
	}
	return nil
}

// exists says whether something has the path, a link that leads nowhere included.
func (v *view) exists(p string) bool {
	if m := v.mountOf(p); m != nil {
		return m.isFile(p) || m.isDir(p)
	}
	if v.root != nil {
		if _, err := v.root.Lstat(slash(p)); err == nil {
			return true
		}
	}
	return v.above(p)
}

// above says whether a tree that is shown lies below the path.
func (v *view) above(p string) bool {
	return slices.ContainsFunc(v.mounts, func(m *mount) bool { return strings.HasPrefix(m.at, p+"/") && m.isDir(m.at) })
}

// isDir says whether the path is a folder, or a link to one inside.
func (v *view) isDir(p string) bool {
	if p == "" {
		return true
	}
	if m := v.mountOf(p); m != nil {
		return m.isDir(p)
	}
	if v.root != nil {
		if info, err := v.root.Stat(slash(p)); err == nil {
			return info.IsDir()
		}
	}
	return v.above(p)
}

// slash makes "" the workspace itself.
func slash(p string) string { return cmp.Or(p, ".") }

// maxEntries is how many names of one folder are looked at.
const maxEntries = 100_000

// entries lists a folder, sorted by name. Of a folder of the workspace with more names
// than maxEntries it lists as many. Sizes are not known: sized finds them.
func (v *view) entries(dir string) ([]entry, error) {
	if m := v.mountOf(dir); m != nil {
		if !m.isDir(dir) {
			return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
		}
		return m.children(dir), nil
	}
	shown := v.shown(dir)
	list, err := v.real(dir)
	if err != nil && len(shown) == 0 {
		return nil, err
	}
	for _, e := range shown { // few, and there may be very many of the others
		list = slices.DeleteFunc(list, func(x entry) bool { return x.name == e.name })
	}
	list = append(list, shown...)
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// shown lists what the mounts put into a folder of the workspace.
func (v *view) shown(dir string) (list []entry) {
	prefix := dir + "/"
	if dir == "" {
		prefix = ""
	}
	for _, m := range v.mounts {
		rest, ok := strings.CutPrefix(m.at, prefix)
		if !ok || m.hidden || !m.isDir(m.at) {
			continue
		}
		first, _, _ := strings.Cut(rest, "/")
		if !slices.ContainsFunc(list, func(e entry) bool { return e.name == first }) {
			list = append(list, entry{name: first, dir: true, size: -1})
		}
	}
	return list
}

// real lists a folder of the workspace.
func (v *view) real(dir string) ([]entry, error) {
	if v.root == nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	if info, err := v.root.Stat(slash(dir)); err != nil {
		return nil, err
	} else if !info.IsDir() { // before opening: a pipe would wait
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	f, err := v.root.OpenFile(slash(dir), os.O_RDONLY|workspace.NoWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, err := f.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	list := make([]entry, len(found))
	for i, d := range found {
		list[i] = v.entryOf(dir, d)
	}
	return slices.DeleteFunc(list, func(e entry) bool { return v.ofHost(path.Join(dir, e.name)) }), nil
}

func (v *view) entryOf(dir string, d fs.DirEntry) entry {
	e := entry{name: d.Name(), dir: d.IsDir(), size: -1}
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		e.link, _ = v.root.Readlink(path.Join(dir, d.Name()))
		e.link = cmp.Or(e.link, "?")
	case !e.dir && !d.Type().IsRegular():
		e.special = true
	}
	return e
}

// sized finds the size of a plain file of the workspace.
func (v *view) sized(dir string, e entry) entry {
	p := path.Join(dir, e.name)
	if e.dir || e.special || e.link != "" || v.root == nil || v.mountOf(p) != nil {
		return e
	}
	if info, err := v.root.Lstat(p); err == nil && info.Mode().IsRegular() {
		e.size = info.Size()
	}
	return e
}

// content opens a plain file for reading; size is its length.
func (v *view) content(p string) (r io.ReadCloser, size int64, err error) {
	if m := v.mountOf(p); m != nil {
		switch {
		case m.isDir(p):
			return nil, 0, &workspace.PathError{Path: p, Reason: "is a folder"}
		case !m.isFile(p):
			return nil, 0, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
		}
		b, err := m.read(m.rel(p))
		return io.NopCloser(bytes.NewReader(b)), int64(len(b)), err
	}
	if v.root == nil {
		return nil, 0, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
	}
	f, info, err := workspace.Open(v.root, p, v.userFolder)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}
