package journal

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A markerFS makes the names in a directory durable before a marker is put there.
// Pebble's markers say which of its files is the current one; Pebble relies on the
// file's name being durable when the marker's is, which not every file system keeps to.
type markerFS struct{ vfs.FS }

// Create creates a file.
func (m markerFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(m.PathBase(name), "marker.") {
		if err := syncDir(m.FS, m.PathDir(name)); err != nil {
			return nil, err
		}
	}
	return m.FS.Create(name, c)
}

// Unwrap gives the file system underneath.
func (m markerFS) Unwrap() vfs.FS { return m.FS }
