//go:build unix

package actors

import "golang.org/x/sys/unix"

// freeBytes is the room on the disk of a folder.
func freeBytes(dir string) (uint64, error) {
	var st unix.Statfs_t
	err := unix.Statfs(dir, &st)
	return uint64(st.Bavail) * uint64(st.Bsize), err
}
