// Package arch holds the house rules as code: which package may import which, and how
// a file here reads. Each finding names the place and what to write instead.
package arch
