// Package browser opens the playground and the docs in a real browser: a chromium that
// is installed, found by the names chromium-headless-shell (which takes less than half the
// time of a whole one), chromium, chromium-browser and google-chrome, or as the variable
// CHROMIUM says ("none" leaves these tests out). Nothing is downloaded, and where there is
// no browser the run says so (go test shows it with -v).
//
//	go test ./test/browser                                        a slice: two states of each view, in one size and scheme
//	go test ./test/browser -full                                  every state, size and scheme
//	go test ./test/browser -full -args -screenshots /tmp/shots    and writes what it saw
//
// A console error, an uncaught exception, a refusal of the page's policy, a request that
// fails or that leaves the host's origin fails the test in which it happens.
package browser
