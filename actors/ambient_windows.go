package actors

import "io/fs"

// ownerOf says that files have no owner by number here.
func ownerOf(fs.FileInfo) (uid int, ok bool) { return 0, false }
