package script

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// sysCalls are the names that Node gives in its errors.
var sysCalls = map[string]string{"read": "open", "write": "open", "append": "open", "readdir": "scandir", "fread": "read", "fwrite": "write", "fclose": "close", "stat": "stat", "realpath": "lstat"}

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
	syscall.EBADF:        {"EBADF", "bad file descriptor"},
	syscall.ENXIO:        {"ENXIO", "no such device or address"},
	syscall.EXDEV:        {"EXDEV", "cross-device link not permitted"},
}

// nodeError writes a file system's error as Node does.
func nodeError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var made *hostError
	if errors.As(err, &made) {
		return err
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
	if path == "" {
		text := errorTexts[no]
		return &hostError{Name: "Error", Message: fmt.Sprintf("%s: %s, %s", text[0], text[1], call), Code: text[0], Syscall: call, ErrNo: -int(no)}
	}
	text, ok := errorTexts[no]
	if !ok {
		return &hostError{Name: "Error", Message: fmt.Sprintf("%s, %s '%s'", no.Error(), call, path), Code: no.Error(), Syscall: call, Path: path, ErrNo: -int(no)}
	}
	return &hostError{Name: "Error", Message: fmt.Sprintf("%s: %s, %s '%s'", text[0], text[1], call, path), Code: text[0], Syscall: call, Path: path, ErrNo: -int(no)}
}
