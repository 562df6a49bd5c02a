// Package e2e holds scripts that run the real program: command line, HTTP,
// signals, restarts. Each file of testdata is one story.
package e2e
