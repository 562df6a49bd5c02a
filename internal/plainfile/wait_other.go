//go:build !unix

package plainfile

// noWait is a flag for opening what may have become a pipe: none are met here.
const noWait = 0
