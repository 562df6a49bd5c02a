// Package types holds a project that uses every name of @cursor/bdk, and the tests
// that check it, and what bdk init writes, with tsc.
package types
