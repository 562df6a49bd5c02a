//go:build unix && !solaris && !illumos && !aix

package journal

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockFile takes the lock, or says errHeld. A reader of the owner's note holds
// the lock too, shared and for a moment: that is waited for.
func lockFile(f *os.File) error {
	for deadline := time.Now().Add(time.Second); ; time.Sleep(time.Millisecond) {
		err := flock(f, syscall.LOCK_EX)
		if !errors.Is(err, errHeld) {
			return err
		}
		held, err := heldByOther(f)
		if err != nil {
			return err
		}
		if held || time.Now().After(deadline) {
			return errHeld
		}
	}
}

// heldByOther says whether an owner holds the lock: then it cannot be shared.
func heldByOther(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_SH)
	if errors.Is(err, errHeld) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, flock(f, syscall.LOCK_UN)
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return errHeld
		}
		return err
	}
}
