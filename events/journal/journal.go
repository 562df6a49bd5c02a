// Package journal is the append-only store of all logs on one Pebble: append,
// read, follow, one position over all logs, snapshots, and the open marks from
// which a host recovers.
package journal

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rs/zerolog"
)

// Options are the options of Open; nil means defaults.
type Options struct {
	// FS defaults to the disk. With another one there is no lock file.
	FS vfs.FS
	// Logger hears what goes wrong in the store. The zero value is silent.
	Logger zerolog.Logger

	// fatal is what happens when the store cannot go on; defaults to leaving the process.
	fatal func(string)
	// tune changes the store's options in tests.
	tune func(*pebble.Options)
}

// A Journal is one state root's logs. It is safe for concurrent use.
//
// What it shows is on disk: an event, a head, a mark or a claim is seen by
// nobody before the sync of its append has returned.
type Journal struct {
	dir  string
	fs   vfs.FS
	db   *pebble.DB
	log  zerolog.Logger
	lock *dirLock // nil with another file system

	gate   gate          // around every use of db outside of order
	done   chan struct{} // closed when nothing new will be durable
	closed sync.Once
	syncer chan struct{} // closed when the syncer has ended

	// order is held while an append takes its place: positions, the store's own
	// write order and the queue agree. A stalled store stalls it, so readers
	// never take it.
	order   sync.Mutex
	pos     uint64 // the next position
	closing bool

	// mu guards what the appenders, the syncer and the readers share. It is
	// never held over I/O.
	mu      sync.Mutex
	streams map[string]*stream
	claims  map[string]*flight
	queue   []*pending
	ready   *sync.Cond // the queue is not empty, or draining
	drain   bool

	durable atomic.Uint64 // positions below are on disk
	moves   moves
	ring    ring
	failure atomic.Pointer[error]
	failed  chan struct{} // closed with failure
	stuck   atomic.Bool   // the store panicked; it cannot be closed

	stall       stall
	subscribers owners

	appends, events atomic.Uint64
}

// Open opens or makes the state root's journal: dir/journal is Pebble, dir/lock
// the lock. On the disk all of it is its owner's alone: directories 0700, files
// 0600, also of a root that was more open before. It fails with a *LockedError while another process has it, and with
// ErrFormat when a newer build wrote it.
func Open(dir string, o *Options) (*Journal, error) {
	if o == nil {
		o = &Options{Logger: zerolog.Nop()}
	}
	j := &Journal{
		dir: dir, fs: o.FS, log: o.Logger,
		done: make(chan struct{}), syncer: make(chan struct{}), failed: make(chan struct{}),
		streams: map[string]*stream{}, claims: map[string]*flight{},
	}
	j.ready = sync.NewCond(&j.mu)
	if err := j.open(o); err != nil {
		if j.lock != nil {
			_ = j.lock.release()
		}
		return nil, err
	}
	go j.syncLoop()
	return j, nil
}

func (j *Journal) open(o *Options) (err error) {
	if j.fs == nil {
		j.fs = privateDisk{vfs.Default}
	}
	if err := makeDir(j.fs, j.dir); err != nil {
		return fmt.Errorf("journal: making the state root: %w", err)
	}
	if o.FS == nil {
		if j.lock, err = takeLock(j.dir); err != nil {
			return err
		}
		tighten(j.dir)
	}
	if err := checkFormat(j.fs, j.dir); err != nil {
		return err
	}
	if err := j.openStore(o); err != nil {
		return err
	}
	if err = j.load(); err != nil {
		_ = j.db.Close()
	}
	return err
}

// load settles the version and reads the position.
func (j *Journal) load() error {
	if err := j.settleFormat(); err != nil {
		return err
	}
	if err := j.loadPosition(); err != nil {
		return fmt.Errorf("journal: reading the position: %w", err)
	}
	if err := j.checkFloor(); err != nil {
		return err
	}
	j.durable.Store(j.pos)
	return j.writeFloor()
}

func (j *Journal) loadPosition() error {
	it, err := j.db.NewIter(&pebble.IterOptions{LowerBound: []byte{kindPosition}, UpperBound: []byte{kindPosition + 1}})
	if err != nil {
		return err
	}
	if it.Last() {
		r, err := recordAt(it)
		if err != nil {
			return errorsFirst(err, it.Close())
		}
		j.pos = r.pos + r.count
	}
	return it.Close()
}

// Dir is the state root.
func (j *Journal) Dir() string { return j.dir }

// Close waits for the appends in flight, ends followers and subscribers with
// ErrClosed, and gives the state root free. Closing again does nothing.
func (j *Journal) Close() error {
	var err error
	j.closed.Do(func() { err = j.close() })
	return err
}

func (j *Journal) close() error {
	j.order.Lock()
	j.closing = true
	j.order.Unlock()
	j.mu.Lock()
	j.drain = true
	j.ready.Signal()
	j.mu.Unlock()
	<-j.syncer
	close(j.done)
	j.gate.close()
	var err error
	if j.Err() == nil {
		err = j.writeFloor()
	}
	if !j.wedged() {
		err = errorsFirst(err, j.db.Close())
	}
	if j.lock != nil {
		if e := j.lock.release(); err == nil {
			err = e
		}
	}
	if err != nil && j.Err() == nil {
		return fmt.Errorf("journal: closing: %w", err)
	}
	return nil
}

// An appendRecord is a position's record: which events one append wrote.
type appendRecord struct {
	pos    uint64
	stream string
	first  uint64
	count  uint64
}

func parseRecord(key, value []byte) (appendRecord, error) {
	if len(key) != positionKeyLen || len(value) < 12 {
		return appendRecord{}, fmt.Errorf("%w: a position's record has %d bytes", ErrCorrupt, len(value))
	}
	return appendRecord{
		pos:    binary.BigEndian.Uint64(key[1:]),
		first:  binary.BigEndian.Uint64(value),
		count:  uint64(binary.BigEndian.Uint32(value[8:])),
		stream: string(value[12:]),
	}, nil
}
