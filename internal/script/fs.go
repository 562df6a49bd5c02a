package script

import (
	"context"
	"errors"
	"fmt"
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
		"read": fsRead, "write": fsWrite, "append": fsAppend, "stat": fsStat, "lstat": fsLstat, "access": fsAccess,
		"readdir": fsReaddir, "mkdir": fsMkdir, "mkdtemp": fsMkdtemp, "rm": fsRm, "rmdir": fsRmdir, "unlink": fsUnlink,
		"rename": fsRename, "copyfile": fsCopy, "realpath": fsRealpath, "readlink": fsReadlink, "symlink": fsSymlink,
		"link": fsLink, "chmod": fsChmod, "truncate": fsTruncate, "utimes": fsUtimes,
	} {
		o.sync("fs."+name, func(v *vm, a args) (any, error) {
			result, err := f(v, a)
			return result, nodeError(name, a.text(0), err)
		})
		o.async("fs."+name, func(v *vm, a args) (work, error) {
			return func(context.Context) (any, error) {
				result, err := f(v, a[1:])
				return result, nodeError(name, a.text(1), err)
			}, nil
		})
	}
}

// path resolves what JavaScript gave.
func (v *vm) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(v.o.Cwd, name)
}

func fsRead(v *vm, a args) (any, error) {
	content, err := os.ReadFile(v.path(a.text(0)))
	if err != nil {
		return nil, err
	}
	return fromBytes(content), nil
}

// fsWrite takes the path, the bytes, the flag (w, wx, a, ax, r+) and the mode.
func fsWrite(v *vm, a args) (any, error) {
	content, err := a.bytes(1)
	if err != nil {
		return nil, err
	}
	flags := map[string]int{
		"w": os.O_CREATE | os.O_TRUNC, "wx": os.O_CREATE | os.O_EXCL, "a": os.O_CREATE | os.O_APPEND,
		"ax": os.O_CREATE | os.O_EXCL | os.O_APPEND, "r+": 0, "w+": os.O_CREATE | os.O_TRUNC, "a+": os.O_CREATE | os.O_APPEND,
	}
	flag, ok := flags[orElse(a.text(2), "w")]
	if !ok {
		return nil, typeError("unknown file flag %q", a.text(2))
	}
	mode := fs.FileMode(0o666)
	if a.integer(3) != 0 {
		mode = fs.FileMode(a.integer(3))
	}
	f, err := os.OpenFile(v.path(a.text(0)), os.O_WRONLY|flag, mode)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(content)
	return nil, errors.Join(err, f.Close())
}

func fsAppend(v *vm, a args) (any, error) {
	return fsWrite(v, args{a.text(0), a.text(1), "a"})
}

// fileInfo is what Stats and Dirent are made of.
type fileInfo struct {
	Name  string  `json:"name"`
	Type  string  `json:"type"`
	Size  int64   `json:"size"`
	Mode  uint32  `json:"mode"`
	MTime float64 `json:"mtimeMs"`
	Ino   uint64  `json:"ino"`
	Nlink uint64  `json:"nlink"`
	UID   uint32  `json:"uid"`
	GID   uint32  `json:"gid"`
}

func infoOf(i fs.FileInfo) fileInfo {
	return fileInfo{
		Name: i.Name(), Type: typeOf(i.Mode()), Size: i.Size(), Mode: uint32(i.Mode().Perm()) | typeBits(i.Mode()),
		MTime: float64(i.ModTime().UnixNano()) / 1e6, Nlink: 1, UID: uint32(max(os.Getuid(), 0)), GID: uint32(max(os.Getgid(), 0)),
	}
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

func fsStat(v *vm, a args) (any, error) {
	i, err := os.Stat(v.path(a.text(0)))
	if err != nil {
		return nil, err
	}
	return asJSON(infoOf(i))
}

func fsLstat(v *vm, a args) (any, error) {
	i, err := os.Lstat(v.path(a.text(0)))
	if err != nil {
		return nil, err
	}
	return asJSON(infoOf(i))
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

// fsMkdir takes the path and whether to make its parents.
func fsMkdir(v *vm, a args) (any, error) {
	p := v.path(a.text(0))
	if a.flag(1) {
		if _, err := os.Stat(p); err == nil {
			return nil, nil
		}
		return p, os.MkdirAll(p, 0o777)
	}
	return nil, os.Mkdir(p, 0o777)
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
		return nil, &fs.PathError{Op: "rm", Path: p, Err: syscall.EISDIR}
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

func fsCopy(v *vm, a args) (any, error) {
	in, err := os.Open(v.path(a.text(0)))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := os.Create(v.path(a.text(1)))
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

// sysCalls are the names that Node gives in its errors.
var sysCalls = map[string]string{"read": "open", "write": "open", "append": "open", "readdir": "scandir", "stat": "stat", "realpath": "lstat"}

// errorTexts are Node's words for the common codes.
var errorTexts = map[syscall.Errno][2]string{
	syscall.ENOENT:       {"ENOENT", "no such file or directory"},
	syscall.EEXIST:       {"EEXIST", "file already exists"},
	syscall.EACCES:       {"EACCES", "permission denied"},
	syscall.EPERM:        {"EPERM", "operation not permitted"},
	syscall.EISDIR:       {"EISDIR", "illegal operation on a directory"},
	syscall.ENOTDIR:      {"ENOTDIR", "not a directory"},
	syscall.ENOTEMPTY:    {"ENOTEMPTY", "directory not empty"},
	syscall.ENOSPC:       {"ENOSPC", "no space left on device"},
	syscall.EROFS:        {"EROFS", "read-only file system"},
	syscall.ELOOP:        {"ELOOP", "too many symbolic links encountered"},
	syscall.ENAMETOOLONG: {"ENAMETOOLONG", "name too long"},
	syscall.EINVAL:       {"EINVAL", "invalid argument"},
	syscall.EXDEV:        {"EXDEV", "cross-device link not permitted"},
}

// nodeError writes a file system's error as Node does.
func nodeError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var no syscall.Errno
	if !errors.As(err, &no) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			no = syscall.ENOENT
		case errors.Is(err, fs.ErrExist):
			no = syscall.EEXIST
		default:
			return err
		}
	}
	call := orElse(sysCalls[op], op)
	text, ok := errorTexts[no]
	if !ok {
		return &hostError{Name: "Error", Message: fmt.Sprintf("%s, %s '%s'", no.Error(), call, path), Code: no.Error(), Syscall: call, Path: path}
	}
	return &hostError{Name: "Error", Message: fmt.Sprintf("%s: %s, %s '%s'", text[0], text[1], call, path), Code: text[0], Syscall: call, Path: path}
}
