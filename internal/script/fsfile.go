package script

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// afterLoading refuses a function that writes while the project loads.
func afterLoading(name string, f fsFunc) fsFunc {
	return func(v *vm, a args) (any, error) {
		if err := v.mayWrite(name, a); err != nil {
			return nil, err
		}
		return f(v, a)
	}
}

// readers are the functions of node:fs that change nothing.
var readers = map[string]bool{
	"read": true, "stat": true, "lstat": true, "access": true, "readdir": true, "realpath": true, "readlink": true,
	"fread": true, "fstat": true, "fclose": true,
}

// mayWrite refuses to write while the project loads: to load a project, or to check
// one, changes nothing. A folder that is there already may be asked for. It looks at
// state of the loop, so the async forms ask it before they leave.
func (v *vm) mayWrite(name string, a args) error {
	if !v.evaluating.Load() || readers[name] || name == "open" && openFlags(a.integer(1))&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC) == 0 {
		return nil
	}
	if name == "mkdir" && a.flag(1) {
		if info, err := os.Stat(v.path(a.text(0))); err == nil && info.IsDir() {
			return nil
		}
	}
	return notWhileLoading("node:fs cannot write while the project loads; do it inside a tool")
}

// openFlags reads the numbers of fs.constants.
func openFlags(bits int) int {
	flags := [...]int{os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_RDWR}[bits&3]
	for bit, flag := range map[int]int{0o100: os.O_CREATE, 0o200: os.O_EXCL, 0o1000: os.O_TRUNC, 0o2000: os.O_APPEND, 0o4010000: os.O_SYNC} {
		if bits&bit != 0 {
			flags |= flag
		}
	}
	return flags
}

// devices may be opened although they are no files: they never make anybody wait.
var devices = map[string]bool{os.DevNull: true, "/dev/zero": true, "/dev/full": true, "/dev/random": true, "/dev/urandom": true}

// openFile opens a regular file, or a folder. A pipe, a socket or a device could hold
// its reader for good, so they are refused without waiting for their other end.
func (v *vm) openFile(name string, flags int, mode fs.FileMode) (*os.File, error) {
	path := v.path(name)
	f, err := os.OpenFile(path, flags|nonblocking, mode)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && (info.Mode().IsRegular() || info.IsDir() || devices[path]) {
		return f, nil
	}
	f.Close()
	if err != nil {
		return nil, err
	}
	return nil, &hostError{
		Name: "Error", Code: "EINVAL", Syscall: "open", Path: name, ErrNo: -int(syscall.EINVAL),
		Message: fmt.Sprintf("EINVAL: '%s' is a %s, and node:fs opens files and folders alone: use node:child_process for a program that reads it", name, deviceText(info.Mode())),
	}
}

func deviceText(m fs.FileMode) string {
	switch typeOf(m) {
	case "fifo":
		return "named pipe"
	case "socket":
		return "socket"
	}
	return "device"
}

// fsRead gives a whole file.
func fsRead(v *vm, a args) (any, error) {
	f, err := v.openFile(a.text(0), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit := v.o.MemoryLimit / 4
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) > limit {
		return nil, &hostError{
			Name: "RangeError", Code: "ERR_FS_FILE_TOO_LARGE", Path: a.text(0),
			Message: fmt.Sprintf("'%s' is larger than the %d MiB that are read at once: read it in parts, with createReadStream", a.text(0), limit>>20),
		}
	}
	return fromBytes(content), nil
}

// fsWrite takes the path, the bytes, the flags and the mode.
func fsWrite(v *vm, a args) (any, error) {
	content, err := a.bytes(1)
	if err != nil {
		return nil, err
	}
	f, err := v.openFile(a.text(0), openFlags(a.integer(2)), modeOr(a.integer(3)))
	if err != nil {
		return nil, err
	}
	_, err = f.Write(content)
	return nil, errors.Join(err, f.Close())
}

func modeOr(mode int) fs.FileMode {
	if mode == 0 {
		return 0o666
	}
	return fs.FileMode(mode).Perm()
}

// fsOpen takes the path, the flags and the mode, and gives a handle.
func fsOpen(v *vm, a args) (any, error) {
	if err := v.mayWrite("open", a); err != nil {
		return nil, err
	}
	f, err := v.openFile(a.text(0), openFlags(a.integer(1)), modeOr(a.integer(2)))
	if err != nil {
		return nil, err
	}
	return v.handles.add(f), nil
}

// file is an open one. The handle comes as text, as paths do.
func (v *vm) file(a args) (*os.File, error) {
	if f, ok := v.handles.get(a.integer(1)).(*os.File); ok {
		return f, nil
	}
	return nil, syscall.EBADF
}

// fsHandleRead takes the handle, how much, and where, below 0 for where the last read ended.
func fsHandleRead(v *vm, a args) (any, error) {
	f, err := v.file(a)
	if err != nil {
		return nil, err
	}
	buf := make([]byte, min(max(a.integer(2), 0), int(v.o.MemoryLimit/4)))
	var n int
	if at := a.number(3); at >= 0 {
		n, err = f.ReadAt(buf, int64(at))
	} else {
		n, err = f.Read(buf)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return fromBytes(buf[:n]), nil
}

// fsHandleWrite takes the handle, the bytes, and where.
func fsHandleWrite(v *vm, a args) (any, error) {
	f, err := v.file(a)
	if err != nil {
		return nil, err
	}
	data, err := a.bytes(2)
	if err != nil {
		return nil, err
	}
	if at := a.number(3); at >= 0 {
		return f.WriteAt(data, int64(at))
	}
	return f.Write(data)
}

func fsHandleStat(v *vm, a args) (any, error) {
	f, err := v.file(a)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return asJSON(infoOf(info))
}

func fsHandleTruncate(v *vm, a args) (any, error) {
	f, err := v.file(a)
	if err != nil {
		return nil, err
	}
	return nil, f.Truncate(int64(a.number(2)))
}

func fsHandleSync(v *vm, a args) (any, error) {
	f, err := v.file(a)
	if err != nil {
		return nil, err
	}
	return nil, f.Sync()
}

func fsHandleClose(v *vm, a args) (any, error) {
	f, err := v.file(a)
	if err != nil {
		return nil, err
	}
	v.handles.forget(a.integer(1))
	return nil, f.Close()
}
