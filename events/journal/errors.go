package journal

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

var (
	// ErrMoved says that the log has moved on: the append expected another index. Nothing was written.
	ErrMoved = errors.New("journal: stream has moved on")
	// ErrClosed says that the journal is closed.
	ErrClosed = errors.New("journal: closed")
	// ErrCorrupt says that a log cannot be read.
	ErrCorrupt = errors.New("journal: corrupt log")
	// ErrFormat says that the directory was written by a newer build.
	ErrFormat = errors.New("journal: unknown format version")
	// ErrFailed says that the disk refused a write. Nothing that was not
	// acknowledged before is ever acknowledged or shown by this Journal; only
	// opening the directory anew tells how far it got.
	ErrFailed = errors.New("journal: the disk refused a write")
)

// A MovedError is the ErrMoved of one append.
type MovedError struct {
	Stream string
	// Expected is what the append said, Next what it would have had to say.
	Expected, Next uint64
}

// Error says where the log is and what was expected.
func (e *MovedError) Error() string {
	return fmt.Sprintf("%v: %s is at %d, the append expected %d", ErrMoved, e.Stream, e.Next, e.Expected)
}

// Is makes it an ErrMoved.
func (e *MovedError) Is(target error) bool { return target == ErrMoved }

// A TakenError says that a claim's key is held; nothing was written. It is
// reported when its holder is on disk, not before.
type TakenError struct {
	Key string
	// Value is what the holder gave.
	Value []byte
}

// Error names the key.
func (e *TakenError) Error() string { return "journal: key is taken: " + e.Key }

// A CorruptError says which event cannot be read. Other streams are unharmed.
type CorruptError struct {
	// Stream is empty where not even that can be told.
	Stream string
	// Index is the event's index in its stream.
	Index uint64
	// Position is its position over all logs where the reader went by positions.
	Position uint64
	Err      error
}

// Error names the log and the place.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%v: %s, event %d: %v", ErrCorrupt, e.Stream, e.Index, e.Err)
}

// Is makes it an ErrCorrupt.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

// Unwrap gives the cause.
func (e *CorruptError) Unwrap() error { return e.Err }

// corrupt names stream and index of an error of the store, if it is damage.
func corrupt(stream string, index uint64, err error) error {
	if pebble.IsCorruptionError(err) || errors.Is(err, errGap) {
		return &CorruptError{Stream: stream, Index: index, Err: err}
	}
	return fmt.Errorf("journal: reading %s: %w", stream, err)
}

var (
	errGap   = errors.New("an event is missing")
	errSpent = errors.New("journal: the batch was committed or closed")
)
