//go:build unix

package actors

import (
	"io/fs"
	"syscall"
)

// ownerOf gives the user that a file belongs to.
func ownerOf(info fs.FileInfo) (uid int, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}
