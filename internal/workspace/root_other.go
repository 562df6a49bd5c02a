//go:build !unix

package workspace

import "io/fs"

// NoWait is a flag for opening what may be a pipe: there are none to be met here.
const NoWait = 0

// noFollow is one for opening what may be a link, which os.Root holds by itself.
const noFollow = 0

// names is how many names a file has, as far as it can be told.
func names(fs.FileInfo) uint64 { return 1 }
