//go:build !windows

package script

import "syscall"

// cpuUsed is the time that the process has used, in microseconds.
func cpuUsed() map[string]int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return map[string]int64{"user": 0, "system": 0}
	}
	return map[string]int64{"user": u.Utime.Nano() / 1000, "system": u.Stime.Nano() / 1000}
}
