// Package crash kills a host with SIGKILL at every fail point, and at random,
// starts it again, and holds everything that anybody saw against the log.
//
// The tests need the build tag failpoints:
//
//	go test -tags failpoints ./test/crash            a slice, under 2 minutes
//	go test -tags failpoints ./test/crash -full      every hit of every point
package crash
