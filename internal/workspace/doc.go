// Package workspace is a session's folder and the content store beside the log:
// the rules for paths that come from outside, and bytes kept by their hash.
package workspace
