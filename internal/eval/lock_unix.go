//go:build unix && !solaris && !illumos && !aix

package eval

import (
	"errors"
	"os"
	"syscall"
)

// lock marks what f belongs to as in use, until f is closed or the process ends.
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// locked says whether somebody holds the lock of an open file.
func locked(f *os.File) bool {
	if errors.Is(flock(f, syscall.LOCK_SH), syscall.EWOULDBLOCK) {
		return true
	}
	_ = flock(f, syscall.LOCK_UN)
	return false
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
