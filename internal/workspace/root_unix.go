//go:build unix

package workspace

import (
	"io/fs"
	"syscall"
)

// NoWait is a flag for opening what may be a pipe.
const NoWait = syscall.O_NONBLOCK

// noFollow is one for opening what may be a link.
const noFollow = syscall.O_NOFOLLOW

// names is how many names a file has.
func names(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
