package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// An Owner is the process that holds a state root.
type Owner struct {
	PID int    `json:"pid"`
	URL string `json:"url,omitempty"`
}

// A LockedError says which process owns the state root.
type LockedError struct {
	Dir   string
	Owner Owner
}

// Error names the process and where it can be reached.
func (e *LockedError) Error() string {
	by := "another process"
	if e.Owner.PID != 0 {
		by = fmt.Sprintf("process %d", e.Owner.PID)
	}
	if e.Owner.URL != "" {
		by += " at " + e.Owner.URL
	}
	return fmt.Sprintf("journal: %s is in use by %s; stop it, or choose another directory", e.Dir, by)
}

// ReadOwner tells who owns dir now; ok is false when nobody does. A file that a
// dead process left says nothing.
func ReadOwner(dir string) (owner Owner, ok bool, err error) {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if errors.Is(err, fs.ErrNotExist) {
		return Owner{}, false, nil
	}
	if err != nil {
		return Owner{}, false, fmt.Errorf("journal: reading the lock: %w", err)
	}
	defer f.Close()
	var held bool
	awaitNote(f, func() bool { held, err = heldByOther(f); return held && err == nil })
	if err != nil || !held {
		return Owner{}, false, err
	}
	return ownerIn(f), true, nil
}

// ownerIn reads the owner's note; zero while it is being written.
func ownerIn(f *os.File) (o Owner) {
	b := make([]byte, 4096)
	n, _ := f.ReadAt(b, 0)
	_ = json.Unmarshal(b[:n], &o)
	return o
}

// A dirLock is the lock on a state root, held by this process.
type dirLock struct {
	mu sync.Mutex
	f  *os.File
}

// A lock without a note is held for a moment: by an owner that is only starting, or, after
// its release, by a program that was being started and has the file open until it runs.
const (
	lockPause = 10 * time.Millisecond
	lockTries = 50
)

// awaitNote asks again whether the lock is held, as long as it is without a note, up to a bound.
func awaitNote(f *os.File, held func() bool) {
	for try := 1; held() && ownerIn(f).PID == 0 && try < lockTries; try++ {
		time.Sleep(lockPause)
	}
}

// takeLock fails with a *LockedError when another owner lives.
func takeLock(dir string) (*dirLock, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("journal: opening the lock: %w", err)
	}
	awaitNote(f, func() bool { err = lockFile(f); return errors.Is(err, errHeld) })
	if err != nil {
		owner := ownerIn(f)
		_ = f.Close()
		if errors.Is(err, errHeld) {
			return nil, &LockedError{Dir: dir, Owner: owner}
		}
		return nil, fmt.Errorf("journal: locking %s: %w", dir, err)
	}
	l := &dirLock{f: f}
	if err := l.note(Owner{PID: os.Getpid()}); err != nil {
		_ = l.release()
		return nil, err
	}
	return l, nil
}

var errHeld = errors.New("held by another process")

// note writes who the owner is, in one write that readers see whole.
func (l *dirLock) note(o Owner) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		return ErrClosed
	}
	b, err := json.Marshal(o)
	if err == nil {
		_, err = l.f.WriteAt(b, 0)
	}
	if err == nil {
		err = l.f.Truncate(int64(len(b)))
	}
	if err != nil {
		return fmt.Errorf("journal: writing the lock: %w", err)
	}
	return nil
}

// release empties the file and lets it go. The file stays: removing it would let
// two processes lock two files of one name.
func (l *dirLock) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		return nil
	}
	err := errors.Join(l.f.Truncate(0), l.f.Close())
	l.f = nil
	return err
}

// SetURL writes into the lock where the owner can be reached. Without a lock it does nothing.
func (j *Journal) SetURL(url string) error {
	if j.lock == nil {
		return nil
	}
	return j.lock.note(Owner{PID: os.Getpid(), URL: url})
}
