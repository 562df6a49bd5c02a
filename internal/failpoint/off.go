//go:build !failpoints

// Package failpoint lets a test stop the process at a named place. Without the
// build tag "failpoints" it compiles to nothing.
package failpoint

// Hit does nothing in this build.
func Hit(string) {}

// Enabled says whether this build has fail points.
const Enabled = false
