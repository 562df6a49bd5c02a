package journal

import (
	"errors"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

var errDisk = errors.New("the disk died")

// A disk is a file system whose syncs of the write-ahead log can be held, and can fail.
type disk struct {
	vfs.FS

	mu      sync.Mutex
	hold    chan struct{} // nil while syncs pass
	arrived chan struct{} // closed when the first sync is held
	fail    int           // so many syncs fail; -1 for all
}

func newDisk(fs vfs.FS) *disk {
	d := &disk{}
	d.FS = errorfs.Wrap(fs, errorfs.InjectorFunc(d.before))
	return d
}

func (d *disk) before(op errorfs.Op) error {
	sync := op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData || op.Kind == errorfs.OpFileSyncTo
	if !sync || !strings.HasSuffix(op.Path, ".log") {
		return nil
	}
	d.mu.Lock()
	hold, arrived := d.hold, d.arrived
	d.arrived = nil
	d.mu.Unlock()
	if hold != nil {
		if arrived != nil {
			close(arrived)
		}
		<-hold
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail == 0 {
		return nil
	}
	if d.fail > 0 {
		d.fail--
	}
	return errDisk
}

// holdSyncs makes syncs wait; the channel is closed when one does.
func (d *disk) holdSyncs() (arrived <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hold, d.arrived = make(chan struct{}), make(chan struct{})
	return d.arrived
}

// release lets them go; the next fail of them fail.
func (d *disk) release(fail int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = fail
	close(d.hold)
	d.hold = nil
}
