package script

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// An fsFunc is one function of node:fs; it serves the sync and the async form.
type fsFunc func(v *vm, a args) (any, error)

// fsOps serve node:fs and node:fs/promises. Relative paths start at the project's folder.
func fsOps(o *ops) {
	for name, f := range map[string]fsFunc{
		"read": fsRead, "stat": fsStat, "lstat": fsLstat, "access": fsAccess, "readdir": fsReaddir, "realpath": fsRealpath,
		"readlink": fsReadlink, "open": fsOpen, "fread": fsHandleRead, "fstat": fsHandleStat, "fclose": fsHandleClose,
	} {
		fsOp(o, name, f)
	}
	for name, f := range map[string]fsFunc{
		"write": fsWrite, "mkdir": fsMkdir, "mkdtemp": fsMkdtemp, "rm": fsRm, "rmdir": fsRmdir, "unlink": fsUnlink, "rename": fsRename,
		"copyfile": fsCopy, "symlink": fsSymlink, "link": fsLink, "chmod": fsChmod, "truncate": fsTruncate, "utimes": fsUtimes,
		"fwrite": fsHandleWrite, "ftruncate": fsHandleTruncate, "fsync": fsHandleSync,
	} {
		fsOp(o, name, afterLoading(name, f))
	}
}

func fsOp(o *ops, name string, f fsFunc) {
	o.sync("fs."+name, func(v *vm, a args) (any, error) {
		result, err := f(v, a)
		return result, nodeError(name, a.text(0), err)
	})
	o.async("fs."+name, func(v *vm, a args) (work, error) {
		if err := v.mayWrite(name, a[1:]); err != nil {
			return nil, err
		}
		return func(context.Context) (any, error) {
			result, err := f(v, a[1:])
			return result, nodeError(name, a.text(1), err)
		}, nil
	})
}

// path resolves what JavaScript gave.
func (v *vm) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(v.o.Cwd, name)
}

func typeOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "file"
	case m.IsDir():
		return "directory"
	case m&fs.ModeSymlink != 0:
		return "symlink"
	case m&fs.ModeNamedPipe != 0:
		return "fifo"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeCharDevice != 0:
		return "character"
	}
	return "block"
}

func typeBits(m fs.FileMode) uint32 {
	bits := map[string]uint32{"file": 0o100000, "directory": 0o040000, "symlink": 0o120000, "fifo": 0o010000, "socket": 0o140000, "character": 0o020000, "block": 0o060000}
	return bits[typeOf(m)]
}

// fsAccess takes the path and the mode: 4 read, 2 write, 1 execute.
func fsAccess(v *vm, a args) (any, error) {
	i, err := os.Stat(v.path(a.text(0)))
	if err != nil {
		return nil, err
	}
	mode := a.integer(1)
	if mode&2 != 0 && i.Mode().Perm()&0o222 == 0 || mode&1 != 0 && !i.IsDir() && i.Mode().Perm()&0o111 == 0 {
		return nil, &fs.PathError{Op: "access", Path: a.text(0), Err: syscall.EACCES}
	}
	return nil, nil
}

// fsReaddir takes the path and whether to go into folders.
func fsReaddir(v *vm, a args) (any, error) {
	root := v.path(a.text(0))
	list := []fileInfo{}
	if !a.flag(1) {
		entries, err := os.ReadDir(root)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			list = append(list, fileInfo{Name: e.Name(), Type: typeOf(e.Type())})
		}
		return asJSON(list)
	}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		rel, err := filepath.Rel(root, p)
		list = append(list, fileInfo{Name: rel, Type: typeOf(d.Type())})
		return err
	})
	if err != nil {
		return nil, err
	}
	return asJSON(list)
}

// fsMkdir takes the path, whether to make its parents, and the mode; with parents it
// gives the first folder that it made.
func fsMkdir(v *vm, a args) (any, error) {
	p, mode := v.path(a.text(0)), fs.FileMode(0o777)
	if a.integer(2) != 0 {
		mode = fs.FileMode(a.integer(2))
	}
	if !a.flag(1) {
		return nil, os.Mkdir(p, mode)
	}
	first := ""
	for at := p; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || filepath.Dir(at) == at {
			break
		}
		first = at
	}
	if first == "" {
		return nil, os.MkdirAll(p, mode)
	}
	return first, os.MkdirAll(p, mode)
}

func fsMkdtemp(v *vm, a args) (any, error) {
	prefix := v.path(a.text(0))
	if name := a.text(0); os.IsPathSeparator(name[len(name)-1]) {
		return os.MkdirTemp(prefix, "")
	}
	return os.MkdirTemp(filepath.Dir(prefix), filepath.Base(prefix))
}

// fsRm takes the path, recursive and force.
func fsRm(v *vm, a args) (any, error) {
	p := v.path(a.text(0))
	i, err := os.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) && a.flag(2) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if i.IsDir() && !a.flag(1) {
		return nil, &hostError{Name: "Error", Message: "Path is a directory: rm returned EISDIR (is a directory) " + p, Code: "ERR_FS_EISDIR", Syscall: "rm", Path: p, ErrNo: -int(syscall.EISDIR)}
	}
	return nil, os.RemoveAll(p)
}

func fsRmdir(v *vm, a args) (any, error) {
	p := v.path(a.text(0))
	if i, err := os.Lstat(p); err == nil && !i.IsDir() {
		return nil, &fs.PathError{Op: "rmdir", Path: p, Err: syscall.ENOTDIR}
	}
	return nil, os.Remove(p)
}

func fsUnlink(v *vm, a args) (any, error) {
	p := v.path(a.text(0))
	if i, err := os.Lstat(p); err == nil && i.IsDir() {
		return nil, &fs.PathError{Op: "unlink", Path: p, Err: syscall.EISDIR}
	}
	return nil, os.Remove(p)
}

func fsRename(v *vm, a args) (any, error) {
	return nil, os.Rename(v.path(a.text(0)), v.path(a.text(1)))
}

// fsCopy takes both paths and the flags: 1 refuses a target that is there.
func fsCopy(v *vm, a args) (any, error) {
	in, err := v.openFile(a.text(0), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if a.integer(2)&1 != 0 {
		flags |= os.O_EXCL
	}
	mode := fs.FileMode(0o666)
	if info, err := in.Stat(); err == nil {
		mode = info.Mode().Perm()
	}
	out, err := v.openFile(a.text(1), flags, mode)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(out, in)
	return nil, errors.Join(err, out.Close())
}

func fsRealpath(v *vm, a args) (any, error) { return filepath.EvalSymlinks(v.path(a.text(0))) }
func fsReadlink(v *vm, a args) (any, error) { return os.Readlink(v.path(a.text(0))) }
func fsSymlink(v *vm, a args) (any, error)  { return nil, os.Symlink(a.text(0), v.path(a.text(1))) }
func fsLink(v *vm, a args) (any, error) {
	return nil, os.Link(v.path(a.text(0)), v.path(a.text(1)))
}
func fsChmod(v *vm, a args) (any, error) {
	return nil, os.Chmod(v.path(a.text(0)), fs.FileMode(a.integer(1)))
}
func fsTruncate(v *vm, a args) (any, error) {
	return nil, os.Truncate(v.path(a.text(0)), int64(a.number(1)))
}

// fsUtimes takes the path and two instants in milliseconds.
func fsUtimes(v *vm, a args) (any, error) {
	at := func(i int) time.Time { return time.UnixMicro(int64(a.number(i) * 1000)) }
	return nil, os.Chtimes(v.path(a.text(0)), at(1), at(2))
}
