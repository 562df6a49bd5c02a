package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"
	"syscall"

	"github.com/gobdk/bdk/internal/failpoint"
	"github.com/gobdk/bdk/internal/workspace"
)

// A lane makes appends whole. Before it appends it writes down on disk, in its intent
// file, what it is about to append where; after a crash the end of that one file is
// compared with it and cut off when it is not the record. So a file that is read holds
// nothing but records, and an append costs two syncs, whatever the file's size.
type lane struct {
	root   *os.Root
	intent string

	// mu is held for writing until what was done is on disk, and for reading by
	// those who read a file of the lane.
	mu sync.RWMutex
	// place is what the intent file speaks of; empty when it speaks of nothing.
	place string
	// broken is set for good by an append that failed and could not be undone.
	broken bool
}

// An intent is what an intent file says.
type intent struct {
	Place  string `json:"place"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	// SHA256 is of the record.
	SHA256 []byte `json:"sha256"`
	// New says that there was no file before.
	New bool `json:"new"`
}

// errBroken comes after an append failed and could not be taken back: what the file
// holds is settled when the store is opened again.
var errBroken = errors.New("an append before failed and could not be undone; restart to mend the file")

// append adds one record. When it fails the file is as it was.
func (l *lane) append(place string, record []byte) error {
	if l.broken {
		return errBroken
	}
	if err := workspace.MakeDir(l.root, path.Dir(place)); err != nil {
		return err
	}
	_, err := l.root.Lstat(place)
	isNew := errors.Is(err, fs.ErrNotExist)
	f, err := openAppend(l.root, place)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(record)
	in := intent{place, info.Size(), int64(len(record)), sum[:], isNew}
	if err := l.note(in); err != nil {
		return err
	}
	failpoint.Hit("files.intent_synced")
	if err := l.write(f, &in, record); err != nil {
		if undo := in.undo(l.root, f); undo != nil {
			l.broken = true
			return errors.Join(err, undo)
		}
		return err
	}
	return nil
}

func (l *lane) write(f *os.File, in *intent, record []byte) error {
	if _, err := f.Write(record); err != nil {
		return err
	}
	failpoint.Hit("files.appended_before_sync")
	if err := f.Sync(); err != nil || !in.New {
		return err
	}
	return workspace.SyncDir(l.root, path.Dir(in.Place))
}

// openAppend opens a plain file for appending, or makes it.
func openAppend(root *os.Root, place string) (*os.File, error) {
	f, err := root.OpenFile(place, os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a plain file", path.Base(place))
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func cut(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Sync()
}

// note puts an intent on disk. One that is torn by a crash is no JSON, and then its
// append had not begun.
func (l *lane) note(in intent) error {
	b, err := json.Marshal(in)
	if err != nil {
		return err
	}
	f, err := l.root.OpenFile(l.intent, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	l.place = in.Place
	if err := f.Truncate(0); err != nil {
		return err
	}
	if _, err := f.Write(append(b, '\n')); err != nil {
		return err
	}
	return f.Sync()
}

// forget clears the intent where it speaks of place, because another write to place
// is coming that it must not undo.
func (l *lane) forget(place string) error {
	if l.broken {
		return errBroken
	}
	if l.place != place {
		return nil
	}
	f, err := l.root.OpenFile(l.intent, os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := cut(f, 0); err != nil {
		return err
	}
	l.place = ""
	return nil
}

// recover makes good the append that a crash cut short, if there was one. It also
// makes the intent file, so that its name is on disk before its first use.
func (l *lane) recover() error {
	b, err := workspace.ReadFile(l.root, l.intent)
	if errors.Is(err, fs.ErrNotExist) {
		return l.begin()
	}
	if err != nil {
		return err
	}
	var in intent
	if json.Unmarshal(b, &in) != nil || in.Place == "" {
		return nil
	}
	if err := in.settle(l.root); err != nil {
		return err
	}
	l.place = in.Place
	return l.forget(in.Place)
}

func (l *lane) begin() error {
	f, err := l.root.OpenFile(l.intent, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return workspace.SyncDir(l.root, path.Dir(l.intent))
}

// settle takes the record back, unless it is there whole.
func (in *intent) settle(root *os.Root) error {
	f, err := root.OpenFile(in.Place, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the crash came before the file was made
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < in.Offset {
		return err
	}
	whole, err := in.whole(f, info.Size())
	if err != nil || whole {
		return err
	}
	return in.undo(root, f)
}

// undo makes the file what it was before the append.
func (in *intent) undo(root *os.Root, f *os.File) error {
	if !in.New {
		return cut(f, in.Offset)
	}
	if err := root.Remove(in.Place); err != nil {
		return err
	}
	return workspace.SyncDir(root, path.Dir(in.Place))
}

func (in *intent) whole(f *os.File, size int64) (bool, error) {
	if size != in.Offset+in.Length {
		return false, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, in.Offset, in.Length)); err != nil {
		return false, err
	}
	return bytes.Equal(h.Sum(nil), in.SHA256), nil
}
